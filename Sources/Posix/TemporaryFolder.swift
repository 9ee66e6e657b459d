import Glibc
import SluiceRecords

/// A folder for files on their way to elsewhere; it goes with this object. What a process that died has left, the next
/// that makes one removes.
package final class TemporaryFolder {
    package let path: String
    /// Held as long as the folder is somebody's.
    private let lock: CInt

    private static let prefix = ".sluice-way-"

    /// - Throws: `uncreatable`.
    package init(in parent: String = TemporaryFile.folder) throws(Failure) {
        TemporaryFolder.removeLeftovers(in: parent)
        var template = Array("\(parent)/\(TemporaryFolder.prefix)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw Failure(.uncreatable, "a temporary folder in \(parent) cannot be created", errno: errno)
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        lock = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if lock >= 0 { flock(lock, LOCK_EX | LOCK_NB) }
    }

    deinit {
        discard()
        if lock >= 0 { close(lock) }
    }

    /// Removes it, with all that is in it, before somebody else lets go of it.
    package func discard() { TemporaryFolder.remove(path) }

    private static func removeLeftovers(in parent: String) {
        for name in names(in: parent) where name.hasPrefix(prefix) {
            let folder = parent + "/" + name
            let lock = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard lock >= 0 else { continue }
            defer { close(lock) }
            var status = stat()
            // One that has just been made is not locked yet; another user's is not ours.
            guard flock(lock, LOCK_EX | LOCK_NB) == 0, unsafe fstat(lock, &status) == 0,
                status.st_uid == geteuid(), time(nil) - status.st_mtim.tv_sec > 60
            else { continue }
            remove(folder)
        }
    }

    /// Removes a folder with all that is in it.
    private static func remove(_ folder: String) {
        for name in names(in: folder) {
            let path = folder + "/" + name
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR { remove(path) } else { _ = unsafe unlink(path) }
        }
        _ = unsafe rmdir(folder)
    }

    private static func names(in folder: String) -> [String] { FilePath.names(in: folder) ?? [] }
}
