import SluicePosix
import SluiceRecords

/// A temporary file of rows: written from the first to the last, then read in the same order. It has no name: it goes
/// when it is closed, however the process ends.
///
/// There is no file before one buffer is full: a model may have thousands of entities, a process may not have as many
/// open files, and most entities keep a few rows.
@safe
final class SpoolFile {
    private static let firstCapacity = 1 << 12
    private static let usualCapacity = 1 << 18
    /// Each row is preceded by its length, as a 32-bit number.
    private static let headerBytes = 4

    /// nil: all rows are in the buffer.
    private var file: TemporaryFile?
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity = SpoolFile.firstCapacity
    /// Bytes in the buffer: written ones, or those that were read.
    private var filled = 0
    /// The next byte to be read from the buffer.
    private var next = 0

    init() { unsafe buffer = .allocate(capacity: SpoolFile.firstCapacity) }

    deinit { unsafe buffer.deallocate() }

    // MARK: Writing

    /// Room for a row of up to `bytes` bytes; to be followed by `endRow`.
    func beginRow(_ bytes: Int) throws(Failure) -> UnsafeMutablePointer<UInt8> {
        let needed = bytes + SpoolFile.headerBytes
        if filled + needed > capacity { try makeRoom(needed) }
        return unsafe buffer + (filled + SpoolFile.headerBytes)
    }

    /// Ends the row at the byte behind its last.
    func endRow(_ end: UnsafeMutablePointer<UInt8>) {
        let start = unsafe buffer + filled
        let length = unsafe end - start - SpoolFile.headerBytes
        unsafe UnsafeMutableRawPointer(start).storeBytes(of: UInt32(length), as: UInt32.self)
        filled += SpoolFile.headerBytes + length
    }

    /// Grows the buffer as far as is usual, and writes it out from then on.
    private func makeRoom(_ needed: Int) throws(Failure) {
        if filled + needed > SpoolFile.usualCapacity { try flush() }
        if filled + needed <= capacity { return }
        grow(to: max(filled + needed, min(2 * capacity, SpoolFile.usualCapacity)))
    }

    /// Ends writing; the next row to be read is the first.
    func rewind() throws(Failure) {
        next = 0
        guard let file else { return }
        try flush()
        try file.rewind()
    }

    private func flush() throws(Failure) {
        let file = try openedFile()
        try unsafe file.append(UnsafeRawBufferPointer(start: buffer, count: filled))
        filled = 0
    }

    private func openedFile() throws(Failure) -> TemporaryFile {
        if let file { return file }
        let opened = try TemporaryFile()
        file = opened
        return opened
    }

    private func grow(to needed: Int) {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: needed)
        unsafe larger.update(from: buffer, count: filled)
        unsafe buffer.deallocate()
        unsafe buffer = larger
        capacity = needed
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
        guard let file else { return false }
        unsafe buffer.update(from: buffer + next, count: filled - next)
        filled -= next
        next = 0
        if count > capacity { grow(to: count) }
        filled += try unsafe file.read(
            into: UnsafeMutableRawBufferPointer(start: buffer + filled, count: capacity - filled))
        return filled >= count
    }
}
