import Glibc
import SluicePosix
import SluiceRecords

/// The file beside its name in which a store is built: it is locked as long as its run lives, so that two runs
/// cannot build one store.
///
/// Others may have write permission in the folder. The run neither follows nor writes to anything that they put there:
/// it removes what has the name, and creates a new file.
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
                // Another run was quicker; the next turn of the loop finds its file.
                if errno == EEXIST { continue }
                throw failure(errno)
            }
            // Between the two steps, another run may have taken the file for a leftover, and removed it.
            do throws(Failure) {
                try lock(descriptor)
                guard try isNamed(descriptor) else { throw busy }
                return descriptor
            } catch {
                // Where another run has the lock, the file belongs to that run.
                if error.kind != .busy, (try? isNamed(descriptor)) == true { _ = unsafe unlink(path) }
                close(descriptor)
                throw error
            }
        }
    }

    /// Removes what a run that died has left. That may be a second name of a finished store, which may have been moved
    /// since: the store stays as it is.
    private func removeLeftover() throws(Failure) {
        try refuseForeign()
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw failure(errno)
        }
        defer { close(descriptor) }
        try lock(descriptor)
        if try isNamed(descriptor), unsafe unlink(path) != 0, errno != ENOENT { throw failure(errno) }
    }

    /// Throws where something has the name that no run has left.
    func refuseForeign() throws(Failure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw Failure(
            .uncreatable,
            "the store \(store) cannot be created: \(path), where it would be built, is no regular file; remove it")
    }

    private func lock(_ descriptor: CInt) throws(Failure) {
        switch FileLock.attempt(descriptor) {
        case .taken: return
        case .held: throw busy
        case .failed(let code): throw failure(code)
        }
    }

    private func isNamed(_ descriptor: CInt) throws(Failure) -> Bool {
        switch FileNaming(path, descriptor, followsLinks: false) {
        case .same: return true
        case .other: return false
        case .failed(let code): throw failure(code)
        }
    }

    private var busy: Failure { Failure(.busy, "another run is building the store \(store); try again later") }

    private func failure(_ code: CInt) -> Failure {
        .unwritableStore(store, "created", errno: code)
    }
}
