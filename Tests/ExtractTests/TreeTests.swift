import SluiceRecords
import Testing

@testable import SluiceExtract

struct TreeTests {
    private func read(_ text: String) throws(Failure) -> JSONTree {
        try JSONTree.read(Array(text.utf8), file: "x.json")
    }

    @Test func keepsWhatIsThere() throws {
        let tree = try read(#"{ "b": [1.50, -0, 1e3, true, false, null], "a": "\u00e9\ud83d\ude00\n", "b": {} }"#)
        #expect(tree.root.minified == #"{"b":[1.50,-0,1e3,true,false,null],"a":"é😀\n","b":{}}"#)
    }

    @Test func skipsCommentsAndTheByteOrderMark() throws {
        let tree = try read("\u{feff}// one\n[1, /* two, \n \u{c} */ 2 // three\n]//four")
        #expect(tree.root.minified == "[1,2]")
        #expect(tree.root.position == JSONPosition(line: 2, column: 1, offset: 10))
    }

    @Test(arguments: ["1", "-1.5e+3", "\"x\"", "null", "true", "[]", " {}\n"])
    func takesAnyValueAtTheTop(_ text: String) throws {
        #expect(try read(text).root.minified == text.filter { !$0.isWhitespace })
    }

    @Test func knowsThePlaces() throws {
        let tree = try read("{\n  \"ä\": [\n    1,\n\t22 ],\n  \"x\" /* : */ : \"\\\"\", \"y\": { }\n}")
        #expect("\(tree.place([]))" == "x.json:1:1")
        #expect("\(tree.place(["ä"]))" == "x.json:2:3")
        #expect("\(tree.place(["ä", "0"]))" == "x.json:3:5")
        #expect("\(tree.place(["ä", "1"]))" == "x.json:4:2")
        #expect("\(tree.place(["x"]))" == "x.json:5:3")
        #expect(tree.node(["x"])?.position == JSONPosition(line: 5, column: 17, offset: 42))
        #expect("\(tree.place(["y", "missing", "deeper"]))" == "x.json:5:23")
        #expect(tree.node(["y", "missing"]) == nil)
        #expect(tree.node(["ä", "2"]) == nil)
    }

    @Test(arguments: [
        ("", 1, 1, "the text is empty"),
        ("  ", 1, 3, "the text is empty"),
        ("/* x", 1, 5, "the text holds no whole JSON value"),
        ("[1,]", 1, 3, "this comma must go: nothing follows it before the `]`, and JSON allows none there"),
        (
            "[1 /*,*/ , // ,\n]", 1, 10,
            "this comma must go: nothing follows it before the `]`, and JSON allows none there"
        ),
        ("[1,,2]", 1, 4, "a value was expected here"),
        ("{,}", 1, 2, "a key in double quotes was expected here"),
        ("{\"a\" 1}", 1, 6, "a colon was expected here, after the key"),
        ("{\"a\":}", 1, 6, "a value was expected here"),
        ("{\"a\":1,}", 1, 7, "this comma must go: nothing follows it before the `}`, and JSON allows none there"),
        ("{\"a\":1\n \"b\":2}", 2, 2, "a comma or the object's closing brace was expected here"),
        ("[1 2]", 1, 4, "a comma or the array's closing bracket was expected here"),
        ("[01]", 1, 3, "a comma or the array's closing bracket was expected here"),
        ("1 2", 1, 3, "nothing may follow the value"),
        ("[1]]", 1, 4, "nothing may follow the value"),
        ("tru", 1, 1, "a text stands in double quotes: \"tru\""),
        ("{'a':1}", 1, 2, "texts and keys stand in double quotes"),
        ("[`a`]", 1, 2, "texts and keys stand in double quotes"),
        ("[“a”]", 1, 2, "texts and keys stand in straight double quotes: \""),
        ("{name: 1}", 1, 2, "a key stands in double quotes: \"name\""),
        ("{\"a\": 1, null : 1}", 1, 10, "a key stands in double quotes: \"null\""),
        ("[NaN]", 1, 2, "NaN is no word of JSON: null is"),
        ("[True]", 1, 2, "True is no word of JSON: true is, and \"True\" is a text"),
        ("[no]", 1, 2, "no is no word of JSON: false is, and \"no\" is a text"),
        ("[+1]", 1, 2, "a number starts with a digit, or with a minus sign"),
        ("[.5]", 1, 2, "a number starts with a digit, or with a minus sign"),
        ("# x\n{}", 1, 1, "a comment starts with // or stands between /* and */; # starts none"),
        ("[1, # x\n2]", 1, 5, "a comment starts with // or stands between /* and */; # starts none"),
        (
            "name: x\nstore:\n  sqlite: y", 1, 1,
            "this looks like YAML; JSON was expected: an object in braces, with its keys in quotes"
        ),
        (
            "# x\n---\nname: x", 1, 1,
            "this looks like YAML; JSON was expected: an object in braces, with its keys in quotes"
        ),
        ("[/ 1]", 1, 2, "a value was expected here; texts stand in double quotes"),
        ("[\"a\nb\"]", 1, 4, "a control character in a text must be escaped"),
        ("[\"a", 1, 4, "the text ends inside a string"),
        (
            #"["\d+"]"#, 1, 4,
            #"a backslash may stand before one of "\/bfnrtu only; a backslash of the text itself is written twice: \\d"#
        ),
        (#"["\u12G4"]"#, 1, 7, #"four hexadecimal digits must follow \u"#),
        (#"["a\ud800"]"#, 1, 4, "this escape is half of a surrogate pair, and no character"),
        (#"["\ud83d\u0041"]"#, 1, 3, "this escape is half of a surrogate pair, and no character"),
        (#"{"\\\udc00":1}"#, 1, 5, "this escape is half of a surrogate pair, and no character"),
        ("[1\u{c}]", 1, 3, "a form feed or a vertical tab is no white space in JSON"),
        ("1\u{b}", 1, 2, "a form feed or a vertical tab is no white space in JSON"),
        ("\u{b}1", 1, 1, "a form feed or a vertical tab is no white space in JSON"),
        ("[\n  1.,2]", 2, 5, "a digit was expected here"),
        ("[-]", 1, 3, "a digit was expected here"),
        ("{\"a\": [1,\n", 2, 1, "the text ends inside the array that starts at line 1, column 7"),
    ])
    func refuses(_ text: String, _ line: UInt64, _ column: UInt64, _ message: String) throws {
        let failure = try #require(throws: Failure.self) { try read(text) }
        #expect(failure.message == message)
        #expect(failure.kind == .definition)
        #expect("\(failure.place.map(String.init(describing:)) ?? "")" == "x.json:\(line):\(column)")
    }

    @Test(
        arguments: [
            ([0x5b, 0x22, 0xff, 0x22, 0x5d], 2), ([0x22, 0xc0, 0x80, 0x22], 1), ([0x22, 0xed, 0xa0, 0x80, 0x22], 1),
            ([0x2f, 0x2f, 0xe4, 0x0a, 0x31], 2), ([0x31, 0x20, 0xe2, 0x82], 2),
        ] as [([UInt8], UInt64)])
    func refusesWhatIsNoUTF8(_ bytes: [UInt8], _ offset: UInt64) throws {
        let failure = try #require(throws: Failure.self) { try JSONTree.read(bytes, file: "x.json") }
        #expect(failure.message == "these bytes are no UTF-8")
        #expect(failure.place?.offset == offset)
    }

    @Test func refusesWhatIsNestedTooDeep() throws {
        let deepest = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(try read(deepest).root.minified == deepest)
        let failure = try #require(throws: Failure.self) { try read(String(repeating: "{\"a\":[", count: 100_000)) }
        #expect(failure.message == "this is nested deeper than 200 levels")
    }

    /// Texts changed by chance are read or refused; nothing ends the process.
    @Test func survivesAnything() {
        let text = Array(#"{"a": [1, -2.5e3, "x\u00e9\ud83d\ude00"], /* c */ "b": null} // d"#.utf8)
        var state: UInt64 = 1
        for _ in 0..<20_000 {
            var changed = text
            for _ in 0..<3 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                changed[Int(state >> 33) % changed.count] = UInt8(truncatingIfNeeded: state >> 20)
            }
            guard let tree = try? JSONTree.read(changed, file: "x.json") else { continue }
            let again = try? JSONTree.read(Array(tree.root.minified.utf8), file: "x.json")
            #expect(again?.root.minified == tree.root.minified)
        }
    }

    // MARK: Commas at the end

    @Test(arguments: [
        ("[1,]", "[1 ]"), ("{\"a\": [1, 2 , // why, not\n], /*,*/ }", "{\"a\": [1, 2   // why, not\n]  /*,*/ }"),
        ("[\",]\",\"\\\",]\",]", "[\",]\",\"\\\",]\" ]"), ("[[],{},]", "[[],{} ]"),
    ])
    func aCommaMayEndAListWithComments(_ text: String, _ same: String) throws {
        let bytes = Array(text.utf8)
        let tree = try JSONTree.read(bytes, file: "x.jsonc")
        #expect("\(tree.root)" == "\(try JSONTree.read(Array(same.utf8), file: "x.json").root)")
        #expect(throws: Failure.self) { try JSONTree.read(bytes, file: "x.json") }
    }

    /// Only one, and only behind something.
    @Test(arguments: ["[,]", "{,}", "[1,,]", "{\"a\":,}", "[1],", ",", "[1,", "{\"a\",}"])
    func otherCommasStayMistakes(_ text: String) throws {
        #expect(throws: Failure.self) { try JSONTree.read(Array(text.utf8), file: "x.jsonc") }
    }
}
