import Glibc
import SluicePosix
import SluiceRecords

/// The files that a path or a glob names, sorted by the bytes of their names.
///
/// A name that exists is taken as it is, even if it looks like a glob, unless it is one that the glob matches as well
/// (`*.json`, which a shell makes that finds nothing); so is `-`, standard input. Hidden files and
/// directories do not match. Behind a name of archives, it is one of files that they hold, see ``FeedPath``: of a
/// pattern, files of folders and files of archives.
///
/// - Parameter lists: what archives hold that were looked through before.
/// - Throws: `missing` where there is none, and as ``matchingFiles(_:_:)``.
package func expandGlob(_ pattern: String, _ lists: ArchiveLists = ArchiveLists()) throws(Failure) -> [String] {
    let files = try matchingFiles(pattern, lists)
    if files.isEmpty { throw noFileMatches(pattern, lists) }
    return files
}

/// Why a pattern without any files cannot be read.
package func noFileMatches(_ pattern: String, _ lists: ArchiveLists) -> Failure {
    guard FeedPath.isInArchive(pattern) else { return Failure(.missing, "no file matches \(pattern)") }
    let names = FeedPath.namesBeside(pattern, lists)
    let place = names.isEmpty ? "the archive holds none of that name" : "the archive holds \(names)"
    return Failure(.missing, "no file matches \(pattern): \(place)")
}

/// Likewise, or none where a pattern has no match.
///
/// - Throws: `missing` where a path leads to nothing, or a pattern matches what cannot be said or looked at: a source
///   that may do without files must not do without those.
package func matchingFiles(_ pattern: String, _ lists: ArchiveLists) throws(Failure) -> [String] {
    let isThere = kind(of: pattern) != nil
    let code = errno
    if pattern == "-" || isThere && !isMatchedByItself(pattern) { return [pattern] }
    let members = try expandMembers(pattern, lists)
    var files = members ?? []
    if PathPattern.isPattern(pattern) {
        for path in try matches(of: pattern).sorted(by: precedes) {
            if let kind = kind(of: path) {
                if kind != S_IFDIR { files.append(path) }
            } else if isNamed(path) {
                throw FileBytes.failure("read", path, errno)
            }
        }
    } else if members == nil {
        throw FileBytes.failure("read", pattern, code)
    }
    return files.sorted(by: precedes)
}

/// The regular files that a path or a pattern names.
func regularFiles(_ pattern: String) throws(Failure) -> [String] {
    if let kind = kind(of: pattern), !isMatchedByItself(pattern) { return kind == S_IFREG ? [pattern] : [] }
    guard PathPattern.isPattern(pattern) else { return [] }
    let files = try matches(of: pattern).filter { kind(of: $0) == S_IFREG }
    return files.sorted(by: precedes)
}

/// The order of files: that of the bytes of their names.
private func precedes(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }

/// The type of a file, as `stat` has it; nil if it is not there, or may not be looked at: see `errno`.
private func kind(of path: String) -> mode_t? { unsafe kind(at: path) }

/// Likewise, of a path whose bytes need not be UTF-8.
private func kind(at path: UnsafePointer<CChar>) -> mode_t? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT
}

/// Errors of paths that lead to nothing; a link that leads to itself does so.
private let nowhere = [ENOENT, ENOTDIR, ELOOP]

private func isMatchedByItself(_ pattern: String) -> Bool {
    PathPattern.isPattern(pattern) && PathPattern.matches(pattern.utf8, pattern)
}

/// Whether a folder still has a name that leads to nothing, or to what may not be looked at; `errno` stays.
private func isNamed(_ path: String) -> Bool {
    let code = errno
    defer { errno = code }
    var status = stat()
    return unsafe lstat(path, &status) == 0
}

private func matches(of pattern: String) throws(Failure) -> [String] {
    guard let (start, rest) = PathPattern.cut(pattern) else { return try glob(pattern) }
    var found: Set<ExactText> = []
    for folder in PathPattern.isPattern(start) ? try glob(start).filter({ kind(of: $0) == S_IFDIR }) : [start] {
        if !folder.isEmpty, kind(of: folder) != S_IFDIR { continue }
        for below in try PathPattern.foldersBelow(folder) {
            for path in try matches(of: PathPattern.escaped(below) + rest) { found.insert(ExactText(path)) }
        }
    }
    return found.map(\.string)
}

/// The paths that a pattern without `**` matches: name by name, as glob(3) passes over a path behind a pattern that it
/// may not look at.
private func glob(_ pattern: String) throws(Failure) -> [String] {
    let names = pattern.split(separator: "/", omittingEmptySubsequences: false)
    var (paths, plain) = ([""], [Substring]())
    for (index, name) in names.enumerated() {
        guard PathPattern.isPattern(name) || name.utf8.contains(UInt8(ascii: "\\")) else {
            plain.append(name)
            continue
        }
        let before = plain.map { $0 + "/" }.joined()
        plain = []
        let parts = paths.map { PathPattern.escaped($0) + before + name }
        paths = []
        let isFolder = index + 1 < names.count
        for part in parts { paths += try globInFolder(part, isFolder: isFolder).map { isFolder ? $0 + "/" : $0 } }
    }
    if plain.isEmpty { return paths }
    var found: [String] = []
    for path in paths.map({ $0 + plain.joined(separator: "/") }) where try isThere(path) { found.append(path) }
    return found
}

/// Whether a path leads to something. Throws where the system does not say.
private func isThere(_ path: String) throws(Failure) -> Bool {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { return true }
    if nowhere.contains(errno) { return false }
    throw FileBytes.failure("read", path, errno)
}

/// The paths that a pattern matches of which only the last name is one.
///
/// - Parameter isFolder: whether folders alone are wanted: what else has such a name, whatever it is, is passed over.
private func globInFolder(_ pattern: String, isFolder: Bool) throws(Failure) -> [String] {
    var found = unsafe glob_t()
    defer { unsafe globfree(&found) }
    switch unsafe Glibc.glob(pattern, GLOB_ERR | GLOB_NOSORT, nil, &found) {
    case 0: break
    case GLOB_NOMATCH: return []
    case GLOB_NOSPACE: throw Failure(.io, "there is not enough memory for the files that match \(pattern)")
    // A folder that is not there has no files.
    default:
        if nowhere.contains(errno) { return [] }
        throw FileBytes.failure("searched", pattern, errno)
    }
    var paths: [String] = []
    for index in unsafe 0..<Int(found.gl_pathc) {
        guard let bytes = unsafe found.gl_pathv[index] else { continue }
        if isFolder, unsafe !mayBeFolder(bytes) { continue }
        paths.append(try unsafe path(bytes, matching: pattern))
    }
    return paths
}

/// Whether a path leads to a folder, or to what the system does not tell.
private func mayBeFolder(_ path: UnsafePointer<CChar>) -> Bool {
    if let kind = unsafe kind(at: path) { return kind == S_IFDIR }
    return !nowhere.contains(errno)
}

/// A path in a definition, a report or a ledger is text: a file whose name is none cannot be said in any of them, and
/// must not be left out in silence.
private func path(_ bytes: UnsafePointer<CChar>, matching pattern: String) throws(Failure) -> String {
    if let path = unsafe String(validatingCString: bytes) { return path }
    let name = unsafe UnsafeBufferPointer(start: bytes, count: strlen(bytes)).map { UInt8(bitPattern: $0) }
    throw Failure(
        .missing,
        "\(spelled(name)) matches \(pattern), but its name is not UTF-8: it cannot be read until it is renamed")
}

/// A name as a shell would take it in `$'…'`.
private func spelled(_ name: [UInt8]) -> String {
    name.map { byte in
        (0x20..<0x7f).contains(byte)
            ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
}
