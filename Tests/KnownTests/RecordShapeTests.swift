import SluiceRecords
import Testing

@testable import SluiceKnown

/// What a shape says of a record is what was packed into it.
@Suite struct RecordShapeTests {
    private static let all: [UInt8] = [0, 1, 6] + Array(CellKind.yes.rawValue...CellKind.brokenString.rawValue)

    @Test(arguments: 0..<24) func kindsAreThoseThatWerePacked(count: Int) throws {
        let kinds = (0..<count).map { Self.all[($0 * 7 + count) % Self.all.count] }
        let held: [UInt8] = [3, 255]
        var bytes: [UInt8] = [5, 1, count & 1 == 1 ? PackedKind.odd : PackedKind.even, 1, 4, 3, 2, 1] + kinds
        let packed = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe PackedKind.pack($0 + RecordShape.headBytes, count) } ?? 0
        }
        bytes = bytes.prefix(RecordShape.headBytes + packed) + held
        let shape = try #require(RecordShape(bytes[...]) { $0 == 0x105 ? held.count : nil })
        #expect(shape.kinds == kinds && Array(shape.held) == held && shape.counts)
        #expect(shape.entity == 0x105 && shape.isPartial && shape.paths == 0x01_02_03_04)
    }

    @Test func whatDoesNotCountHasNoKinds() throws {
        let shape = try #require(RecordShape([0, 0, 0, 0, 1, 0, 0, 0]) { _ in 2 })
        #expect(shape.kinds.isEmpty && shape.held.isEmpty && !shape.counts)
        #expect(RecordShape([0, 0, 1, 0, 1, 0, 0, 0, 7]) { _ in 2 } == nil)
    }
}
