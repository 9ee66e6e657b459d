import SluicePosix
import SluiceRecords

/// Rows on disk: written from the first to the last, then read in the same order.
///
/// There is no file before one buffer is full: a model may have thousands of entities, a process may not have as many
/// open files, and most entities keep a few rows.
@safe
final class SpoolFile {
    private static let firstCapacity = 1 << 12
    /// Each row is preceded by its length, as a 32-bit number.
    private static let headerBytes = 4

    private let blocks: SpoolBlocks
    private let usualCapacity: Int
    /// Where in the file the rows are; none: all are in the buffer.
    private var places: [Range<Int>] = []
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity = SpoolFile.firstCapacity
    /// Bytes in the buffer: written ones, or those that were read.
    private var filled = 0
    /// The next byte to be read from the buffer.
    private var next = 0
    /// What is still to be read of the file: of one of the places, and all behind it. nil: rows are written.
    private var rest: (place: Int, offset: Int)?

    /// - Parameters:
    ///   - blocks: the file, which several may share.
    ///   - bufferBytes: what is written at once.
    init(_ blocks: SpoolBlocks = SpoolBlocks(), bufferBytes: Int = 1 << 18) {
        self.blocks = blocks
        usualCapacity = bufferBytes
        unsafe buffer = .allocate(capacity: SpoolFile.firstCapacity)
    }

    deinit { unsafe buffer.deallocate() }

    // MARK: Writing

    /// Room for a row of up to `bytes` bytes; to be followed by `endRow`.
    func beginRow(_ bytes: Int) throws(Failure) -> UnsafeMutablePointer<UInt8> {
        let needed = bytes + SpoolFile.headerBytes
        if filled + needed > capacity { try makeRoom(needed) }
        return unsafe buffer + (filled + SpoolFile.headerBytes)
    }

    /// Ends the row at the byte behind its last.
    func endRow(_ end: UnsafeMutablePointer<UInt8>) throws(Failure) {
        let start = unsafe buffer + filled
        let length = unsafe end - start - SpoolFile.headerBytes
        unsafe UnsafeMutableRawPointer(start).storeBytes(of: UInt32(length), as: UInt32.self)
        filled += SpoolFile.headerBytes + length
        if capacity <= usualCapacity { return }
        // A long row: there may be hundreds of spools, which all meet one.
        try flush()
        resize(to: usualCapacity)
    }

    /// Grows the buffer as far as is usual, and writes it out from then on.
    private func makeRoom(_ needed: Int) throws(Failure) {
        if filled + needed > usualCapacity { try flush() }
        if filled + needed <= capacity { return }
        resize(to: max(filled + needed, min(2 * capacity, usualCapacity)))
    }

    /// Ends writing; the next row to be read is the first.
    func rewind() throws(Failure) {
        if let meter = SpoolMeter.current {
            meter.add(places.reduce(0) { $0 + $1.count } + (rest == nil ? filled : 0))
        }
        next = 0
        if places.isEmpty { return }
        if rest == nil { try flush() }
        filled = 0
        rest = start(of: 0)
    }

    private func flush() throws(Failure) {
        if filled == 0 { return }
        let place = try unsafe blocks.append(UnsafeRawBufferPointer(start: buffer, count: filled))
        filled = 0
        if let last = places.last, last.upperBound == place.lowerBound {
            places[places.count - 1] = last.lowerBound..<place.upperBound
        } else {
            places.append(place)
        }
    }

    private func resize(to bytes: Int) {
        let other = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes)
        unsafe other.update(from: buffer, count: filled)
        unsafe buffer.deallocate()
        unsafe buffer = other
        capacity = bytes
    }

    // MARK: Reading

    /// The bytes of the next row, valid until the next call; nil at the end.
    func nextRow() throws(Failure) -> UnsafePointer<UInt8>? {
        guard try has(SpoolFile.headerBytes) else {
            if next == filled { return nil }
            throw Failure(.io, "a temporary file ended too early")
        }
        let header = unsafe UnsafeRawPointer(buffer + next)
        let length = Int(unsafe header.loadUnaligned(as: UInt32.self))
        guard try has(SpoolFile.headerBytes + length) else {
            throw Failure(.io, "a temporary file ended too early")
        }
        let row = unsafe buffer + (next + SpoolFile.headerBytes)
        next += SpoolFile.headerBytes + length
        return unsafe UnsafePointer(row)
    }

    /// Whether the buffer holds that many bytes from `next` on, after reading more if it must.
    private func has(_ count: Int) throws(Failure) -> Bool {
        if filled - next >= count { return true }
        if rest == nil { return false }
        unsafe buffer.update(from: buffer + next, count: filled - next)
        filled -= next
        next = 0
        if count > capacity { resize(to: count) }
        try readOn()
        return filled >= count
    }

    /// Fills the buffer with what follows in the file.
    private func readOn() throws(Failure) {
        while filled < capacity, let (place, offset) = rest, place < places.count {
            let end = min(places[place].upperBound, offset + capacity - filled)
            let bytes = unsafe UnsafeMutableRawBufferPointer(start: buffer + filled, count: end - offset)
            try unsafe blocks.read(into: bytes, at: offset)
            filled += end - offset
            rest = end < places[place].upperBound ? (place, end) : start(of: place + 1)
        }
    }

    private func start(of place: Int) -> (place: Int, offset: Int) {
        (place, place < places.count ? places[place].lowerBound : 0)
    }
}
