import Glibc
import SluiceExtract
import SluicePosix
import SluiceRecords

/// The right to change a store: one run at a time has it.
///
/// It is a lock of the operating system on a file beside the store, so it is free again as soon as its holder's process
/// has ended, however that came. The file says who holds it; it is removed with the lock.
final class StoreLock {
    /// The file that is locked.
    let path: String
    private let descriptor: CInt
    private var isHeld = true

    /// Who holds a lock.
    struct Holder: Equatable {
        var process: Int
        var pipeline: String
        /// RFC 3339, UTC.
        var started: String

        var json: String {
            JSONText.object([
                ("pid", String(process)), ("pipeline", JSONText.quoted(pipeline)),
                ("started", JSONText.quoted(started)),
            ]) + "\n"
        }

        init(process: Int, pipeline: String, started: String) {
            self.process = process
            self.pipeline = pipeline
            self.started = started
        }

        /// Nil where the file says nothing, as in the moment in which another run takes it.
        init?(file bytes: [UInt8]) {
            guard let root = try? JSONTree.read(bytes, file: "").root, let pipeline = root["pipeline"]?.text,
                let started = root["started"]?.text, case .number(let process)? = root["pid"]?.kind
            else { return nil }
            self.init(process: Int(process) ?? 0, pipeline: pipeline, started: started)
        }
    }

    /// Takes the lock of a store, whether the store is there yet or not.
    ///
    /// - Throws: `busy` where another run still holds it when the patience ends, and `cancelled`.
    init(
        store: String, holder: Holder, control: RunControl, pause: UInt32 = StoreLock.pause
    ) throws(Failure) {
        let path = StorePath.real(store) + ".sluice-lock"
        let end = StoreLock.clock + control.patience
        var hasTold = false
        while true {
            if let descriptor = try StoreLock.attempt(path, store) {
                self.path = path
                self.descriptor = descriptor
                write(holder)
                return
            }
            let other = StoreLock.holder(of: path)
            guard StoreLock.clock < end else { throw StoreLock.busy(store, other) }
            if !hasTold { control.note("waiting: \(StoreLock.sentence(store, other))") }
            control.meter.enter(.waiting)
            hasTold = true
            try control.cancellation.check()
            usleep(pause)
        }
    }

    deinit { release() }

    /// Gives the lock back.
    func release() {
        guard isHeld else { return }
        isHeld = false
        // Before the lock goes: from then on the name may be another run's. So it may if someone has removed the file.
        if StoreLock.isNamed(path, descriptor) { _ = unsafe unlink(path) }
        close(descriptor)
    }

    // MARK: Taking it

    /// Between two attempts, in microseconds.
    private static let pause: UInt32 = 100_000

    /// Seconds of a clock that nobody sets.
    private static var clock: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The locked file; nil where someone else has it.
    private static func attempt(_ path: String, _ store: String) throws(Failure) -> CInt? {
        while true {
            let descriptor = try open(path, store)
            while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                let code = errno
                if code == EINTR { continue }
                close(descriptor)
                if code == EWOULDBLOCK { return nil }
                throw failure(store, code)
            }
            // The last holder may have removed the name between the two steps: then this lock excludes nobody.
            if isNamed(path, descriptor) { return descriptor }
            close(descriptor)
        }
    }

    private static func open(_ path: String, _ store: String) throws(Failure) -> CInt {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
        if descriptor >= 0 { return descriptor }
        let code = errno
        // What another user's run that died has left can be locked without being written.
        if code == EACCES {
            let readable = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            if readable >= 0 { return readable }
        }
        throw failure(store, code)
    }

    private static func isNamed(_ path: String, _ descriptor: CInt) -> Bool {
        let opened = FileNumber(descriptor: descriptor)
        return opened != nil && FileNumber(following: path) == opened
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
        let verb = StorePath.isThere(store) ? "written to" : "created"
        return Failure(.uncreatable, "the store \(store) cannot be \(verb)", errno: code)
    }
}
