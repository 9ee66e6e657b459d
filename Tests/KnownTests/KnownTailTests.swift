import Testing

@testable import SluiceKnown

/// What fingerprints say besides their items is whole, or is not taken.
@Suite struct KnownTailTests {
    private let tail: KnownTail = {
        var tail = KnownTail()
        tail.sources = [0..<3, 3..<9]
        tail.pairs = [(shape: 0, drift: 1), (shape: 1, drift: 0)]
        tail.drifts = [[], [DriftNote(entity: 1, kind: .repeated, records: 2, path: "städte[*]")]]
        tail.excluded = [[], [4, -1, .max]]
        return tail
    }()

    private var bytes: [UInt8] {
        var shapes = ShapeTable()
        defer { shapes.deallocate() }
        for shape: [UInt8] in [[1, 2, 3], []] {
            unsafe shape.withUnsafeBufferPointer { _ = unsafe shapes.number(of: $0) }
        }
        return tail.bytes(with: shapes)
    }

    @Test func isReadAsItWasWritten() throws {
        let read = try #require(KnownTail(bytes))
        #expect(read.sources == tail.sources && read.drifts == tail.drifts)
        #expect((0..<read.shapes.count).map { Array(read.shapes[$0]) } == [[1, 2, 3], []])
        #expect(read.excluded == tail.excluded)
        #expect(read.pairs.map(\.shape) == [0, 1] && read.pairs.map(\.drift) == [1, 0])
    }

    @Test func endsNowhereElse() {
        let bytes = bytes
        for count in 0..<bytes.count { #expect(KnownTail(Array(bytes[..<count])) == nil, "\(count) bytes") }
    }
}
