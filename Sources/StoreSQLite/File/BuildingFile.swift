import Glibc
import SluicePosix
import SluiceRecords

/// The file beside its name in which a store is built: it is locked as long as its run lives, so that two runs
/// cannot build one store.
///
/// Others may have write permission in the folder. Nothing that they put there is followed or written to: what stands
/// under the name is taken away, and a new file made.
struct BuildingFile {
    private let store: String
    private let path: String

    init(_ store: String, _ path: String) {
        self.store = store
        self.path = path
    }

    /// Creates the file, and returns it open and locked. Throws `busy` where another run has it.
    func take() throws(Failure) -> Int32 {
        while true {
            try removeLeftover()
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
            guard descriptor >= 0 else {
                // Another run was quicker; it is met again above.
                if errno == EEXIST { continue }
                throw failure()
            }
            // Another run may have taken it for a leftover, between the two steps.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isNamed(descriptor) { return descriptor }
            close(descriptor)
            throw busy
        }
    }

    /// Takes away what a run that died has left. That may be a second name of a finished store, wherever that store may
    /// be by now: it stays as it is.
    private func removeLeftover() throws(Failure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(
                .uncreatable,
                "the store \(store) cannot be created: \(path), where it would be built, is no regular file; remove it")
        }
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw failure()
        }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw busy }
        if isNamed(descriptor), unsafe unlink(path) != 0, errno != ENOENT { throw failure() }
    }

    private func isNamed(_ descriptor: Int32) -> Bool { FileNumber(named: path) == FileNumber(descriptor: descriptor) }

    private var busy: Failure { Failure(.busy, "another run is building the store \(store); try again later") }

    private func failure() -> Failure { Failure(.uncreatable, "the store \(store) cannot be created", errno: errno) }
}
