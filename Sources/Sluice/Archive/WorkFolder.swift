import Glibc
import Records

/// A folder in which files grow until they get their names; locked as long as this process has it.
final class WorkFolder {
    private static let prefix = ".sluice-work-"

    private let path: String
    private let lock: CInt
    private var files: [String] = []

    init(in directory: String) throws(Failure) {
        var template = Array("\(directory)/\(WorkFolder.prefix)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw FeedArchive.failure("the archive \(directory) cannot be written")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        lock = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if lock >= 0 { flock(lock, LOCK_EX | LOCK_NB) }
    }

    deinit {
        for file in files { _ = unsafe unlink(file) }
        _ = unsafe rmdir(path)
        if lock >= 0 { close(lock) }
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
        _ = unsafe unlink(old)
        return true
    }

    /// Removes what runs that died have left.
    static func removeLeftovers(in directory: String) {
        for name in names(in: directory) where name.hasPrefix(prefix) {
            let folder = directory + "/" + name
            let lock = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard lock >= 0 else { continue }
            defer { close(lock) }
            guard flock(lock, LOCK_EX | LOCK_NB) == 0, isOld(lock) else { continue }
            for file in names(in: folder) where file.hasSuffix(".zst") { _ = unsafe unlinkat(lock, file, 0) }
            _ = unsafe rmdir(folder)
        }
    }

    /// Whether a folder has not just been made, by someone who has not locked it yet.
    private static func isOld(_ folder: CInt) -> Bool {
        var status = stat()
        return unsafe fstat(folder, &status) == 0 && time(nil) - status.st_mtim.tv_sec > 60
    }

    private static func names(in directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
