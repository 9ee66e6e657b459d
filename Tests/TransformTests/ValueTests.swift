import SluiceRecords
import Testing

/// The keys of a value: `from`, `join`, `trim`, `nullIf`, `match`, `map`, `split`, `default`.
@Suite struct ValueTests {
    @Test func fromTakesTheFirstThatIsNotNull() throws {
        let rule = first(slot(0), slot(1), slot(2))
        #expect(try evaluate(rule, "a", "b", "c") == "a")
        #expect(try evaluate(rule, .null, "b", "c") == "b")
        #expect(try evaluate(rule, .absent, .null, "c") == "c")
        #expect(try evaluate(rule, .absent, .null, .absent) == .null)
        #expect(try evaluate(rule, .absent, .absent, .absent) == .absent)
        #expect(try evaluate(rule, "", "b", "c") == "")
    }

    @Test func joinIsText() throws {
        let rule = join(slot(0), slot(1))
        #expect(try evaluate(rule, "a", "b") == "a/b")
        #expect(try evaluate(rule, "", "") == "/")
        #expect(try evaluate(rule, .number("1.50"), .yes) == "1.50/true")
        #expect(try evaluate(rule, .key("k"), .index(3)) == "k/3")
        #expect(try evaluate(rule, "a", .null) == .null)
        #expect(try evaluate(rule, .absent, "b") == .null)
        #expect(try evaluate(rule, .absent, .null) == .null)
        #expect(try evaluate(rule, .absent, .absent) == .absent)
        #expect(try evaluate(rule, "a", .object) == .fault("text expected, found an object"))
        #expect(try evaluate(join(slot(0), slot(1), with: ""), "1", "2", as: .integer) == 12)
        #expect(try evaluate(join(slot(0), slot(0), slot(0), with: "–"), "ä") == "ä–ä–ä")
    }

    @Test func trimCutsUnicodeWhiteSpace() throws {
        let rule = slot(0) { $0.trim = true }
        let spaces = " \t\n\u{B}\u{C}\r\u{85}\u{A0}\u{1680}\u{2000}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}"
        for (text, trimmed) in [
            ("a", "a"), (" a", "a"), ("a ", "a"), (spaces + "a b" + spaces, "a b"), (spaces, ""), ("", ""),
            ("\u{200B}a\u{FEFF}", "\u{200B}a\u{FEFF}"), ("ä\u{A0}ö\u{A0}", "ä\u{A0}ö"), ("\u{3000}日本 ", "日本"),
        ] {
            #expect(try evaluate(rule, .string(text)) == .text(trimmed))
        }
        #expect(try evaluate(rule, 5) == "5")
        #expect(try evaluate(rule, .null) == .null)
        #expect(try evaluate(rule, .absent) == .absent)
        #expect(try evaluate(rule, .array) == .fault("text expected, found an array"))
        #expect(try evaluate(rule, " 12 ", as: .integer) == 12)
    }

    @Test func trimmedNumbersEndWhereTheyEnd() throws {
        // The digits after the group must not reach the number, by whatever way it is read.
        let digits = slot(0) { $0.match = "^([0-9.]{25})" }
        let text = "0.12345678901234567890123" + "99999"
        #expect(try evaluate(digits, .string(text), as: .real) == .real(0.12345678901234567890123))
    }

    @Test func nullIfComparesWithinOneType() throws {
        let rule = slot(0) { $0.nullIf = [.text("n/a"), .text("1"), .number("-99.0"), .boolean(false)] }
        #expect(try evaluate(rule, "n/a") == .null)
        #expect(try evaluate(rule, "N/A") == "N/A")
        #expect(try evaluate(rule, "1") == .null)
        #expect(try evaluate(rule, 1) == "1")
        #expect(try evaluate(rule, -99) == .null)
        #expect(try evaluate(rule, .number("-9.9e1")) == .null)
        #expect(try evaluate(rule, .number("-990e-1")) == .null)
        #expect(try evaluate(rule, 99) == "99")
        #expect(try evaluate(rule, "-99") == "-99")
        #expect(try evaluate(rule, .no) == .null)
        #expect(try evaluate(rule, .yes) == "true")
        #expect(try evaluate(rule, .absent) == .absent)
        #expect(try evaluate(rule, .object) == .fault("text expected, found an object"))
    }

    @Test func numbersAreComparedExactly() throws {
        let long = "123456789012345678901234567890.5"
        let rule = slot(0) { $0.nullIf = [.number(long), .number("0")] }
        #expect(try evaluate(rule, .number("12345678901234567890123456789.05e1")) == .null)
        #expect(try evaluate(rule, .number(long + "00")) == .null)
        #expect(try evaluate(rule, .number(long + "1")) == .text(long + "1"))
        #expect(try evaluate(rule, .number("-" + long)) == .text("-" + long))
        #expect(try evaluate(rule, .number("-0e5")) == .null)
    }

    @Test func mapGoesByTheText() throws {
        let rule = slot(0) { $0.map = ["1": .text("one"), "true": .number("2"), "": .null, "x": .boolean(true)] }
        #expect(try evaluate(rule, 1) == "one")
        #expect(try evaluate(rule, "1") == "one")
        #expect(try evaluate(rule, .yes, as: .integer) == 2)
        #expect(try evaluate(rule, "") == .null)
        #expect(try evaluate(rule, "x", as: .boolean) == 1)
        #expect(try evaluate(rule, .number("1.0")) == .fault("the value \"1.0\" is not in the map"))
        #expect(try evaluate(rule, .no) == .fault("the value false is not in the map"))
        #expect(try evaluate(rule, .null) == .null)
        #expect(try evaluate(rule, .absent) == .absent)
        #expect(try evaluate(rule, .array) == .fault("text expected, found an array"))
    }

    @Test func mapWithARestIsTotal() throws {
        let rule = slot(0) {
            $0.map = ["a": .text("b")]
            $0.otherwise = .text("other")
        }
        #expect(try evaluate(rule, "a") == "b")
        #expect(try evaluate(rule, "z") == "other")
        #expect(try evaluate(rule, .null) == .null)
    }

    @Test func largeMaps() throws {
        var map: [ExactText: Literal] = [:]
        for number in 0..<1000 { map["key \(number)"] = .number("\(number)") }
        let rule = slot(0) { $0.map = map }
        for number in stride(from: 0, to: 1000, by: 37) {
            #expect(try evaluate(rule, .string("key \(number)"), as: .integer) == .integer(Int64(number)))
        }
        #expect(try evaluate(rule, "key 1000") == .fault("the value \"key 1000\" is not in the map"))
    }

    @Test func defaultIsForNullAndAbsent() throws {
        let rule = slot(0) { $0.fallback = .number("1.5") }
        #expect(try evaluate(rule, .null, as: .real) == .real(1.5))
        #expect(try evaluate(rule, .absent, as: .real) == .real(1.5))
        #expect(try evaluate(rule, 2, as: .real) == .real(2))
        #expect(try evaluate(slot(0) { $0.fallback = .boolean(false) }, .null, as: .boolean) == 0)
        #expect(try evaluate(slot(0) { $0.fallback = .text("") }, .null) == "")
        #expect(try evaluate(slot(0) { $0.fallback = .null }, .absent) == .null)
        #expect(try evaluate(slot(0) { $0.fallback = .json("[1]") }, .null, as: .json) == "[1]")
        #expect(try evaluate(slot(0) { $0.fallback = .text("x") }, .null, as: .json) == "\"x\"")
    }

    @Test func keysApplyInTheirOrder() throws {
        let rule = slot(0) {
            $0.trim = true
            $0.nullIf = [.text("-")]
            $0.match = "[A-Z]+"
            $0.map = ["AB": .text("found"), "X": .null]
            $0.fallback = .text("default")
        }
        #expect(try evaluate(rule, " -\n") == "default")
        #expect(try evaluate(rule, "12 AB 34") == "found")
        #expect(try evaluate(rule, "none") == "default")
        #expect(try evaluate(rule, "X") == "default")
        #expect(try evaluate(rule, "ABC") == .fault("the value \"ABC\" is not in the map"))
    }

    @Test func subdivisionsOfCountries() throws {
        // ISO 3166-2 as iso-codes has it: `parent` is a full code in some records, and lacks the country in others.
        let full = slot(1) { $0.match = "^[A-Z]{2}-.+$" }
        let completed = join(slot(0) { $0.match = "^[A-Z]{2}" }, slot(1), with: "-")
        let rule = first(full, completed)
        #expect(try evaluate(rule, "GB-ABC", "GB-NIR") == "GB-NIR")
        #expect(try evaluate(rule, "AZ-BAB", "NX") == "AZ-NX")
        #expect(try evaluate(rule, "AZ-BAB", .null) == .null)
        #expect(try evaluate(rule, "AZ-NX", .absent) == .null)
        #expect(try evaluate(rule, "az", "NX") == .null)
    }

    @Test func nestedValues() throws {
        let inner = first(slot(0) { $0.nullIf = [.text("")] }, slot(1) { $0.fallback = .text("none") })
        let rule = join(join(inner, slot(1), with: "+"), inner, with: "=") { $0.match = "=(.*)$" }
        #expect(try evaluate(rule, "a", "b") == "a")
        #expect(try evaluate(rule, "", "b") == "b")
        #expect(try evaluate(rule, .null, .null) == .null)
    }

    @Test func jsonKeepsWhatIsNotChanged() throws {
        let rule = slot(0) {
            $0.nullIf = [.text("ä"), .number("0"), .json("{}")]
            $0.fallback = .json("[]")
        }
        #expect(try evaluate(rule, .json("{\"a\":1}"), as: .json) == "{\"a\":1}")
        #expect(try evaluate(rule, .json("\"\\u00e4\""), as: .json) == "[]")
        #expect(try evaluate(rule, .json("0.0"), as: .json) == "[]")
        #expect(try evaluate(rule, .json("{}"), as: .json) == "[]")
        #expect(try evaluate(rule, .json("\"0\""), as: .json) == "\"0\"")
        #expect(try evaluate(slot(0) { $0.trim = true }, .json("\" a\\n\""), as: .json) == "\"a\"")
    }
}
