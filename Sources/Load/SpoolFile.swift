import Glibc
import Records

/// A temporary file that is written from start to end, then read from start to end. It has no name: it goes when it is
/// closed, however the process ends.
@safe
final class SpoolFile {
    private static let bufferSize = 1 << 18
    /// Ten bytes hold any 64-bit number at seven bits a byte.
    private static let longestNumber = 10

    private let descriptor: Int32
    private let buffer: UnsafeMutablePointer<UInt8>
    /// Bytes in the buffer: written ones, or those that were read.
    private var filled = 0
    /// The next byte to be read from the buffer.
    private var next = 0

    init() throws(Failure) {
        unsafe buffer = .allocate(capacity: SpoolFile.bufferSize)
        descriptor = try SpoolFile.open()
    }

    deinit {
        close(descriptor)
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

    func write(byte: UInt8) throws(Failure) {
        try makeRoom(1)
        unsafe buffer[filled] = byte
        filled += 1
    }

    /// A number at seven bits a byte, the lowest first (LEB128).
    func write(_ number: UInt64) throws(Failure) {
        try makeRoom(SpoolFile.longestNumber)
        var rest = number
        while rest >= 0x80 {
            unsafe buffer[filled] = UInt8(truncatingIfNeeded: rest) | 0x80
            filled += 1
            rest >>= 7
        }
        unsafe buffer[filled] = UInt8(rest)
        filled += 1
    }

    func write(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws(Failure) {
        if count > SpoolFile.bufferSize / 2 {
            try flush()
            try unsafe writeFully(bytes, count)
            return
        }
        try makeRoom(count)
        unsafe (buffer + filled).update(from: bytes, count: count)
        filled += count
    }

    /// Ends writing; the next read starts at the first byte.
    func rewind() throws(Failure) {
        try flush()
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw ioFailure("a temporary file cannot be read", .io) }
        next = 0
    }

    private func makeRoom(_ count: Int) throws(Failure) {
        if filled + count > SpoolFile.bufferSize { try flush() }
    }

    private func flush() throws(Failure) {
        try unsafe writeFully(buffer, filled)
        filled = 0
    }

    private func writeFully(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws(Failure) {
        var done = 0
        while done < count {
            let written = unsafe Glibc.write(descriptor, bytes + done, count - done)
            if written < 0 {
                if errno == EINTR { continue }
                throw ioFailure("a temporary file cannot be written", .io)
            }
            done += written
        }
    }

    // MARK: Reading

    /// The next byte, or nil at the end.
    func readByte() throws(Failure) -> UInt8? {
        if next == filled, try !refill() { return nil }
        let byte = unsafe buffer[next]
        next += 1
        return byte
    }

    func readNumber() throws(Failure) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try requireByte()
            number |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 == 0 { return number }
            shift += 7
        }
    }

    func read(into target: UnsafeMutablePointer<UInt8>, _ count: Int) throws(Failure) {
        var done = 0
        while done < count {
            if next == filled, try !refill() { throw SpoolFile.cutShort }
            let part = min(count - done, filled - next)
            unsafe (target + done).update(from: buffer + next, count: part)
            next += part
            done += part
        }
    }

    func requireByte() throws(Failure) -> UInt8 {
        guard let byte = try readByte() else { throw SpoolFile.cutShort }
        return byte
    }

    private static var cutShort: Failure { Failure(.io, "a temporary file ended too early") }

    private func refill() throws(Failure) -> Bool {
        next = 0
        filled = 0
        while true {
            let count = unsafe Glibc.read(descriptor, buffer, SpoolFile.bufferSize)
            if count < 0 {
                if errno == EINTR { continue }
                throw ioFailure("a temporary file cannot be read", .io)
            }
            filled = count
            return count > 0
        }
    }
}

/// A failure with the reason that the system gives in `errno`.
func ioFailure(_ sentence: String, _ kind: Failure.Kind) -> Failure {
    let reason = unsafe String(cString: strerror(errno))
    return Failure(kind, "\(sentence): \(reason)")
}
