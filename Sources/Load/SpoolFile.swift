import Glibc
import Records

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
    private var descriptor: Int32?
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity = SpoolFile.firstCapacity
    /// Bytes in the buffer: written ones, or those that were read.
    private var filled = 0
    /// The next byte to be read from the buffer.
    private var next = 0

    init() { unsafe buffer = .allocate(capacity: SpoolFile.firstCapacity) }

    deinit {
        if let descriptor { close(descriptor) }
        unsafe buffer.deallocate()
    }

    /// `$TMPDIR` or `/var/tmp`, as SQLite does: `/tmp` is often memory.
    private static func open() throws(Failure) -> Int32 {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
        // O_TMPFILE, a macro that Swift does not import: a file that never has a name.
        let temporary = 0o20_000_000 | O_DIRECTORY
        let anonymous = unsafe Glibc.open(folder, temporary | O_RDWR | O_CLOEXEC, 0o600)
        if anonymous >= 0 { return anonymous }
        var template = Array("\(folder)/sluice-XXXXXX".utf8CString)
        let named = unsafe mkstemp(&template)
        guard named >= 0 else { throw ioFailure("a temporary file in \(folder) cannot be created", .uncreatable) }
        _ = unsafe unlink(template)
        _ = fcntl(named, F_SETFD, FD_CLOEXEC)
        return named
    }

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
        guard let descriptor else { return }
        try flush()
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw ioFailure("a temporary file cannot be read", .io) }
    }

    private func flush() throws(Failure) {
        let descriptor = try openedDescriptor()
        var done = 0
        while done < filled {
            let written = unsafe write(descriptor, buffer + done, filled - done)
            if written < 0 {
                if errno == EINTR { continue }
                throw ioFailure("a temporary file cannot be written", .io)
            }
            done += written
        }
        filled = 0
    }

    private func openedDescriptor() throws(Failure) -> Int32 {
        if let descriptor { return descriptor }
        let opened = try SpoolFile.open()
        descriptor = opened
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
        guard let descriptor else { return false }
        unsafe buffer.update(from: buffer + next, count: filled - next)
        filled -= next
        next = 0
        if count > capacity { grow(to: count) }
        while filled < count {
            let received = unsafe read(descriptor, buffer + filled, capacity - filled)
            if received < 0 {
                if errno == EINTR { continue }
                throw ioFailure("a temporary file cannot be read", .io)
            }
            if received == 0 { return false }
            filled += received
        }
        return true
    }
}

/// A failure with the reason that the system gives in `errno`.
func ioFailure(_ sentence: String, _ kind: Failure.Kind) -> Failure {
    let reason = unsafe String(cString: strerror(errno))
    return Failure(kind, "\(sentence): \(reason)")
}
