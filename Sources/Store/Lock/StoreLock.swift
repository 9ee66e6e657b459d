import Glibc
import SluiceExtract
import SluicePosix
import SluiceRecords
import SluiceSchema

/// The right to change a store: one run at a time has it.
///
/// It is a lock of the operating system on a file beside the store, so it is free again as soon as its holder's process
/// has ended, however that came. The file says who holds it; it is removed with the lock.
package final class StoreLock {
    /// The file that is locked.
    package let path: String
    private let descriptor: CInt
    private var isHeld = true

    /// Who holds a lock.
    package struct Holder: Equatable {
        package var process: Int
        package var pipeline: String
        /// RFC 3339, UTC.
        package var started: String

        package var json: String {
            JSONText.object([
                ("pid", String(process)), ("pipeline", JSONText.quoted(pipeline)),
                ("started", JSONText.quoted(started)),
            ]) + "\n"
        }

        package init(process: Int, pipeline: String, started: String) {
            self.process = process
            self.pipeline = pipeline
            self.started = started
        }

        /// Nil where the file says nothing, as in the moment in which another run takes it.
        package init?(file bytes: [UInt8]) {
            guard let root = try? JSONTree.read(bytes, file: "").root, let pipeline = root["pipeline"]?.text,
                let started = root["started"]?.text, case .number(let process)? = root["pid"]?.kind
            else { return nil }
            self.init(process: Int(process) ?? 0, pipeline: pipeline, started: started)
        }
    }

    /// Takes the lock of a store, whether the store is there yet or not.
    ///
    /// - Throws: `busy` where another run still holds it when the patience ends, and `cancelled`.
    ///
    /// - Parameters:
    ///   - patience: how long another run is waited for, in seconds.
    ///   - pause: between two attempts, in microseconds.
    ///   - waiting: told once, in a sentence, for whom is waited.
    ///   - check: called before each pause; what it throws ends the waiting.
    package init(
        store: String, holder: Holder, patience: Double, pause: UInt32 = StoreLock.pause,
        waiting: (String) -> Void = { _ in }, check: () throws(Failure) -> Void = { () throws(Failure) in }
    ) throws(Failure) {
        let path = StorePath.lock(of: store)
        let end = Monitor.now + max(patience, StoreLock.grace)
        var hasTold = false
        while true {
            if let descriptor = try StoreLock.attempt(path, store) {
                self.path = path
                self.descriptor = descriptor
                write(holder)
                return
            }
            let other = StoreLock.holder(of: path)
            guard Monitor.now < end else { throw StoreLock.busy(store, other) }
            if !hasTold, patience > 0 { waiting("waiting: \(StoreLock.sentence(store, other))") }
            hasTold = true
            try check()
            usleep(patience > 0 ? pause : StoreLock.gracePause)
        }
    }

    deinit { release() }

    /// Gives the lock back.
    package func release() {
        guard isHeld else { return }
        isHeld = false
        // Before the lock goes: from then on the name may be another run's. So it may if someone has removed the file.
        if FileNaming(path, descriptor, followsLinks: true) == .same { _ = unsafe unlink(path) }
        close(descriptor)
    }

    // MARK: Taking it

    /// Between two attempts, in microseconds.
    package static let pause: UInt32 = 100_000
    /// Seconds in which also who has no patience asks again: who looks whether a run is under way has a share of the
    /// lock for a moment.
    private static let grace = 0.02
    private static let gracePause: UInt32 = 5_000

    /// The locked file; nil where someone else has it.
    private static func attempt(_ path: String, _ store: String) throws(Failure) -> CInt? {
        while true {
            let descriptor = try open(path, store)
            do throws(Failure) {
                guard try isTaken(path, descriptor, store) else {
                    close(descriptor)
                    continue
                }
                return descriptor
            } catch {
                close(descriptor)
                if error.kind == .busy { return nil }
                throw error
            }
        }
    }

    /// Whether the lock of a file excludes others: the last holder may have removed the name before the lock was taken.
    ///
    /// - Throws: `busy` where another run has the lock.
    private static func isTaken(_ path: String, _ descriptor: CInt, _ store: String) throws(Failure) -> Bool {
        switch FileLock.attempt(descriptor) {
        case .taken: break
        case .held: throw busy(store, nil)
        case .failed(let code): throw failure(store, code)
        }
        switch FileNaming(path, descriptor, followsLinks: true) {
        case .same: return true
        case .other: return false
        case .failed(let code): throw failure(store, code)
        }
    }

    private static func open(_ path: String, _ store: String) throws(Failure) -> CInt {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
        if descriptor >= 0 { return descriptor }
        let code = errno
        // What another user's run that died has left can be locked without being written.
        if code == EACCES {
            let readable = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            if readable >= 0 { return readable }
        }
        throw failure(store, code)
    }

    private func write(_ holder: Holder) {
        // Only a courtesy: the lock holds without it. A second name of another file is locked, but not written to.
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_nlink == 1 else { return }
        _ = ftruncate(descriptor, 0)
        _ = writeAll(holder.json, to: descriptor)
    }

    private static func holder(of path: String) -> Holder? {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return Holder(file: readAll(from: descriptor, most: 4096) ?? [])
    }

    // MARK: Messages

    private static func sentence(_ store: String, _ holder: Holder?) -> String {
        guard let holder else { return "another run holds the store \(store)" }
        return "another run holds the store \(store): the pipeline \(holder.pipeline.printable), "
            + "process \(holder.process), since \(holder.started)"
    }

    private static func busy(_ store: String, _ holder: Holder?) -> Failure {
        Failure(.busy, sentence(store, holder) + "; try again later, or wait for it with --wait")
    }

    private static func failure(_ store: String, _ code: CInt) -> Failure {
        .unwritableStore(store, StorePath.isThere(store) ? "written to" : "created", errno: code)
    }
}
