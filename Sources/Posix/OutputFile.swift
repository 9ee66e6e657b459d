import Glibc
import SluiceRecords

/// A file that takes what a command puts out, opened before there is anything, so that one that cannot be written is
/// known early.
///
/// What stood under its name stays there until all is written: the new bytes go to a file without a name beside it,
/// which then takes its place at once. Who reads the file sees the old or the new, never a part. A pipe or a device is
/// written in place, and must have a reader by then; `-` is standard output.
package final class OutputFile {
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

    /// How often a named pipe is tried, ten times a second.
    private static let pipeAttempts = 10
    private static let ending = ".sluice-new"

    /// What the file is to the user, with its name, for messages.
    package let name: String
    /// As it was given, or what that leads to.
    package let path: String
    private let descriptor: CInt
    private var target: Target

    /// - Parameters:
    ///   - role: what the file is to the user: `findings`.
    ///   - isStopped: asked while nobody reads a pipe: whether to give it up.
    /// - Throws: `uncreatable` where it cannot be written; `io` where standard output is closed.
    package init(_ path: String, role: String, isStopped: () -> Bool = { false }) throws(Failure) {
        guard path != "-" else {
            guard StandardStreams.hasOutput else {
                throw Failure(.io, "the \(role) cannot be written: standard output is closed")
            }
            (self.path, name) = ("standard output", "the \(role) standard output")
            (descriptor, target) = (fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), .direct)
            return
        }
        name = "the \(role) \(path)"
        (self.path, descriptor, target) = try OutputFile.open(path, name, isStopped)
    }

    /// What is sent elsewhere as a whole.
    ///
    /// - Parameters:
    ///   - place: where it goes.
    ///   - send: is given an open file, and its size, when the file is to get its name.
    package init(
        sentTo place: String, role: String, _ send: @escaping (CInt, UInt64) throws(Failure) -> Void
    ) throws(Failure) {
        name = "the \(role) \(place)"
        let scratch = try TemporaryFile("the \(role)")
        (path, descriptor, target) = (place, fcntl(scratch.descriptor, F_DUPFD_CLOEXEC, 3), .sent(send))
        guard descriptor >= 0 else { throw failure(.io) }
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

    /// Writes at the end of what is written; false, with `errno`, where that fails, `ECANCELED` where it is given up.
    ///
    /// - Parameter isStopped: asked while a pipe takes nothing.
    package func write(_ bytes: [UInt8], unless isStopped: () -> Bool = { false }) -> Bool {
        guard case .direct = target else { return writeAll(bytes, to: descriptor) }
        return writeAll(bytes, to: descriptor, unless: isStopped)
    }

    /// Gives the file its name, in place of what had it.
    package func publish() throws(Failure) {
        let done = target
        target = .direct
        switch done {
        case .direct: return
        case .copied(let original): try copy(to: original)
        case .nameless:
            let new = path + OutputFile.ending
            _ = unsafe unlink(new)
            let link = "/proc/self/fd/\(descriptor)"
            guard unsafe linkat(AT_FDCWD, link, AT_FDCWD, new, AT_SYMLINK_FOLLOW) == 0 else {
                throw failure(.uncreatable)
            }
            try rename(new)
        case .beside(let new): try rename(new)
        case .sent(let send): try send(descriptor, UInt64(max(lseek(descriptor, 0, SEEK_END), 0)))
        }
    }

    private func rename(_ new: String) throws(Failure) {
        guard unsafe Glibc.rename(new, path) != 0 else { return }
        let failure = failure(.uncreatable)
        _ = unsafe unlink(new)
        throw failure
    }

    private func copy(to original: CInt) throws(Failure) {
        defer { close(original) }
        let size = lseek(descriptor, 0, SEEK_END)
        var offset = off_t(0)
        while offset < size {
            let count = unsafe sendfile(original, descriptor, &offset, Int(size - offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(.io) }
        }
        guard ftruncate(original, size) == 0 else { throw failure(.io) }
    }

    /// What the system says of the last call.
    package func failure(_ kind: Failure.Kind) -> Failure { OutputFile.failure(name, kind) }

    private static func failure(_ name: String, _ kind: Failure.Kind) -> Failure {
        Failure(kind, "\(name) cannot be written", errno: errno)
    }

    private static func uncreatable(_ path: String, _ name: String) -> Failure {
        .unwritable("\(name) cannot be written", path, errno: errno)
    }

    // MARK: Opening

    private static func open(
        _ path: String, _ name: String, _ isStopped: () -> Bool
    ) throws(Failure) -> (String, CInt, Target) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw uncreatable(path, name) }
            return try create(path, name, mode: nil)
        }
        if status.st_mode & S_IFMT == S_IFIFO { return (path, try openPipe(path, name, isStopped), .direct) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            return (path, try opened(path, O_WRONLY | O_NONBLOCK, name), .direct)
        }
        // A file that may not be written is not to be replaced, either.
        guard unsafe access(path, W_OK) == 0 else { throw uncreatable(path, name) }
        return try create(FilePath.real(path) ?? path, name, mode: status.st_mode & 0o777)
    }

    /// Opens what is to become a file, with the permissions of the one that it replaces.
    private static func create(
        _ path: String, _ name: String, mode: mode_t?
    ) throws(Failure) -> (String, CInt, Target) {
        // What a command that died has left, or someone else has put there, is not written to.
        let new = path + ending
        _ = unsafe unlink(new)
        let nameless = openNameless(in: FilePath.folder(path), O_WRONLY, mode: 0o666)
        if nameless >= 0, unsafe access("/proc/self/fd/\(nameless)", F_OK) == 0 {
            if let mode { _ = fchmod(nameless, mode) }
            return (path, nameless, .nameless)
        }
        if nameless >= 0 { close(nameless) }
        let beside = unsafe Glibc.open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        if beside >= 0 {
            if let mode { _ = fchmod(beside, mode) }
            return (path, beside, .beside(new))
        }
        // In a folder that takes no new files, a file that is there can still be written.
        guard mode != nil else { throw uncreatable(path, name) }
        let scratch = try TemporaryFile()
        return (path, fcntl(scratch.descriptor, F_DUPFD_CLOEXEC, 3), .copied(to: try opened(path, O_WRONLY, name)))
    }

    /// Opens a named pipe, whose reader may come at the same time: to wait for one that never comes would hold the
    /// store.
    private static func openPipe(_ path: String, _ name: String, _ isStopped: () -> Bool) throws(Failure) -> CInt {
        for attempt in 0... {
            let descriptor = unsafe Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFL, 0)
                return descriptor
            }
            guard errno == ENXIO, !isStopped() else { throw uncreatable(path, name) }
            if attempt == pipeAttempts { break }
            usleep(100_000)
        }
        throw Failure(.uncreatable, "\(name) cannot be written: nobody reads this pipe")
    }

    private static func opened(_ path: String, _ flags: CInt, _ name: String) throws(Failure) -> CInt {
        let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw uncreatable(path, name) }
        return descriptor
    }
}
