import SluiceRecords
import Testing

@testable import SluiceStorePostgreSQL

/// Which documents are too deep for a server: those with one level more than it takes.
@Suite struct JSONDepthTests {
    private func exceeds(_ limit: Int, _ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let cell = Cell(kind: .json, payload: 0, length: UInt32(bytes.count))
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe JSONDepth.exceeds(limit, cell, buffer.baseAddress.unsafelyUnwrapped)
        }
    }

    @Test(arguments: [
        ("[[[1, 2, 3]]]", 3), (#"{"a": [{"b": "deep enough"}], "c": [[1]]}"#, 3), (#"["[[[[ \" [[[", [2, 3]]"#, 2),
        ("[[], [], [[]], {}]", 3),
    ])
    func isCounted(_ text: String, _ depth: Int) {
        #expect(!exceeds(depth, text))
        #expect(exceeds(depth - 1, text))
    }
}
