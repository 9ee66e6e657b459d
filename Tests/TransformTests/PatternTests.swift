import SluiceRecords
import Testing

@testable import SluiceTransform

/// `match`.
@Suite struct PatternTests {
    private func match(_ pattern: String, _ value: Raw) throws -> Typed {
        try evaluate(slot(0) { $0.match = pattern }, value)
    }

    /// Each match, one behind the other; empty ones end, too.
    @Test(
        arguments: [
            ("[0-9]+", "1 22,x333", ["1", "22", "333"]), ("(a)|b", "abab", ["a", nil, "a", nil]),
            ("x*", "éxé", ["", "x", "", ""]),
            ("^a", "aaa", ["a"]), ("a\\Kb", "abab", ["b", "b"]), ("é", "éé", ["é", "é"]), ("(?=a)", "aa", ["", ""]),
            ("a", "", []),
            ("(?<=a)b", "abab", ["b", "b"]), ("$", "ab", [""]),
        ] as [(String, String, [String?])])
    func everyMatchIsFound(_ pattern: String, _ text: String, _ expected: [String?]) throws {
        let compiled = try Pattern(pattern)
        var arena = Arena(capacity: 64)
        defer { arena.deallocate() }
        let bytes = Array(text.utf8)
        let cell = arena.appendText(text, kind: .string)
        var (found, start): ([String?], Int) = ([], 0)
        while start <= bytes.count, let match = try compiled.next(ByteView(cell, in: arena), from: start) {
            found.append(match.part.map { String(decoding: bytes[$0], as: UTF8.self) })
            #expect(match.end > start)
            start = match.end
        }
        #expect(found == expected)
    }

    @Test func theFirstGroupOrTheWholeMatch() throws {
        #expect(try match("[0-9]+", "a12b34") == "12")
        #expect(try match("a([0-9])([0-9])", "a12b34") == "1")
        #expect(try match("(?:a)[0-9]", "a12b34") == "a1")
        #expect(try match("(?<name>b.)", "a12b34") == "b3")
        #expect(try match("^$", "") == "")
        #expect(try match("x*", "abc") == "")
        #expect(try match("a.c", .number("1")) == .null)
        #expect(try match("^[0-9]", .number("12.5")) == "1")
        #expect(try match("r", .yes) == "r")
    }

    @Test func noMatchIsNull() throws {
        #expect(try match("x", "abc") == .null)
        #expect(try match("a(x)?b", "ab") == .null)
        #expect(try match("(x)|a(b)", "ab") == .null)
        #expect(try match("a", .null) == .null)
        #expect(try match("a", .absent) == .absent)
        #expect(try match("a", .object) == .fault("text expected, found an object"))
    }

    @Test func patternsSeeCharacters() throws {
        #expect(try match("^..$", "日本") == "日本")
        #expect(try match(".(.)", "äöü") == "ö")
        #expect(try match("(?i)Ä", "ä") == "ä")
        #expect(try match("\\p{Lu}", "aÖ") == "Ö")
        #expect(try match("^a.b$", "a\0b") == "a\0b")
    }

    @Test func anEmptyPatternMatchesNothingOfEverything() throws { #expect(try match("", "abc") == "") }

    @Test func wrongPatternsAreSaidSo() throws {
        #expect(
            Transformer.check(pattern: "äö(a")
                == "the pattern is wrong at its character 5: missing closing parenthesis")
        #expect(Transformer.check(pattern: "a\\Cb") != nil)
        #expect(Transformer.check(pattern: "(a)+") == nil)
        #expect(Transformer.check(pattern: "") == nil)
        #expect(
            throws: Failure(
                .definition,
                "E.a: the pattern is wrong at its character 3: quantifier does not follow a repeatable item")
        ) { try match("a**", "a") }
    }

    @Test func hostileTextsGiveUp() throws {
        let hostile = String(repeating: "a", count: 40) + "!"
        let clock = ContinuousClock()
        let time = try clock.measure {
            for pattern in ["(a+)+$", "^(a|aa)+$", "(a*)*b", "(.*)*\\d"] {
                let found = try match(pattern, .string(hostile))
                #expect(found == .fault("the pattern gave up on this value: match limit") || found == .null)
            }
            #expect(try match("(a+)+$", .string(hostile)) == .fault("the pattern gave up on this value: match limit"))
        }
        #expect(time < .seconds(2))
    }

    @Test func recursionGivesUp() throws {
        let nested = String(repeating: "(", count: 30_000) + String(repeating: ")", count: 29_999)
        let found = try match("^(\\((?1)*\\))$", .string(nested))
        guard case .fault(let reason) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(reason.hasPrefix("the pattern gave up on this value: "))
    }

    @Test func longTextsAreForAnchoredPatterns() throws {
        let long = String(repeating: "a", count: 1 << 19)
        #expect(try match("^a", .string(long)) == "a")
        #expect(
            try match("\\s+$", .string(long)) == .fault("the pattern gave up on this value: it is longer than 256 KiB"))
    }

    @Test func limitsAreOfEachValue() throws {
        let model = Model(entities: [
            Bench.entity(
                slots: 1,
                attributes: [
                    Attribute(name: "a", value: slot(0) { $0.match = "(a+)+$" }, conversion: Conversion(.text))
                ])
        ])
        let bench = try Bench(model)
        for _ in 0..<3 {
            bench.append([.string(String(repeating: "a", count: 30) + "!")])
            bench.append(["caab aa"])
        }
        bench.transform()
        #expect(bench.row(1) == ["aa"])
        #expect(bench.row(5) == ["aa"])
        #expect(bench.batch.faults.map(\.row) == [0, 2, 4])
    }
}
