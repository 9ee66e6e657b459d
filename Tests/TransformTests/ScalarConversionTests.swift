import SluiceRecords
import Testing

/// The types `text`, `boolean`, `json` and `bytes`.
@Suite struct ScalarConversionTests {
    @Test func textTakesScalarsAsWritten() throws {
        #expect(try convert("abc", .text) == "abc")
        #expect(try convert("", .text) == "")
        #expect(try convert("a\0b", .text) == "a\0b")
        #expect(try convert(.number("1.50e3"), .text) == "1.50e3")
        #expect(try convert(.yes, .text) == "true")
        #expect(try convert(.no, .text) == "false")
        #expect(try convert(.key("S1"), .text) == "S1")
        #expect(try convert(.index(-7), .text) == "-7")
        #expect(try convert(.json("\"\\u00e4\\n\""), .text) == "ä\n")
    }

    @Test func textRefusesTheRest() throws {
        #expect(try convert(.object, .text) == .fault("text expected, found an object"))
        #expect(try convert(.array, .text) == .fault("text expected, found an array"))
        #expect(try convert(.broken, .text) == .fault("text expected, found a string with half a surrogate pair"))
        #expect(try convert(.list(["a"]), .text) == .fault("text expected, found a list of values"))
    }

    @Test func nullAndAbsentStayApart() throws {
        for type in AttributeType.allCases {
            #expect(try convert(.null, type) == .null)
            #expect(try convert(.absent, type) == .absent)
        }
    }

    @Test(arguments: ["true", "1", "1.0", "10e-1"]) func trueValues(_ text: String) throws {
        #expect(try convert(text == "true" ? .yes : .number(text), .boolean) == 1)
    }

    @Test func booleanTakesStringsOfItsValues() throws {
        #expect(try convert("true", .boolean) == 1)
        #expect(try convert("1", .boolean) == 1)
        #expect(try convert("false", .boolean) == 0)
        #expect(try convert("0", .boolean) == 0)
        #expect(try convert(.no, .boolean) == 0)
        #expect(try convert(.number("-0.0"), .boolean) == 0)
    }

    @Test(arguments: ["True", "yes", "", "01", " 1", "t"]) func booleanRefusesOtherStrings(_ text: String) throws {
        #expect(try convert(.string(text), .boolean) == .fault("boolean expected, found the string \"\(text)\""))
    }

    @Test(arguments: ["2", "-1", "0.5", "1e1"]) func booleanRefusesOtherNumbers(_ text: String) throws {
        #expect(try convert(.number(text), .boolean) == .fault("boolean expected, found the number \(text)"))
    }

    @Test func jsonIsTakenAsItIs() throws {
        for text in ["{\"a\":[1,null]}", "[]", "\"x\\u0000\"", "1.0", "true"] {
            #expect(try convert(.json(text), .json) == .text(text))
        }
        #expect(try convert(.number("1e5"), .json) == "1e5")
        #expect(try convert(.yes, .json) == "true")
        #expect(try convert("a\"b\\c\n\u{1F}ä", .json) == "\"a\\\"b\\\\c\\u000a\\u001fä\"")
        #expect(try convert(.object, .json) == .fault("json expected, found an object"))
    }

    @Test func jsonTextsUnwrapForOtherTypes() throws {
        #expect(try convert(.json("12"), .integer) == 12)
        #expect(try convert(.json("\"12\""), .integer) == 12)
        #expect(try convert(.json("false"), .boolean) == 0)
        #expect(try convert(.json("\"\\ud83d\\ude00\\\\\\/\\\"\\b\\f\\r\\t\""), .text) == "😀\\/\"\u{8}\u{c}\r\t")
        #expect(try convert(.json("{}"), .integer) == .fault("integer expected, found an object"))
        let broken = Typed.fault("text expected, found a string with half a surrogate pair")
        #expect(try convert(.json("\"\\ud83d\""), .text) == broken)
        #expect(try convert(.json("\"\\ud83d\\u0041\""), .text) == broken)
    }

    @Test func bytesOfBase64() throws {
        #expect(try convert("", .bytes) == .blob([]))
        #expect(try convert("Zg==", .bytes) == .blob([0x66]))
        #expect(try convert("Zg", .bytes) == .blob([0x66]))
        #expect(try convert("Zm8=", .bytes) == .blob([0x66, 0x6f]))
        #expect(try convert("Zm9v", .bytes) == .blob([0x66, 0x6f, 0x6f]))
        #expect(try convert("+/+/", .bytes) == .blob([0xfb, 0xff, 0xbf]))
    }

    @Test(arguments: ["Z", "Zg=", "Zg===", "=", "====", "Zh==", "Zm9v\n", "Zm 9v", "-_-_", "Zg==Zg==", "ä"])
    func bytesRefuseWhatIsNotBase64(_ text: String) throws {
        let shown = text.replacing("\n", with: "\\n")
        let reason = "bytes expected, but the string \"\(shown)\" is not Base64"
        #expect(try convert(.string(text), .bytes) == .fault(reason))
    }

    @Test func bytesAreStrings() throws {
        #expect(try convert(1234, .bytes) == .fault("bytes expected, found the number 1234"))
    }

    @Test func reasonsAreShortAndHarmless() throws {
        let long = String(repeating: "ä", count: 200)
        let shown = String(repeating: "ä", count: 80)
        #expect(try convert(.string(long), .real) == .fault("real expected, found the string \"\(shown)…\""))
        #expect(
            try convert("a\n\t\u{1B}[2J\"\\\u{202E}", .real)
                == .fault("real expected, found the string \"a\\n\\t\\u001b[2J\\\"\\\\\\u202e\""))
        // Whatever a report does not show, a fault does not, either; emoji stay whole.
        #expect(
            try convert("1\u{AD}\u{200B}\u{E0041}👩\u{200D}🚀", .real)
                == .fault("real expected, found the string \"1\\u00ad\\u200b\\udb40\\udc41👩\u{200D}🚀\""))
    }
}
