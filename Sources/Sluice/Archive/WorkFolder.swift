import Glibc
import SluicePosix
import SluiceRecords

/// A folder in which files grow until they get their names; locked as long as this process has it.
final class WorkFolder {
    private static let prefix = ".sluice-work-"

    private let path: String
    private var lock: CInt
    private var files: [String] = []
    /// Whether files have got names that no ledger knows yet. Until a ledger knows them, they keep their old names,
    /// too, in a folder that names their owner: so the files of a run that died can be told from those of others.
    var isOpen = false

    init(in directory: String) throws(Failure) {
        var template = Array("\(directory)/\(WorkFolder.prefix)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw FeedArchive.failure("the archive \(directory) cannot be written")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        lock = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if lock >= 0 { _ = FileLock.attempt(lock) }
    }

    deinit {
        if !isOpen { discard() }
        release()
    }

    /// Gives up the lock: the run has ended, and what it has left is the next one's.
    func release() {
        if lock >= 0 { close(lock) }
        lock = -1
    }

    /// Removes it, with what is in it.
    func discard() {
        for file in files { _ = unsafe unlink(file) }
        files = []
        _ = unsafe rmdir(path)
    }

    /// Notes whose files these are.
    func write(owner: String) throws(Failure) {
        let name = path + "/" + WorkFolder.owner
        let descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw FeedArchive.failure("the archive cannot be written") }
        defer { close(descriptor) }
        files.append(name)
        guard writeAll(owner, to: descriptor), fsync(descriptor) == 0 else {
            throw FeedArchive.failure("the archive cannot be written")
        }
    }

    /// The path of a file that is to be created; to be asked once.
    func path(_ source: Int, _ file: Int) -> String {
        let name = path + "/\(source)-\(file).zst"
        files.append(name)
        return name
    }

    /// Gives a file its name; false: another file has it, and does not lose it.
    func move(_ source: Int, _ file: Int, to name: String, replaces: Bool) throws(Failure) -> Bool {
        let old = path + "/\(source)-\(file).zst"
        // Unlike a rename, a link never replaces anything.
        let result = replaces ? unsafe rename(old, name) : unsafe link(old, name)
        guard result == 0 else {
            if errno == EEXIST, !replaces { return false }
            throw FeedArchive.failure("the feed cannot be saved as \(name)")
        }
        return true
    }

    /// Takes a name away again.
    func withdraw(_ name: String) { _ = unsafe unlink(name) }

    private static let owner = "owner"

    /// Removes what runs of an owner that died have left, with the names that their files have got, unless these are to
    /// be kept. The owner has no other run than the calling one.
    static func removeLeftovers(in directory: String, owner: String, keeps: (String) -> Bool) {
        let own = Array(owner.utf8)
        for name in names(in: directory) where name.hasPrefix(prefix) {
            let folder = directory + "/" + name
            let lock = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard lock >= 0 else { continue }
            defer { close(lock) }
            guard FileLock.attempt(lock) == .taken, read(WorkFolder.owner, in: lock, own.count) == own else {
                continue
            }
            let files = Set(names(in: folder).filter { $0.hasSuffix(".zst") }.compactMap { number(folder + "/" + $0) })
            for file in names(in: directory) where !keeps(file) {
                guard let inode = number(directory + "/" + file), files.contains(inode) else { continue }
                _ = unsafe unlink(directory + "/" + file)
            }
            remove(folder, lock)
        }
    }

    /// What a file begins with, one byte more than asked for.
    private static func read(_ name: String, in folder: CInt, _ count: Int) -> [UInt8]? {
        let descriptor = unsafe openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return readAll(from: descriptor, most: count + 1)
    }

    /// Which regular file a name leads to.
    private static func number(_ path: String) -> FileNumber? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileNumber(status)
    }

    private static func remove(_ folder: String, _ lock: CInt) {
        for file in names(in: folder) where file.hasSuffix(".zst") || file == owner {
            _ = unsafe unlinkat(lock, file, 0)
        }
        _ = unsafe rmdir(folder)
    }

    /// Removes what runs that died have left before their files got names.
    static func removeLeftovers(in directory: String) {
        for name in names(in: directory) where name.hasPrefix(prefix) {
            let folder = directory + "/" + name
            let lock = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard lock >= 0 else { continue }
            defer { close(lock) }
            guard FileLock.attempt(lock) == .taken, isOld(lock) else { continue }
            // Folders of other owners are left to the next run of each owner.
            if !names(in: folder).contains(owner) { remove(folder, lock) }
        }
    }

    /// Whether a folder is not a new one, which another process has made and not locked yet.
    private static func isOld(_ folder: CInt) -> Bool {
        var status = stat()
        return unsafe fstat(folder, &status) == 0 && time(nil) - status.st_mtim.tv_sec > 60
    }

    private static func names(in folder: String) -> [String] { FilePath.names(in: folder) ?? [] }
}
