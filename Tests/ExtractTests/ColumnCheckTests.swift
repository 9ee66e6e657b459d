import SluiceRecords
import Testing

@testable import SluiceExtract

/// What a document says of the columns of its records is compared, however its bytes come.
struct ColumnCheckTests {
    /// Bytes that come so many at a time.
    private final class Pieces: ByteSource {
        private var rest: ArraySlice<UInt8>
        private let most: Int

        init(_ text: String, _ most: Int) {
            rest = Array(text.utf8)[...]
            self.most = most
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let next = rest.prefix(min(most, buffer.count))
            unsafe buffer.copyBytes(from: next)
            rest = rest.dropFirst(next.count)
            return next.count
        }
    }

    /// What is wrong with a document; nil: nothing.
    private func fault(_ path: String, _ names: [String?], in text: String, piece: Int) throws -> String? {
        let check = ColumnCheck(
            Pieces(text, piece), [NamedColumns(path: try Path.parse(path), names: names)], named: "f.json")
        var buffer = [UInt8](repeating: 0, count: 64)
        do throws(Failure) {
            while try unsafe buffer.withUnsafeMutableBytes({ memory in
                Result { () throws(Failure) in try unsafe check.read(into: memory) }
            }).get() > 0 {}
            try check.finish()
            return nil
        } catch {
            #expect(error.kind == .data)
            return error.message
        }
    }

    private func expect(
        _ path: String, _ names: [String?], in text: String, _ words: String?,
        _ place: SourceLocation = #_sourceLocation
    ) throws {
        for piece in [1, 2, 3, 7, 1000] {
            let found = try fault(path, names, in: text, piece: piece)
            if let words {
                #expect(found?.contains(words) == true, "\(found ?? "nothing"), by \(piece)", sourceLocation: place)
            } else {
                #expect(found == nil, "by \(piece)", sourceLocation: place)
            }
        }
    }

    @Test func texts() throws {
        let text = #"{ "data": [["fields", 1]], "fields": ["id", "na\u006de", 2024, null], "n": {"fields": []} }"#
        try expect("$.fields[*]", ["id", "name"], in: text, nil)
        try expect("$.fields[*]", ["id", nil, "2024", nil], in: text, nil)
        try expect("$.fields[*]", ["id", "2024"], in: text, #"column [1] of `$.fields[*]` is "name", and not "2024""#)
        try expect("$.fields[*]", ["id", "name", nil, "x"], in: text, "column [3] of `$.fields[*]` is not there")
        try expect("$.fields[*]", [nil, nil, nil, nil, "x"], in: text, "column [4] of `$.fields[*]` is not there")
        try expect("$.field[*]", ["id"], in: text, "there is no list at `$.field[*]`")
        try expect("$.n[*]", ["id"], in: text, "there is no list at `$.n[*]`")
    }

    @Test func textsInObjects() throws {
        let text = #"{"meta": {"columns": [{"name": "a]b"}, {"name": {"en": "b"}}, {"nam": "c"}]}, "rows": []}"#
        try expect("$.meta.columns[*].name", ["a]b"], in: text, nil)
        try expect("$.meta.columns[*].name", ["a]b", "b"], in: text, "column [1] of `$.meta.columns[*].name` is not")
        try expect("$.meta.columns[*].name.en", [nil, "b"], in: text, nil)
        try expect("$.meta.columns[*].name", [nil, nil, "c"], in: text, "column [2]")
    }

    @Test func theFirstOfTheRecords() throws {
        let text = #"[["NAME", "pop"], ["Alabama", "5"], ["Alaska", "1"]]"#
        try expect("$[0][*]", ["NAME", "pop"], in: text, nil)
        try expect("$[0][*]", ["pop"], in: text, #"column [0] of `$[0][*]` is "NAME""#)
        try expect("$[0][*]", ["NAME"], in: "[]", "there is no list")
    }

    @Test func aListWithoutEnd() throws {
        let text = #"{"fields": ["\#(String(repeating: "x", count: MemberScanner.mostOfList))"], "a": 1}"#
        #expect(try fault("$.fields[*]", ["x"], in: text, piece: 1000)?.contains("is longer than 1 MiB") == true)
    }

    /// However the bytes come, the same one counts.
    @Test func theFirstOfTwoLists() throws {
        let text = #"{"fields": ["id", "name"], "fields": ["name", "id"], "data": [["a", 1]]}"#
        try expect("$.fields[*]", ["id", "name"], in: text, nil)
        try expect("$.fields[*]", ["name", "id"], in: text, #"column [0] of `$.fields[*]` is "id""#)
        try expect("$.fields[*]", ["id"], in: #"{"fields": null, "fields": ["id"]}"#, nil)
    }
}
