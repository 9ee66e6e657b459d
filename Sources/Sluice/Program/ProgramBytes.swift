import SluiceExtract
import SluiceRecords

/// The bytes of a feed that the program gives, for a thread that waits for them.
final class ProgramBytes: ByteSource {
    private let handoff: Handoff<[UInt8]>
    private var piece: ArraySlice<UInt8> = []
    private(set) var consumed = 0

    init(_ handoff: Handoff<[UInt8]>) { self.handoff = handoff }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while piece.isEmpty {
            guard let next = try handoff.next() else { return 0 }
            piece = next[...]
        }
        let taken = piece.prefix(buffer.count)
        unsafe buffer.copyBytes(from: taken)
        piece = piece.dropFirst(taken.count)
        consumed += taken.count
        return taken.count
    }
}
