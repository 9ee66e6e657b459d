import SluiceExtract
import SluiceRecords
import Testing

/// What is refused, in which words, and at which byte; however the feed is split.
@Suite struct MalformedFeedTests {
    let entities = [entity("Item", "$.items[*]", slots: ["id", "all json"])]

    private func expect(
        _ feed: String, _ failure: String, options: FeedOptions = FeedOptions(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expect(Array(feed.utf8), failure, options: options, sourceLocation: sourceLocation)
    }

    private func expect(
        _ feed: [UInt8], _ failure: String, options: FeedOptions = FeedOptions(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for chunk in [1, 2, 3, 5, 1 << 18] {
            let found = extract(feed, entities, options: options.with(chunk: chunk))
            #expect(found.failure == "feed:" + failure, "in chunks of \(chunk)", sourceLocation: sourceLocation)
        }
    }

    @Test func tokens() {
        expect("{\"items\": [\n {\"id\": x}]}", "2:9 @20: `x` is not JSON: a value or punctuation was expected")
        expect("[1, tru3]", "1:8 @7: true, false or null was expected, found `3`")
        expect("[1, nul]", "1:8 @7: true, false or null was expected, found `]`")
        expect("[-x]", "1:3 @2: a digit was expected in the number, found `x`")
        expect("[1.]", "1:4 @3: a digit was expected in the number, found `]`")
        expect("[1e+ ]", "1:5 @4: a digit was expected in the number, found a space")
        expect("[\"a\tb\"]", "1:4 @3: a tab must be escaped in a string")
        expect("[\"a\0b\"]", "1:4 @3: the control character 0x0 must be escaped in a string")
        expect(#"["\x"]"#, "1:4 @3: a backslash and `x` are no escape that JSON knows")
        expect(#"["\u12g4"]"#, "1:7 @6: a hexadecimal digit was expected in the escape, found `g`")
        expect("[\u{e4}]", "1:2 @1: `\u{e4}` is not JSON: a value or punctuation was expected")
        expect("[1 /* one */]", "1:4 @3: `/` is not JSON: a value or punctuation was expected; JSON has no comments")
    }

    @Test func whatPeopleWrite() {
        let unknown = "is not JSON: a value or punctuation was expected"
        expect("[{'a': 1}]", "1:3 @2: `'` \(unknown); texts and keys stand in \", and not in '")
        expect("[1, NaN]", "1:5 @4: `N` \(unknown); JSON has neither NaN nor None: null stands for both")
        expect("[True]", "1:2 @1: `T` \(unknown); true and false are written in small letters")
        let page = "this seems to be HTML or XML, perhaps a page of a login or of an error"
        expect("<html>", "1:1 @0: `<` \(unknown); \(page)")
        // A tag within a feed says nothing of all of it.
        expect("[1, <b>]", "1:5 @4: `<` \(unknown)")
    }

    @Test func structure() {
        expect("[1,,2]", "1:4 @3: a value was expected, found `,`")
        expect("[1,\n]", "2:1 @4: a value was expected, found `]`")
        expect("[1 2]", "1:4 @3: a comma or `]` was expected after the element, found a number")
        expect("[01]", "1:3 @2: a comma or `]` was expected after the element, found a number")
        expect("[{\"a\" 1}]", "1:7 @6: a colon was expected after the key, found a number")
        expect("[{\"a\": 1 \"b\"}]", "1:10 @9: a comma or `}` was expected after the member, found a string")
        expect("{\"a\": 1 \"\"}", "1:9 @8: a comma or `}` was expected after the member, found a string")
        expect("{\"a\":\"a\" 123}", "1:10 @9: a comma or `}` was expected after the member, found a number")
        expect("{true: 1}", "1:2 @1: a key in quotation marks was expected, found a boolean")
        expect("{\"a\": 1,}", "1:9 @8: a key in quotation marks was expected, found `}`")
        expect("{\"items\": [{\"id\": 1]}", "1:20 @19: a comma or `}` was expected after the member, found `]`")
        expect("]", "1:1 @0: a value was expected, found `]`")
    }

    @Test func ends() {
        expect("", "1:1 @0: the feed is empty: a JSON value was expected")
        expect(" \n", "2:1 @2: the feed is empty: a JSON value was expected")
        expect("\u{feff}", "1:4 @3: the feed is empty: a JSON value was expected")
        expect("[1, 2", "1:6 @5: the feed ends before its JSON value is complete")
        expect("[1, 2\n", "2:1 @6: the feed ends before its JSON value is complete")
        expect("{\"a\": \"b", "1:9 @8: the feed ends within a value")
        expect("[tru", "1:5 @4: the feed ends within a value")
        expect("[1,-", "1:5 @4: the feed ends within a value")
        expect("\"ab\\", "1:5 @4: the feed ends within a value")
        expect("[1 2", "1:4 @3: a comma or `]` was expected after the element, found a number")
        expect(Array("[\"\u{e4}".utf8.dropLast()), "1:3 @2: the feed ends within a character")
        expect("{", "1:2 @1: the feed ends before its JSON value is complete", options: .lines)
    }

    /// Where the record begins that is cut off, and in a sequence of values the line that has no end.
    @Test func whatHasNoEnd() {
        expect(
            "{\"items\": [{\"id\": 1},\n {\"id\": 2",
            "2:10 @31: the feed ends before its JSON value is complete, inside the record that begins at line 2, column 2"
        )
        expect(
            "{\"items\": [\n{\"id\": \"x",
            "2:10 @21: the feed ends within a value, inside the record that begins at line 2, column 1")
        let lines = entity("Line", "$", slots: ["id"])
        let found = extract("{\"id\": 1}\n{\"id\": 2\n{\"id\": 3}\n", lines, options: .lines)
        #expect(
            found.failure
                == "feed:3:1 @19: a comma or `}` was expected after the member, found `{`; the value that begins"
                + " at line 2, column 1 has no end")
    }

    @Test func whatFollowsTheValue() {
        let second = "a second value begins here; a feed that is a sequence of values needs \"format\": \"lines\""
        expect("{}\n{}", "2:1 @3: " + second)
        expect("1 2", "1:3 @2: " + second)
        expect("1 \"open", "1:8 @7: the feed ends within a value")
        expect("{} ]", "1:4 @3: nothing but white space may follow the JSON value, found `]`")
        expect("{} x", "1:4 @3: `x` is not JSON: a value or punctuation was expected")
        expect("1/", "1:2 @1: `/` is not JSON: a value or punctuation was expected; JSON has no comments")
        expect("true/", "1:5 @4: `/` is not JSON: a value or punctuation was expected; JSON has no comments")
        expect("[{}]/", "1:5 @4: `/` is not JSON: a value or punctuation was expected; JSON has no comments")
        expect("{}}/", "1:3 @2: nothing but white space may follow the JSON value, found `}`")
        expect("1,2", "1:2 @1: a value was expected, found `,`", options: .lines)
        let apart = "white space was expected between this value and the one before"
        expect("10\n01", "2:2 @4: " + apart, options: .lines)
        expect("truefalse", "1:5 @4: " + apart, options: .lines)
        expect("1-2 ", "1:2 @1: " + apart, options: .lines)
        expect("{}null", "1:3 @2: " + apart, options: .lines)
        expect(#"{"items": []}"a""#, "1:14 @13: " + apart, options: .lines)
        #expect(extract("{}{}[][1]\n1[2]\u{1e}3", entities[0], options: .lines).failure == nil)
    }

    @Test func whiteSpaceThatYajlWouldTake() {
        expect("[1,\u{0c}2]", "1:4 @3: a form feed is no white space in JSON")
        expect("[1,\n\u{0b}2]", "2:1 @4: a vertical tab is no white space in JSON")
        expect("[\"\u{0c}\"]", "1:3 @2: a form feed is no white space in JSON")
        // What comes before is minded before.
        expect("[x,\u{0c}2]", "1:2 @1: `x` is not JSON: a value or punctuation was expected")
        expect("[1]\u{1e}", "1:4 @3: the control character 0x1e is not JSON: a value or punctuation was expected")
        expect("[\"\u{1e}\"]", "1:3 @2: a tab must be escaped in a string", options: .lines)
    }

    @Test(
        arguments: [
            [0x80], [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x80, 0x80], [0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80],
            [0xed, 0xbf, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff],
            [0xc3, 0x28], [0xe2, 0x82, 0x28], [0xf0, 0x9f, 0x98, 0x28], [0xfe],
        ] as [[UInt8]])
    func malformedUTF8(_ bytes: [UInt8]) {
        let byte = String(bytes[0], radix: 16)
        let reason =
            "the byte 0x\(byte) does not begin a character of UTF-8; a file may be in another \"encoding\", such as"
            + " \"windows-1252\""

        expect(Array("[\"\u{20ac}".utf8) + bytes + Array("\"]".utf8), "1:6 @5: " + reason)
        // Behind more plain bytes than are looked at at once.
        let long = Array("[\"\u{1f600}\(String(repeating: "x", count: 200))".utf8)
        expect(long + bytes + Array("\"]".utf8), "1:\(long.count + 1) @\(long.count): " + reason)
    }

    /// What editors of Windows call Unicode begins with a mark.
    @Test(arguments: [[0xff, 0xfe], [0xfe, 0xff]] as [[UInt8]])
    func aMarkOfUTF16IsKnown(_ mark: [UInt8]) {
        let byte = String(mark[0], radix: 16)
        expect(
            mark + [0x5b, 0, 0x5d, 0],
            "1:1 @0: the byte 0x\(byte) does not begin a character of UTF-8; a file that begins so is in UTF-16:"
                + " \"encoding\": \"utf-16\"")
    }

    /// A line that ends within a text.
    @Test func aLineMayBeCutOff() {
        expect(
            "[\"a\n[2]", "1:4 @3: a line break must be escaped in a string, unless the line has been cut off here",
            options: .lines)
    }

    @Test func everyCharacterIsTaken() {
        var text = ""
        for value in stride(from: UInt32(0x80), through: 0x10ffff, by: 97) {
            if let scalar = UnicodeScalar(value) { text.unicodeScalars.append(scalar) }
        }
        text.unicodeScalars.append("\u{10ffff}")
        let whole = entity("Whole", "$", slots: ["@"])
        let found = extract("\"\(text)\"", whole, sizes: [1021])
        #expect(found.rows == ["Whole#0000 0 1:1 $ | string:\(text)"])
    }

    @Test func depth() {
        let options = FeedOptions().with(maxDepth: 3)
        let reason = "more than 3 arrays and objects are nested here (see \"maxDepth\")"
        expect("[[[1]]]x", "1:8 @7: `x` is not JSON: a value or punctuation was expected", options: options)
        expect("[[\n[[1]]]]", "2:2 @4: " + reason, options: options)
        expect("{\"items\": [{\"a\": [1]}]}", "1:18 @17: " + reason, options: options)
        let deep = String(repeating: "[", count: 1024) + String(repeating: "]", count: 1024)
        #expect(extract(deep, entities[0]).failure == nil)
        #expect(extract("[\(deep)]", entities[0]).failure?.contains("@1024: more than 1024 ") == true)
    }

    @Test func length() {
        let options = FeedOptions().with(maxText: 10)
        let reason = "the value that begins here has more than 10 bytes (see \"maxText\")"
        let free = entity("Free", "$[*]", slots: ["@"])
        for text in ["\"0123456789\"", #""\u0041xxxx""#, "1234567890", "[1,2,[3,4]]"] {
            for chunk in [1, 4, 100] {
                let found = extract("[\(text)]", free, options: options.with(chunk: chunk))
                #expect(found.failure == nil)
            }
        }
        expect("[\"a\", \"0123456789a\"]", "1:7 @6: " + reason, options: options)
        expect(#"["\u0041xxxxy"]"#, "1:2 @1: " + reason, options: options)
        expect("[12345678901]", "1:2 @1: " + reason, options: options)
        expect("{\"0123456789a\": 1}", "1:2 @1: " + reason, options: options)
        expect("{\"items\":[{\n\"all\": [1,2,[3,4] ]}]}", "2:8 @19: " + reason, options: options)
    }

    @Test func failuresOfTheSourceAndOfTheReceiver() {
        let model = Model(entities: entities)
        let reader = FeedReader(model: model, source: 0, options: FeedOptions().with(batch: 1))
        var batch = RecordBatch(model: model)
        let broken = ChunkedBytes(Array("{\"items\": [".utf8), failure: Failure(.io, "gone"))
        #expect(throws: Failure(.io, "gone")) {
            try reader.read(broken, named: "feed", into: &batch) { full throws(Failure) in full }
        }
        let feed = ChunkedBytes(Array("{\"items\": [{}, {}]}".utf8))
        #expect(throws: Failure(.io, "enough")) {
            try reader.read(feed, named: "feed", into: &batch) { _ throws(Failure) in throw Failure(.io, "enough") }
        }
        #expect(batch.rowCount == 1)
    }
}
