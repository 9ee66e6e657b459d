import Glibc
import SluicePosix
import SluiceRecords

/// The file that takes the findings of a run, a line each.
///
/// What stood under its name stays there until the run has ended: the findings grow in a file without a name beside it,
/// which then takes its place at once. Who reads the file sees all findings of one run, never a part. A pipe or a
/// device is written as the findings come, and must have a reader by then; `-` is standard output.
package final class FindingsFile {
    private enum Target {
        /// Written in place.
        case direct
        /// Has no name, and is copied over a file that is open already.
        case copied(to: CInt)
        /// Has no name yet.
        case nameless
        /// Has this name until it takes its own.
        case beside(String)
        /// Has no name, and is sent elsewhere.
        case sent((CInt, UInt64) throws(Failure) -> Void)
    }

    private static let bufferSize = 1 << 16
    /// How often a named pipe is tried, ten times a second.
    private static let pipeAttempts = 10

    package let path: String
    private let descriptor: CInt
    /// Whether to give up a reader that takes nothing.
    private let isStopped: () -> Bool
    private var target: Target
    private var buffer: [UInt8] = []
    /// Why nothing more is written.
    private(set) var failure: Failure?
    /// Whether the reader of a pipe went away: no reason to fail.
    private var isAbandoned = false

    /// - Parameter isStopped: asked while a pipe takes nothing: whether the run is to end.
    package init(_ path: String, isStopped: @escaping () -> Bool = { false }) throws(Failure) {
        self.isStopped = isStopped
        guard path != "-" else {
            guard StandardStreams.hasOutput else {
                throw Failure(.io, "the findings cannot be written: standard output is closed")
            }
            (self.path, descriptor, target) = ("standard output", fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), .direct)
            return
        }
        (self.path, descriptor, target) = try FindingsFile.open(path, isStopped)
    }

    /// Findings that are sent elsewhere as a whole.
    ///
    /// - Parameters:
    ///   - name: where they go.
    ///   - send: is given an open file, and its size, when they are to get their name.
    package init(
        sentTo name: String, _ send: @escaping (CInt, UInt64) throws(Failure) -> Void
    ) throws(Failure) {
        isStopped = { false }
        let scratch = try TemporaryFile("the findings")
        (path, descriptor, target) = (name, fcntl(scratch.descriptor, F_DUPFD_CLOEXEC, 3), .sent(send))
        guard descriptor >= 0 else { throw FindingsFile.failure(name, .io) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if case .beside(let name) = target { _ = unsafe unlink(name) }
        if case .copied(let original) = target { close(original) }
    }

    /// Whether what is written can be read at once, and not taken back.
    package var isWrittenInPlace: Bool {
        if case .direct = target { return true }
        return false
    }

    /// Appends a line. What goes wrong is remembered, see ``check()``.
    func write(_ line: String) {
        buffer += line.utf8
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= FindingsFile.bufferSize { flush() }
    }

    /// Throws what has gone wrong so far.
    func check() throws(Failure) {
        if let failure { throw failure }
    }

    /// Writes what is still in memory.
    package func finish() throws(Failure) {
        flush()
        try check()
    }

    /// Gives the file its name, in place of what had it.
    package func publish() throws(Failure) {
        try finish()
        switch target {
        case .direct: return
        case .copied(let original):
            target = .direct
            try copy(to: original)
        case .nameless:
            let name = path + ".sluice-new"
            _ = unsafe unlink(name)
            let link = "/proc/self/fd/\(descriptor)"
            guard unsafe linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
                throw FindingsFile.failure(path, .uncreatable)
            }
            target = .beside(name)
            try rename(name)
        case .beside(let name): try rename(name)
        case .sent(let send): try send(descriptor, UInt64(max(lseek(descriptor, 0, SEEK_END), 0)))
        }
        target = .direct
    }

    private func rename(_ name: String) throws(Failure) {
        guard unsafe Glibc.rename(name, path) == 0 else { throw FindingsFile.failure(path, .uncreatable) }
    }

    private func copy(to original: CInt) throws(Failure) {
        defer { close(original) }
        let size = lseek(descriptor, 0, SEEK_END)
        var offset = off_t(0)
        while offset < size {
            let count = unsafe sendfile(original, descriptor, &offset, Int(size - offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FindingsFile.failure(path, .io) }
        }
        guard ftruncate(original, size) == 0 else { throw FindingsFile.failure(path, .io) }
    }

    private func flush() {
        if failure == nil, !isAbandoned, !put(buffer) {
            switch errno {
            case EPIPE: isAbandoned = true
            case ECANCELED: failure = Failure(.cancelled, "the run was cancelled")
            default: failure = FindingsFile.failure(path, .io)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private func put(_ bytes: [UInt8]) -> Bool {
        guard case .direct = target else { return writeAll(bytes, to: descriptor) }
        return writeAll(bytes, to: descriptor, unless: isStopped)
    }

    // MARK: Opening

    private static func open(
        _ path: String, _ isStopped: () -> Bool
    ) throws(Failure) -> (String, CInt, Target) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw failure(path, .uncreatable) }
            return try create(path, mode: nil)
        }
        if status.st_mode & S_IFMT == S_IFIFO { return (path, try openPipe(path, isStopped), .direct) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            return (path, try opened(path, O_WRONLY | O_NONBLOCK, path), .direct)
        }
        // A file that may not be written is not to be replaced, either.
        guard unsafe access(path, W_OK) == 0 else { throw failure(path, .uncreatable) }
        return try create(FilePath.real(path) ?? path, mode: status.st_mode & 0o777)
    }

    /// Opens what is to become a file, with the permissions of the one that it replaces.
    private static func create(_ path: String, mode: mode_t?) throws(Failure) -> (String, CInt, Target) {
        let nameless = openNameless(in: FilePath.folder(path), O_WRONLY, mode: 0o666)
        if nameless >= 0, unsafe access("/proc/self/fd/\(nameless)", F_OK) == 0 {
            if let mode { _ = fchmod(nameless, mode) }
            return (path, nameless, .nameless)
        }
        if nameless >= 0 { close(nameless) }
        let name = path + ".sluice-new"
        // What a run that died has left, or someone else has put there, is not written to.
        _ = unsafe unlink(name)
        let beside = unsafe Glibc.open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        if beside >= 0 {
            if let mode { _ = fchmod(beside, mode) }
            return (path, beside, .beside(name))
        }
        // In a folder that takes no new files, a file that is there can still be written.
        guard mode != nil else { throw failure(path, .uncreatable) }
        let scratch = try TemporaryFile()
        return (path, fcntl(scratch.descriptor, F_DUPFD_CLOEXEC, 3), .copied(to: try opened(path, O_WRONLY, path)))
    }

    /// Opens a named pipe, whose reader may come at the same time: to wait for one that never comes would hold the store.
    private static func openPipe(_ path: String, _ isStopped: () -> Bool) throws(Failure) -> CInt {
        for attempt in 0... {
            let descriptor = unsafe Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFL, 0)
                return descriptor
            }
            guard errno == ENXIO, !isStopped() else { throw failure(path, .uncreatable) }
            if attempt == pipeAttempts { break }
            usleep(100_000)
        }
        throw Failure(.uncreatable, "the findings \(path) cannot be written: nobody reads this pipe")
    }

    private static func opened(_ name: String, _ flags: CInt, _ path: String) throws(Failure) -> CInt {
        let descriptor = unsafe Glibc.open(name, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, .uncreatable) }
        return descriptor
    }

    private static func failure(_ path: String, _ kind: Failure.Kind) -> Failure {
        Failure(kind, "the findings \(path) cannot be written", errno: errno)
    }
}
