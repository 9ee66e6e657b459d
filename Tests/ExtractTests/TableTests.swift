import FeedReference
import SluiceExtract
import SluiceRecords
import Testing

/// Tables: CSV and TSV.
@Suite struct TableTests {
    private static let slots = ["a", "b", "c"]
    private static let model = [entity("Row", "$", slots: ["a", "b", "c", "@ json"])]

    private func options(_ change: (inout TableForm) -> Void = { _ in }) -> FeedOptions {
        var options = FeedOptions()
        options.format = .csv
        change(&options.table)
        return options
    }

    private func read(_ feed: String, _ change: (inout TableForm) -> Void = { _ in }) -> Extraction {
        extract(Array(feed.utf8), Self.model, options: options(change))
    }

    /// What the rows hold, without where they stand.
    private func values(_ extraction: Extraction) -> [String] {
        extraction.rows.map { $0.split(separator: " | ", maxSplits: 1).last.map(String.init) ?? "" }
    }

    @Test func rowsAreObjects() {
        let found = read("a,b,c\n1,two,\"thr\"\"ee\"\n\"x,\r\ny\",,z\r\n")
        #expect(
            found.rows == [
                #"Row#0000 6 2:1 $ | string:1 | string:two | string:thr"ee | json:{"a":"1","b":"two","c":"thr\"ee"}"#,
                "Row#0001 22 3:1 $ | string:x,\r\ny | null | string:z | "
                    + #"json:{"a":"x,\r\ny","b":null,"c":"z"}"#,
            ])
        #expect(found.failure == nil)
        #expect(found.statistics?.values == 2)
    }

    @Test func columnsMayBeNamedElsewhere() {
        let rows = [#"string:1 | string:2 | absent | json:{"a":"1","b":"2"}"#]
        #expect(
            values(
                read("1,2") {
                    $0.names = ["a", "b"]
                    $0.hasHeader = false
                }) == rows)
        #expect(values(read("x;y\n1;2\n") { ($0.names, $0.delimiter) = (["a", "b"], UInt8(ascii: ";")) }) == rows)
        // A column without a name is passed over.
        #expect(values(read("a,,b\n1,0,2")) == rows)
    }

    @Test(arguments: [
        (TableForm.EmptyCell.null, "null | null"), (.text, "string: | string:"), (.quoted, "null | string:"),
    ])
    func emptyCells(_ kind: TableForm.EmptyCell, _ expected: String) {
        let found = values(read("a,b\n,\"\"\n") { $0.emptyCell = kind })
        #expect(found.map { String($0.prefix(expected.utf8.count)) } == [expected])
    }

    @Test func marksWithoutQuotes() {
        let found = read("a\tb\n\"x\t5\" y\n") { ($0.delimiter, $0.hasQuotes) = (UInt8(ascii: "\t"), false) }
        #expect(values(found) == [#"string:"x | string:5" y | absent | json:{"a":"\"x","b":"5\" y"}"#])
        #expect(values(read("a,b\n5\" y,x\"\"\n")).first?.hasPrefix(#"string:5" y | string:x"" | "#) == true)
    }

    @Test func raggedRowsAreRejects() {
        let found = read("a,b\n1\n1,2,3,4\n\"1\"x,2\n\n5,6\n")
        #expect(
            found.faults == [
                "Row#0000 @: the row has 1 cell, but there are 2 columns",
                "Row#0001 @: the row has 4 cells, but there are 2 columns",
                "Row#0002 @: something follows the closing quotation mark of the column \"a\"",
            ])
        #expect(found.rows.count == 4)
        #expect(found.rows[1].hasSuffix(#"json:{"a":"1","b":"2","":["3","4"]}"#))
        #expect(!found.rows[3].contains("rejected"))
    }

    /// Files that are put together have their headers among the rows; a list of words may have its own name in it.
    @Test func aHeaderAmongTheRowsIsAReject() {
        let found = read("a,b\n1,2\n\"a\",b\na,c\n")
        let fault = "Row#0001 @: the row is the header of the table once more, as where files are put together"
        #expect(found.faults == [fault])
        #expect(found.rows.map { $0.contains("rejected") } == [false, true, false])
        #expect(read("a\na\n").faults == [])
        #expect(read("a,b\na,b\n") { $0.names = ["x", "y"] }.faults == [])
    }

    private static let returns =
        "the table's rows end with carriage returns alone, as old programs write them, and not with line feeds: tr '\\r' "
        + "'\\n' makes these of them"

    @Test(arguments: [
        ("a,b\n1,\"2\n3,4\n", "feed:2:3 @6: the quotation mark that opens here is not closed before the feed ends"),
        (
            "a,b,a\n1,2,3\n",
            "feed:1:5 @4: the header names the column \"a\" twice, and the definition takes it: give the columns names with"
                + " \"names\", and \"header\": true"
        ),
        (
            "\"a\"b,c\n",
            "feed:1:1 @0: something follows the closing quotation mark of the column's name that begins here"
        ),
        ("a,b\r1,2\r", "feed:1:4 @3: \(returns)"), ("a,\"b\"\"c\"\r1,2\r", "feed:1:9 @8: \(returns)"),
        (
            "a,\"b\rc\",\"d\"e\n",
            "feed:1:9 @8: something follows the closing quotation mark of the column's name that begins here"
        ),
    ])
    func refused(_ feed: String, _ failure: String) {
        #expect(read(feed).failure == failure)
    }

    /// A header must be UTF-8; a row that is not is a reject, with what can be read of it.
    @Test func onlyUTF8() {
        let header = extract(Array("a\u{fc}".utf8.dropLast()) + [0x0a], Self.model, options: options())
        #expect(header.failure?.hasPrefix("feed:1:2 @1: the byte 0xc3 does not begin a character of UTF-8") == true)
        let broken = Array("a,b\n1,M".utf8) + [0xfc, 0x0a] + Array("2,x\n3,".utf8) + [0xc3]
        for size in [1, 2, 3, 7, 100] {
            let found = extract(broken, Self.model, sizes: [size], options: options())
            #expect(found.failure == nil)
            #expect(
                found.rows == [
                    #"Row#0000 4 2:1 $ rejected | string:1 | absent | absent | json:{"a":"1"}"#,
                    #"Row#0001 9 3:1 $ | string:2 | string:x | absent | json:{"a":"2","b":"x"}"#,
                    #"Row#0002 13 4:1 $ rejected | string:3 | absent | absent | json:{"a":"3"}"#,
                ])
        }
        let marked = read("\u{feff}a,b\n1,2\n")
        #expect(marked.rows.map { String($0.prefix(17)) } == ["Row#0000 7 2:1 $ "])
        #expect(marked.rows.first?.contains("| string:1 | string:2 |") == true)
    }

    @Test func nothingIsATable() {
        for feed in ["", "\n\n", "a,b", "a,b\r\n\r\n", "\u{feff}"] {
            let found = read(feed)
            #expect(found.rows.isEmpty && found.failure == nil)
        }
    }

    @Test func longValuesAreRefused() {
        var options = options()
        options.maxText = 10
        for (feed, isLong) in [("a\n0123456789", false), ("a\n\"0123456789\"", false), ("a\n01234567890", true)] {
            let failure = extract(Array(feed.utf8), Self.model, options: options).failure
            // The text of the whole record is a value as well.
            let limit = "feed:2:1 @2: the value that begins here has more than 10 bytes (see \"maxText\")"
            #expect(failure == limit, "\(isLong)")
        }
        let small = [entity("Row", "$", slots: ["a"])]
        for feed in ["a\n0123456789\n", "a\n\"0123456789\"\n"] {
            #expect(extract(Array(feed.utf8), small, options: options).failure == nil)
        }
        for feed in ["a\n0123456789\r\n", "a\n\"0123456789\"\r\n", "a\n\"01234\"567\n", "a\n\"\"\"12345678\"\n"] {
            for size in [1, 3, 100] {
                let split = extract(Array(feed.utf8), small, sizes: [size], options: options.with(chunk: 2))
                #expect(split.failure == nil, "\(feed.debugDescription) by \(size)")
            }
        }
        for feed in ["a\n01234567890\n", "a\n\"01234567890\"\n", "a\n\"0123456789\n\n\n\n\n"] {
            for size in [1, 3, 100] {
                let failure = extract(Array(feed.utf8), small, sizes: [size], options: options.with(chunk: 2)).failure
                #expect(failure?.contains("@2: the value that begins here has more than 10 bytes") == true)
            }
        }
        options.maxText = 1000
        options.maxRecord = 20
        let failure = extract(Array("a\n1\n\(String(repeating: ",", count: 30))".utf8), small, options: options).failure
        #expect(failure == "feed:3:1 @4: the record that begins here holds more than 20 bytes (see \"maxRecord\")")
    }

    /// What is above the line of the header is no record, whatever is in it.
    @Test func titlesAreAboveTheHeader() {
        let rows = [#"string:1 | string:2 | absent | json:{"a":"1","b":"2"}"#]
        for title in ["x,y,z\n\n", "\n\u{fffd}\n", "\"x\ny\"\n", "sep=,\nx\n", "\u{feff}a,a\r\n\r\n", "x\ny\n"] {
            let feed = Array((title + "a,b\n1,2\n").utf8)
            for size in [1, 3, 100] {
                let found = extract(feed, Self.model, sizes: [size], options: options { $0.headerLine = 3 })
                #expect(found.failure == nil && values(found) == rows, "\(title.debugDescription)")
            }
        }
        // Empty lines may come before it, too.
        #expect(values(read("x\n\n\na,b\n1,2") { $0.headerLine = 2 }) == rows)
        #expect(read("\n\n") { $0.headerLine = 9 }.failure == nil)
        let short = read("x\na,b\n1,2\n") { $0.headerLine = 9 }.failure
        #expect(short?.hasPrefix("feed:4:1 @10: the table ends before line 9, which") == true, "\(short ?? "")")
    }

    /// A header is that which the definition is about: columns in another order than `names`, and a line that is no
    /// header any more, are no table.
    @Test(
        arguments: [
            ("x\na,b,c\n1,2,3\n", 2, nil, nil), ("a,b,c\n1,2,3\n", 2, nil, 2), ("x\ny\na,b,c\n1,2,3\n", 2, nil, 2),
            ("x\na,z\n1,2\n", 2, nil, nil), ("u,v,w\n1,2,3\n", nil, ["a", "b", "c"], nil),
            ("1,2,3\n4,5,6\n", nil, ["a", "b", "c"], 1),
            ("u,2026-11-24,w\n4,5,6\n", nil, ["a", "b", "c"], 1), ("u,1,b\n4,5,6\n", nil, ["x", "u", "c"], 1),
            ("a,1,b\n4,5,6\n", nil, ["a", "x", "c"], nil), ("u-1,v2,w\n1,2,3\n", nil, ["a", "b", "c"], nil),
            ("b,a,c\n1,2,3\n", nil, ["a", "b", "c"], 1), ("a,u,b\n1,2,3\n", nil, ["a", "b", "c"], 1),
            ("a,b,a\n1,2,3\n", nil, ["a", "b", "c"], nil), ("x\nu,v,w\n1,2,3\n", 2, ["a", "b", "c"], 2),
            ("x\na,b,c\n1,2,3\n", 2, ["a", "b", "c"], nil),
        ] as [(String, Int?, [String]?, Int?)])
    func theHeaderIsThatOfTheDefinition(_ feed: String, _ headerLine: Int?, _ names: [String]?, _ refused: Int?) {
        let model = [entity("Row", "$", slots: ["a", "b", "c"])]
        let options = options { ($0.headerLine, $0.names) = (headerLine, names) }
        let failure = extract(Array(feed.utf8), model, options: options).failure
        #expect(failure.map { $0.hasPrefix("feed:\(refused ?? 0):") } ?? (refused == nil), "\(failure ?? "")")
    }

    /// Where the header has moved up to is said.
    @Test(arguments: [("a,b\n1,2\n3,4\n", 1), ("\nb,a\n1,2\n", 2), ("x\ny\nz\na,b\n", nil)])
    func theHeaderHasMoved(_ feed: String, _ line: Int?) {
        let model = [entity("Row", "$", slots: ["a", "b"])]
        for size in [1, 100] {
            let found = extract(Array(feed.utf8), model, sizes: [size], options: options { $0.headerLine = 3 })
            let told = line.map { "line \($0) has some, so perhaps \"headerLine\": \($0)" }
            #expect(found.failure?.hasSuffix(told ?? "see in which line the header is (sluice init finds it)") == true)
        }
    }

    /// Rows that are no records are those that the definition writes; others are refused, with their place.
    @Test(
        arguments: [
            (["u,v"], "u,v\n1,2\n", nil), (["u,v"], "u,\"v\"\r\n\n1,2\n", nil), (["\"u\",v"], "u,v\n1,2\n", nil),
            (["u,v"], "", nil), (["u,v", ",x"], "u,v\n", nil), (["u,v", ",x"], "\nu,v\n,x\n1,2\n", nil),
            (["u,v"], "1,2\n", 2), (["u,v"], "u,w\n1,2\n", 2), (["u,v"], "u\n1,2\n", 2), (["u,v"], "u,v,\n", 2),
            (["u,v", ",x"], "\nu,v\n1,2\n", 4), (["u,v"], "u,v \n", 2), (["é,v"], "e\u{301},v\n", 2),
        ] as [([String], String, Int?)])
    func skippedRowsReadAsWritten(_ skip: [String], _ rows: String, _ refused: Int?) {
        for size in [1, 3, 100] {
            let feed = Array(("a,b\n" + rows).utf8)
            let found = extract(feed, Self.model, sizes: [size], options: options { $0.skip = .written(skip) })
            #expect(found.failure.map { $0.hasPrefix("feed:\(refused ?? 0):1 ") } ?? (refused == nil), "\(found)")
            if refused == nil { #expect(found.rows.count == (rows.contains("1,2") ? 1 : 0)) }
        }
        let failure = read("a,b\n1,2\n") { $0.skip = .written(["u,v"]) }.failure ?? ""
        #expect(failure.contains(#"this row reads "1,2", and the one that "skip" passes over "u,v""#), "\(failure)")
    }

    // MARK: At random

    /// Pieces of which tables are made.
    private static let pieces = [
        "a", "b", "c", ",", ",", ",", "\n", "\n", "\r\n", "\r", "\"", "\"", "\"\"", "\"x\"", "\"a,b\"", "\"\n\"", "1",
        "12345678901234567890", " ", "é", "\u{1f689}", "\\", "\u{feff}", "\t", "\u{1}",
    ]

    @Test(arguments: 0..<6) func sameAsTheReference(_ part: Int) {
        for seed in part * 50..<(part + 1) * 50 {
            var random = SeededGenerator(state: UInt64(seed))
            let header = ["a,b,c\n", "a,b\r\n", "", "\u{feff}\"a\",\"b\",c\n", "c,,a\n"][seed % 5]
            let count = Int.random(in: 0...30, using: &random)
            let text = header + (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            // A header that only the end of the feed ends may have carriage returns that end rows: see `returns`.
            var feed = Array((seed % 3 == 0 ? text + "\n" : text).utf8)
            if seed % 7 == 0, !feed.isEmpty { feed[Int.random(in: 0..<feed.count, using: &random)] = 0xc3 }
            let kinds = TableForm.EmptyCell.allCases
            let options = options { form in
                form.emptyCell = kinds[seed % kinds.count]
                form.hasQuotes = seed % 11 != 0
                if seed % 4 == 0 { form.names = ["a", "b", ""] }
                if seed % 8 == 0 { form.hasHeader = false }
                if seed % 10 == 3 { form.skip = .count(1 + seed / 10 % 3) }
                if seed % 10 == 6 { form.skip = .written([["a", "1,", "a,b"][seed / 10 % 3]]) }
                if seed % 8 != 0 && seed % 3 == 0 { form.headerLine = 1 + seed / 3 % 4 }
            }
            check(feed, options, seed)
        }
    }

    private func check(_ feed: [UInt8], _ options: FeedOptions, _ seed: Int) {
        let text = String(decoding: feed, as: UTF8.self)
        let expected = ReferenceTable(feed, options.table)
        let whole = extract(feed, Self.model, options: options)
        #expect((whole.failure != nil) == expected.isRefused, "\(seed): \(text.debugDescription)")
        if whole.failure == nil {
            #expect(whole.rows == expected.rows(Self.slots), "\(seed): \(text.debugDescription)")
        }
        for sizes in [[1], [2], [7], [1, 2, 3, 5, 8, 13]] {
            let split = extract(
                feed, Self.model, sizes: sizes, options: options.with(chunk: 1 + seed % 9, batch: 1 + seed % 3))
            // What was read before a failure goes with the batch in which it was.
            let isSame = whole.failure == nil ? split == whole : split.failure == whole.failure
            #expect(isSame, "\(seed), in chunks of \(sizes): \(text.debugDescription)")
        }
    }
}

/// A sequence of numbers that is the same in each run.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
