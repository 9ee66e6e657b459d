import SluiceExtract
import SluiceRecords
import Testing

@testable import Sluice

/// A page is looked at until all is known that anybody asks for, and no further.
@Suite struct PageWatchTests {
    /// Reads a page in pieces of that many bytes.
    private func watch(
        _ page: [UInt8], _ place: String, piece: Int, keepsLists: Bool = false, while isWanted: @escaping () -> Bool
    ) throws -> PageWatch {
        let watch = PageWatch(
            ChunkedBytes(page, sizes: [piece]), [try Path.parse(place)], keepsLists: keepsLists, while: isWanted)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 1)
        defer { unsafe buffer.deallocate() }
        while try unsafe watch.read(into: buffer) > 0 {}
        return watch
    }

    /// Where all of a page is looked at, a later member of the same name takes the place of an earlier one.
    @Test(arguments: [
        (#"{"a": {"b": 1}, "a": [1, 2]}"#, MemberScanner.Value.object(isEmpty: false)),
        (#"{"a": null, "b": 1, "a": [1, 2]}"#, .null), (#"{"a": "x", "b": 1, "a": [1, 2]}"#, .text("x")),
        (#"{"a": [1], "b": 1, "a": {}}"#, .list(isEmpty: false)),
    ])
    func whatIsNoListIsKnownAtOnce(page: String, value: MemberScanner.Value) throws {
        let watch = try watch(Array(page.utf8), "$.a", piece: 1, keepsLists: true) { true }
        #expect(watch.values == [value])
        #expect(watch.lists == [value == .list(isEmpty: false) ? Array("[1]".utf8) : nil])
    }

    @Test func whatNobodyAsksForIsNotLookedAt() throws {
        let page = Array(#"{"b": 1, "a": [1]}"#.utf8)
        for most in [2, 100] {
            var left = most
            let watch = try watch(page, "$.a", piece: 4) {
                left -= 1
                return left >= 0
            }
            #expect(watch.values == [most == 2 ? .absent : .list(isEmpty: false)])
        }
    }
}
