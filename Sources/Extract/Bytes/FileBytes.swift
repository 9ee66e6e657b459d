import Glibc
import SluicePosix
import SluiceRecords

/// The bytes of a file, or of standard input, as they are.
final class FileBytes: EncodedBytes {
    /// As the user named it.
    let name: String
    /// Whether `seek` works: not for pipes and terminals.
    let isSeekable: Bool
    /// Which file it is, and what it was like, if it can be read a second time.
    let state: FileState?
    /// Where reading began: standard input may be a file that someone has read a part of.
    let start: Int
    /// Where it ends before the file does.
    private let end: Int?

    private let descriptor: CInt
    /// Where the next byte is, if the file's own position is not to be used.
    private var position: Int?
    /// Called now and then while a pipe gives nothing, with the seconds since it was asked.
    private let whileSilent: (Double) throws(Failure) -> Void
    /// Bytes read so far.
    private(set) var consumed = 0
    /// Bytes that were looked at and are still to be read.
    private var peeked: [UInt8] = []

    /// - Parameter whileSilent: called now and then while a pipe gives nothing, with the seconds since it was asked;
    ///   what it throws ends the reading.
    init(
        _ path: String, whileSilent: @escaping (Double) throws(Failure) -> Void = { _ throws(Failure) in }
    ) throws(Failure) {
        name = path
        end = nil
        self.whileSilent = whileSilent
        descriptor = path == "-" ? STDIN_FILENO : FileBytes.open(path)
        guard descriptor >= 0 else {
            (isSeekable, state, start) = (false, nil, 0)
            throw FileBytes.failure("opened", path, errno)
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let code = errno
            if descriptor != STDIN_FILENO { close(descriptor) }
            throw FileBytes.failure("read", path, code)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            if descriptor != STDIN_FILENO { close(descriptor) }
            throw Failure(.missing, "\(path) is a directory, not a feed")
        }
        start = Int(lseek(descriptor, 0, SEEK_CUR))
        isSeekable = status.st_mode & S_IFMT == S_IFREG && start >= 0
        state = isSeekable ? FileState(status) : nil
    }

    /// Opens a file, also a named pipe that nobody writes to yet: it is waited for when it is read.
    private static func open(_ path: String) -> CInt {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return descriptor }
        // Reading itself may block: there is something by then.
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
        return descriptor
    }

    /// Waits until there is something to read, or the end.
    private func awaitBytes() throws(Failure) {
        let start = Monitor.now
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&request, 1, FileBytes.pause) <= 0 { try whileSilent(Monitor.now - start) }
    }

    /// Milliseconds from one look at a silent pipe to the next.
    private static let pause: CInt = 100

    /// The bytes of a file that is open, which is closed in the end, from a place on, and to `end`, or to its own end;
    /// nil if it is not open. Other readers are not disturbed.
    init?(descriptor: CInt, name: String, start: Int, end: Int? = nil) {
        self.name = name
        self.start = start
        self.end = end
        whileSilent = { _ throws(Failure) in }
        self.descriptor = descriptor
        position = start
        isSeekable = true
        state = nil
        guard descriptor >= 0 else { return nil }
    }

    /// Another reader of the same open file, from the same place on.
    func again() -> FileBytes? {
        FileBytes(descriptor: fcntl(descriptor, F_DUPFD_CLOEXEC, 3), name: name, start: start)
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// The next bytes, as many as there are up to `count`, without reading them.
    func peek(_ count: Int) throws(Failure) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        while peeked.count < count {
            let got = try readDescriptor(into: count - peeked.count, of: &buffer)
            if got == 0 { break }
            peeked += buffer.prefix(got)
        }
        return peeked
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard !peeked.isEmpty else { return try unsafe readDescriptor(into: buffer) }
        let count = min(peeked.count, buffer.count)
        unsafe buffer.copyBytes(from: peeked.prefix(count))
        peeked.removeFirst(count)
        return count
    }

    /// Moves to another place, and returns its offset.
    func seek(_ offset: Int, _ whence: CInt) throws(Failure) -> Int {
        // Relative to what has been handed out, which is less than what has been read.
        let distance = whence == SEEK_CUR ? offset - peeked.count : offset
        if let position, whence != SEEK_END {
            peeked.removeAll()
            self.position = whence == SEEK_CUR ? position + distance : distance
            return self.position ?? 0
        }
        let place = lseek(descriptor, distance, whence)
        guard place >= 0 else { throw FileBytes.failure("read", name, errno) }
        peeked.removeAll()
        if position != nil { position = place }
        return place
    }

    private func readDescriptor(into count: Int, of buffer: inout [UInt8]) throws(Failure) -> Int {
        // `withUnsafeMutableBytes` would lose the type of what is thrown.
        let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(Failure) in
                try unsafe readDescriptor(into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
            }
        }
        return try outcome.get()
    }

    private func readDescriptor(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while true {
            if !isSeekable { try awaitBytes() }
            let got =
                if let position {
                    unsafe pread(
                        descriptor, buffer.baseAddress, min(buffer.count, max(0, (end ?? .max) - position)), position)
                } else {
                    unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                }
            if got >= 0 {
                if let position { self.position = position + got }
                consumed += got
                if got == 0 { try checkUnchanged() }
                return got
            }
            if errno != EINTR { throw FileBytes.failure("read", name, errno) }
        }
    }

    /// Throws where the file is not as it was when it was opened: what was read of it then is neither the one nor the
    /// other. One that has been replaced by another of its name, or lost its name, is still as it was.
    func checkUnchanged() throws(Failure) {
        guard let state else { return }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileBytes.failure("read", name, errno) }
        if FileState(status) != state { throw FileBytes.changed(name) }
    }

    static func changed(_ path: String) -> Failure {
        let name = path == "-" ? "standard input" : path
        return Failure(
            .data, "\(name) changed while it was read: let it be complete first, and get its name by a rename")
    }

    /// What a failed call means for the user.
    static func failure(_ action: String, _ path: String, _ code: CInt) -> Failure {
        let name = path == "-" ? "standard input" : path
        switch PathFault(errno: code) {
        case .missing: return Failure(.missing, "\(name) does not exist\(NearbyFile.suggestion(for: path))")
        case .refused: return Failure(.refused, "\(name) may not be read: \(Failure.reason(errno: code))")
        case .other: return Failure(.io, "\(name) cannot be \(action): \(Failure.reason(errno: code))")
        }
    }
}
