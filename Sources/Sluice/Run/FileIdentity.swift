import Glibc
import SluiceExtract
import SluicePosix

/// Which file a path leads to: two paths to one file have the same, by links or by another spelling.
enum FileIdentity: Hashable {
    case file(FileNumber)
    /// Of what is not there yet: its path from the root, without links.
    case name(String)

    /// Nil for what can be written by many at once, as `/dev/null`, and for standard input that is no file.
    init?(_ path: String) {
        let path = FeedPath(path).file
        var status = stat()
        let isThere = unsafe (path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)) == 0
        guard isThere else {
            if path == "-" { return nil }
            self = .name(StorePath.real(FilePath.tidy(StorePath.absolute(path))))
            return
        }
        let kind = status.st_mode & S_IFMT
        if kind == S_IFCHR || path == "-" && kind != S_IFREG { return nil }
        self = .file(FileNumber(status))
    }
}

extension StorePath {
    /// A store with the files that SQLite and a run have beside it.
    static func belongings(of store: String) -> [String] {
        let ofSQLite = ["-wal", "-shm", "-journal"]
        let endings = ["", ".sluice-lock", ".sluice-new"] + ofSQLite + ofSQLite.map { ".sluice-new" + $0 }
        // SQLite puts its files beside the one that a link leads to.
        return [store, real(store)].flatMap { path in endings.map { path + $0 } }
    }

    /// Whether a pattern of files matches a path, whether a file is there or not.
    static func matches(_ path: String, pattern: String) -> Bool {
        guard PathPattern.isPattern(pattern) else { return false }
        let folder = FilePath.folder(pattern)
        if PathPattern.isPattern(folder) || PathPattern.isDeep(pattern) {
            return PathPattern.matches(absolute(path).utf8, absolute(pattern))
        }
        let path = real(path)
        let isMatch = unsafe fnmatch(FilePath.name(pattern), FilePath.name(path), FNM_PERIOD) == 0
        return isMatch && real(folder) == FilePath.folder(path)
    }
}
