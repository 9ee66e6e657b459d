import SluiceRecords
import Testing

@testable import SluiceExtract

/// The scanner finds what a parser finds, however the bytes come.
struct MemberScannerTests {
    private func value(_ path: String, _ text: String, piece: Int) throws -> MemberScanner.Value {
        var scanner = MemberScanner(try Path.parse(path).steps)
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            unsafe bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { unsafe scanner.scan($0) }
        }
        scanner.finish()
        return scanner.value
    }

    /// What a parser finds at a path.
    private func expected(_ path: String, _ text: String) throws -> MemberScanner.Value {
        var node: JSONNode? = try JSONTree.read(Array(text.utf8), file: "x").root
        for step in try Path.parse(path).steps {
            switch (step, node?.kind) {
            case (.name(let name), .object(let members)?): node = members.last { $0.key == name }?.value
            case (.index(let index), .array(let elements)?):
                node = elements.indices.contains(index) ? elements[index] : nil
            case (.indexFromEnd(1), .array(let elements)?): node = elements.last
            default: node = nil
            }
        }
        switch node?.kind {
        case nil: return .absent
        case .null?: return .null
        case .boolean(let value)?: return .boolean(value)
        case .number(let text)?: return .number(text)
        case .string(let text)?: return .text(text)
        case .array(let elements)?: return .list(isEmpty: elements.isEmpty)
        case .object(let members)?: return .object(isEmpty: members.isEmpty)
        }
    }

    private static func random(_ depth: Int) -> String {
        let keys = ["a", "b", "c", "a\\\"b", "\\u0061", "}{", "ä"]
        let space = ["", " ", "\n\t"].randomElement() ?? ""
        switch Int.random(in: 0..<(depth > 3 ? 5 : 8)) {
        case 0: return "null"
        case 1: return ["true", "false"].randomElement() ?? ""
        case 2: return ["0", "-1.5e3", "17"].randomElement() ?? ""
        case 3: return [#""""#, #""x\\""#, #""a\"],:{""#, #""\u00e4\n""#, #""ä""#].randomElement() ?? ""
        case 4: return "{}"
        case 5:
            let elements = (0..<Int.random(in: 0..<4)).map { _ in random(depth + 1) }
            return "[\(space)\(elements.joined(separator: "\(space),"))\(space)]"
        default:
            let members = keys.shuffled().prefix(Int.random(in: 0..<5)).map {
                "\"\($0)\"\(space):\(space)\(random(depth + 1))"
            }
            return "{\(space)\(members.joined(separator: ",\(space)"))\(space)}"
        }
    }

    @Test(arguments: [
        "$.a", "$.b.c", "$[1]", "$.a[0].b", "$[0][1]", "$.a.a", "$['}{']", "$.c[2]", "$['ä'].a", "$[-1]", "$.b[-1].a",
        "$[-1][-1]",
        "$[-1][0]",
    ])
    func findsWhatAParserFinds(_ path: String) throws {
        for _ in 0..<600 {
            let text = MemberScannerTests.random(0)
            // Of a key that is there twice (`a` is also written as an escape), none is the right one.
            guard !text.contains("\\u0061") || !path.contains("a") else { continue }
            for piece in [1, 2, 5, 1000] {
                #expect(try value(path, text, piece: piece) == expected(path, text), "\(path) in \(text)")
            }
        }
    }

    @Test func escapedKeysAreKeys() throws {
        #expect(try value("$.a", #"{"\u0061": "x"}"#, piece: 3) == .text("x"))
    }

    @Test func theLastOfSeveralValuesCounts() throws {
        #expect(try value("$.a", "{\"a\":1}\n{\"b\":2}\n{\"a\":3}", piece: 4) == .number("3"))
    }

    /// It is there, whatever it is.
    @Test func halfOfAPairIsNoText() throws {
        #expect(try value("$.a", #"{"a":"x\ud800"}"#, piece: 3) == .broken)
        #expect(try value("$.a", #"{"a":"\ud83d\ude00"}"#, piece: 3) == .text("\u{1f600}"))
    }

    @Test func aMarkOfTheByteOrderIsNoValue() throws {
        #expect(try value("$", "\u{feff}[ 1]", piece: 1) == .list(isEmpty: false))
        #expect(try value("$", "\u{feff} { }", piece: 1) == .object(isEmpty: true))
    }

    @Test func aLongTextIsNotKept() throws {
        let text = "{\"a\":\"\(String(repeating: "x", count: 200_000))\",\"b\":2}"
        #expect(try value("$.a", text, piece: 1000) == .tooLong)
        #expect(try value("$.b", text, piece: 1000) == .number("2"))
    }

    /// Of a list that is too long, the rest is not looked at, though it has not ended.
    @Test func aLongListIsNotKept() throws {
        var scanner = MemberScanner(try Path.parse("$.a").steps, keepsList: true)
        let begun = Array("{\"a\":[".utf8)
        unsafe begun.withUnsafeBytes { unsafe scanner.scan($0) }
        #expect(!scanner.isDone)
        let more = [UInt8](repeating: UInt8(ascii: "1"), count: MemberScanner.mostOfList + 1)
        unsafe more.withUnsafeBytes { unsafe scanner.scan($0) }
        #expect(scanner.isDone && scanner.isListTooLong)
        #expect(scanner.list == nil && scanner.value == .list(isEmpty: false))
    }
}
