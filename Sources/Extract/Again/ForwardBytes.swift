import SluiceRecords

/// The bytes of a feed that is read again, with gaps: only the bytes that are requested are examined.
@safe
final class ForwardBytes {
    private let source: any ByteSource
    private let buffer: UnsafeMutableRawBufferPointer
    /// The offset of the first of the bytes at hand.
    private(set) var origin: UInt64 = 0
    /// How many are at hand.
    private(set) var count = 0

    init(_ source: any ByteSource) {
        self.source = source
        unsafe buffer = .allocate(byteCount: 1 << 16, alignment: 16)
    }

    deinit { unsafe buffer.deallocate() }

    var end: UInt64 { origin + UInt64(count) }
    /// The first of the bytes at hand.
    var base: UnsafePointer<UInt8> {
        // The buffer is not empty.
        unsafe UnsafePointer(buffer.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self))
    }

    /// Whether a byte can still be had.
    func canReach(_ offset: UInt64) -> Bool { offset >= origin }

    /// Moves on until a byte is at hand; false if the feed ends before.
    func move(to offset: UInt64) throws(Failure) -> Bool {
        // What is not compressed need not be read to be skipped.
        if offset > end, let file = source as? FileBytes {
            _ = try file.seek(file.start + Int(offset), 0)
            origin = offset
            count = 0
        }
        while offset >= end {
            if try !readOn() { return false }
        }
        return true
    }

    /// Replaces what is at hand by what follows; false at the end.
    func readOn() throws(Failure) -> Bool {
        origin = end
        count = 0
        count = try unsafe source.read(into: buffer)
        return count > 0
    }
}
