import Testing

@testable import SluiceInit

@Suite struct MeasuringTests {
    private func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { bytes in
            // No text here is empty.
            unsafe ValueFingerprint.of(bytes.baseAddress.unsafelyUnwrapped, bytes.count)
        }
    }

    private func forms(_ text: String) -> TextForms {
        var text = text
        var fraction = 0
        return text.withUTF8 { bytes in
            unsafe TextForms.of(bytes.baseAddress.unsafelyUnwrapped, bytes.count, fraction: &fraction)
        }
    }

    @Test func theHashOfAnIntegerGivesItBack() {
        for number: Int64 in [0, 1, -1, 337, .max, .min, 9_007_199_254_740_993] {
            #expect(ValueFingerprint.integer(ValueFingerprint.of(number)) == number)
        }
        #expect(hash("a") != hash("b") && hash("12345678") != hash("123456789"))
    }

    @Test func aSketchTellsHowManyDifferentValuesThereAre() {
        var sketch = Sketch()
        defer { sketch.deallocate() }
        for round in 0..<3 {
            for number in 0..<Int64(500) { sketch.insert(ValueFingerprint.of(number)) }
            #expect(sketch.distinct == 500 && sketch.isExact, "\(round)")
        }
        for number in 0..<Int64(200_000) { sketch.insert(ValueFingerprint.of(number)) }
        #expect(!sketch.isExact && abs(sketch.distinct - 200_000) < 40_000, "\(sketch.distinct)")
    }

    /// However many different values there are, a sketch of them never says that there are fewer.
    @Test func aSketchOfDifferentValuesMayHaveThemAll() {
        for start in stride(from: Int64(0), to: 5_000_000, by: 500_000) {
            var sketch = Sketch()
            defer { sketch.deallocate() }
            for number in 1...5000 {
                sketch.insert(ValueFingerprint.of(start + Int64(number)))
                #expect(sketch.mayHave(number) && !sketch.isRepeated(among: number), "\(number) from \(start)")
            }
            #expect(!sketch.mayHave(8000) && sketch.isRepeated(among: 8000))
        }
    }

    @Test func aSketchOfFewValuesIsExact() {
        var sketch = Sketch()
        defer { sketch.deallocate() }
        for number in 1...1000 { sketch.insert(ValueFingerprint.of(Int64(number))) }
        #expect(sketch.mayHave(1000) && !sketch.mayHave(1001))
    }

    @Test func sketchesTellHowManyValuesAreInBoth() {
        var (one, other) = (Sketch(), Sketch())
        defer {
            one.deallocate()
            other.deallocate()
        }
        for number in 0..<Int64(20_000) {
            one.insert(ValueFingerprint.of(number))
            if number % 2 == 0 { other.insert(ValueFingerprint.of(number)) }
        }
        let (values, found) = one.comparison(with: other)
        #expect(values > 200 && abs(Double(found) / Double(values) - 0.5) < 0.2)
        var merged = Sketch()
        merged.merge(one)
        merged.merge(other)
        defer { merged.deallocate() }
        #expect(abs(merged.distinct - one.distinct) < 1)
    }

    @Test func countsBeyondTheirLimitAreASample() {
        var (few, many) = (HashCounts(most: 1000), HashCounts(most: 1000))
        defer {
            few.deallocate()
            many.deallocate()
        }
        for number in 0..<Int64(100_000) {
            many.add(ValueFingerprint.of(number))
            if number < 50_000 { few.add(ValueFingerprint.of(number)) }
        }
        #expect(!many.isExact && many.distinct <= 1001 && many.total == 100_000)
        #expect(few.overlap(with: [many]).found == few.overlap(with: [many]).values)
        let (values, found) = many.overlap(with: [few])
        #expect(abs(Double(found) / Double(values) - 0.5) < 0.1, "\(found) of \(values)")
    }

    /// `SketchIndex` says at once what sketches say of one another.
    @Test func sketchesAreComparedAtOnce() {
        let counts: [Int64] = [0, 1, 5, 700, 3_000, 90_000]
        var sketches = counts.map { count in
            var sketch = Sketch()
            for number in 0..<count { sketch.insert(ValueFingerprint.of(number * 3)) }
            return sketch
        }
        defer { for index in sketches.indices { sketches[index].deallocate() } }
        let index = SketchIndex(sketches)
        for one in sketches {
            for (other, common) in zip(sketches, index.comparisons(of: one)) {
                let expected = one.comparison(with: other)
                #expect(common.values == expected.values && common.found == expected.found)
            }
        }
    }

    /// What is different in each owner is soon forgotten, and what is the same in one of them is not.
    @Test func uniquenessWithinOwnersIsExact() throws {
        let values = UniqueValues(most: 1000)
        for owner in 1...500 {
            values.begin(of: UInt64(owner))
            for number in 0..<20 {
                try values.add(
                    ValueFingerprint.joined(
                        UInt64(owner), ValueFingerprint.of(Int64(number == 19 && owner == 77 ? 3 : number))))
            }
        }
        #expect(try values.values == 10_000 && values.repeats == 1 && values.finish() == 1)
        values.begin(of: 1000)
        for number in 0..<5000 {
            try values.add(ValueFingerprint.joined(1000, ValueFingerprint.of(Int64(number % 4000))))
        }
        #expect(try values.finish() == 1001, "more than memory takes")
    }

    @Test func uniquenessIsExactWhateverTheirNumber() throws {
        let values = UniqueValues(most: 1000)
        let count: Int64 = 5000
        for number in 0..<count { try values.add(ValueFingerprint.of(number)) }
        // One from what is in memory, and two from what is not.
        for number in [5, count - 3, count - 2] { try values.add(ValueFingerprint.of(number)) }
        #expect(try values.finish() == 3)
    }

    @Test(
        arguments: [
            ("2026-02-28", TextForms.date), ("2026-02-30", []), ("2024-02-29", .date), ("2026-13-01", []),
            ("2026-11-20T10:00:00Z", [.time, .offsetTime, .withoutFraction]),
            ("2026-11-20T10:00:00.5+01:00", [.time, .offsetTime, .withFraction]), ("2026-11-20T25:00:00Z", []),
            ("2025-10-09T08:53:20.123+0000", [.offsetTime, .withFraction]),
            ("2025-10-09T08:53:20+00", [.offsetTime, .withoutFraction]), ("2025-10-09T08:53:20+0x00", []),
            ("2025-10-09 08:53:20 +0200", [.spacedOffsetTime, .withoutFraction]), ("2025-10-09T08:53:20 +0200", []),
            ("2025-10-09T08:53:20.+0000", []), ("2025-10-09T08:53:20+2400", []),
            ("2026-11-01T03:21", .minuteOfISO), ("2026-11-01T03:21Z", .minuteWithOffset),
            ("2026-11-01T03:21+0100", .minuteWithOffset), ("2026-11-01T03:61", []),
            ("09.11.2026 03:22", .dottedMinute), ("09.11.2026 03:22:59", .dottedTime), ("31.11.2026 03:22", []),
            ("09.11.2026T03:22", []), ("09.11.2026 03:22:", []),
            ("2026-11-20 10:00:00", .localTime), ("2026-11-20 10:00", .minute), ("2026-11-20 24:00", []),
            ("20261120", [.plainDate, .integer, .number, .whole]),
            ("20261320", [.integer, .number, .whole]), ("20.11.2026", .dottedDate),
            ("11/12/2026", [.dayFirst, .monthFirst]),
            ("13/12/2026", .dayFirst), ("9/30/98", .monthFirstShort), ("1/2/26", [.dayFirstShort, .monthFirstShort]),
            ("31/4/2026", []), ("1/2", []), ("1//2026", []), ("007", []), ("0", [.integer, .number, .whole, .boolean]),
            ("-0", [.number, .whole]),
            ("33.00000000", .number), ("1e5", []), (".5", .anyNumber),
            ("+5", [.anyNumber, .withPlus]), ("5.", .anyNumber), ("4.6e-05", .anyNumber), ("1e+300", []), ("-.e1", []),
            ("TRUE", .capitalBoolean), ("False", .titleBoolean), ("true", .boolean), ("https://example.org", .address),
            ("-", []),
            ("12,5", [.commaNumber, .commaGroups]), ("1234,5", .commaNumber), ("1.234,50", .commaGroups),
            ("1,234", [.commaNumber, .commaGroups, .pointGroups, .mayHaveGroups]),
            ("0,234", [.commaNumber, .commaGroups, .pointGroups]), ("1,234,567.5", .pointGroups), ("1,23,456", []),
            ("-1.234.567", .commaGroups), ("01,5", []), ("1,", []), ("9:30", .hourAndMinute), ("23:59", .hourAndMinute),
            ("24:00", .hourAndMinute), ("24:01", []), ("3 May 2026", .dayAndName), ("20 november 2026", .dayAndName),
            ("31 Nov 2026", []),
            ("20 Novem 2026", []), ("Nov 3, 2026", .nameAndDay), ("September 20, 2026", .nameAndDay),
            ("Nov 3 2026", .nameDayYear), ("June 31 2026", []), ("12-Jun-98", .dashedNameShort),
            ("3-November-2026", .dashedName), ("31-Nov-2026", []), ("3-May-026", []),
            ("February 30, 2026", []), ("March 2026 x", []), ("PT1H30M", .duration), ("0930", .fourDigitTime),
            ("2400", [.integer, .number, .whole, .fourDigitTime]), ("2410", [.integer, .number, .whole]), ("0960", []),
            ("930", [.integer, .number, .whole]), ("-9223372036854775808", [.integer, .number, .whole]),
            ("9223372036854775808", [.number, .whole]),
        ] as [(String, TextForms)])
    func textsAreWhatTheyCouldBe(_ text: String, _ expected: TextForms) {
        // Any number could be written with a comma, and small ones with spaces between groups, and dates with less.
        let marks: TextForms =
            forms(text).contains(.number)
            ? [.commaNumber, .commaGroups, .pointGroups, .mayHaveGroups, .anyNumber] : []
        let others: TextForms = [.spaceGroupsComma, .spaceGroupsPoint, .shortDate]
        #expect(forms(text).subtracting(marks).subtracting(others) == expected)
    }

    @Test(arguments: [
        ("calendar_dates", "CalendarDate"), ("agencies", "Agency"), ("statuses", "Status"), ("sizes", "Size"),
        ("boxes", "Box"), ("people", "Person"), ("stopTimes", "StopTime"), ("news", "News"), ("addresses", "Address"),
        ("categories", "Category"), ("", "Record"), ("3166-1", "Record31661"),
    ])
    func entitiesAreCalledInTheSingular(_ name: String, _ expected: String) {
        #expect(Names.entity(name) == expected)
    }

    @Test func aTreeOfPathsHasAnEnd() {
        var tree = ShapeTree(most: 3)
        defer { tree.deallocate() }
        #expect(tree.enter([.member("a")]) > 0 && tree.enter([.member("b")]) > 0 && !tree.room.isFull)
        #expect(tree.enter([.member("a")]) > 0, "it is there")
        #expect(tree.enter([.member("c")]) == -1 && tree.room.isFull)
    }

    @Test func feedsAreCalledByTheirFiles() {
        #expect(Names.feed("a/legislators-current.json.zst") == "legislators")
        #expect(Names.feed("https://example.org/v1/stops.json?key=1#x") == "stops")
        #expect(Names.file("/x/2024-09-05.json.zst") == "2024-09-05")
        #expect(Names.file("data/type/*/index.json") == "type" && Names.file("data/type/7/index.json") == "index")
        #expect(Names.file("shops/*/orders.json") == "orders" && Names.folder("shops/*/orders.json") == "shops")
    }

    @Test func pathsAreRelativeToTheDefinition() {
        #expect(RelativePath.path("/a/b/feed.json", from: "/a/c/d.jsonc") == "/a/b/feed.json")
        #expect(RelativePath.path("feeds/x.json", from: "pipelines/p.jsonc") == "../feeds/x.json")
        #expect(RelativePath.path("x.json", from: nil) == "x.json")
        #expect(RelativePath.path("-", from: "p/q.jsonc") == "-")
    }
}
