import Glibc
import SluicePosix
import SluiceRecords

/// The two files that SQLite keeps beside a store in WAL mode: `-wal`, the log, and `-shm`, the memory that its readers
/// and its writer share.
///
/// They stay when no program uses the store: only where they are there does SQLite let a user read the store who may
/// not write to it.
struct StoreLogs {
    static let endings = ["-wal", "-shm"]

    /// The name under which SQLite looks for the files beside a store: without symbolic links.
    private let path: String

    init(_ path: String) {
        self.path = FilePath.real(path) ?? path
    }

    var log: String { path + "-wal" }

    private var names: [String] { StoreLogs.endings.map { path + $0 } }

    /// Whether both are there.
    var areThere: Bool { names.allSatisfy { FileNumber(named: $0) != nil } }

    var hasLog: Bool { FileNumber(named: log) != nil }

    /// Whether the log is there, and may hold something.
    var hasEntries: Bool { hasLog && !StoreLogs.isEmpty(log) }

    /// Which files they are.
    var numbers: [FileNumber?] { names.map(FileNumber.init(named:)) }

    /// Whether they are still the given ones, as far as these are known.
    func naming(_ numbers: [FileNumber?]) -> FileNaming {
        for case (let name, let number?) in zip(names, numbers) {
            let naming = FileNaming(name, number, followsLinks: false)
            if naming != .same { return naming }
        }
        return .same
    }

    /// Whether a log is there that holds nothing.
    static func isEmpty(_ log: String) -> Bool {
        var status = stat()
        return unsafe lstat(log, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    }

    /// Creates empty files for a store that is about to get its name, so that the store is never there without them.
    /// Files that are there stay.
    func create() {
        for name in names {
            let descriptor = unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            if descriptor >= 0 { close(descriptor) }
        }
    }

    /// Gives them the permissions and the group of their store: a user that may read the store must be able to read
    /// them, too.
    ///
    /// This must not open them: closing a file gives up the locks that SQLite has on it in this process.
    func takePermissions(of store: stat) {
        for name in names {
            var status = stat()
            guard unsafe lstat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            // A change that is not permitted is left out.
            if status.st_gid != store.st_gid {
                _ = unsafe fchownat(AT_FDCWD, name, uid_t.max, store.st_gid, AT_SYMLINK_NOFOLLOW)
            }
            if status.st_mode & 0o777 != store.st_mode & 0o777 {
                _ = unsafe fchmodat(AT_FDCWD, name, store.st_mode & 0o777, AT_SYMLINK_NOFOLLOW)
            }
        }
    }

    /// Removes the files that are still the given ones: the store to which they belong is gone, and SQLite would replay
    /// them into another.
    func remove(_ numbers: [FileNumber?]) {
        for (name, number) in zip(names, numbers) where number != nil && FileNumber(named: name) == number {
            _ = unsafe unlink(name)
        }
    }
}
