import Glibc
import SluiceRecords

/// Patterns of paths: `*`, `?` and `[…]` match within a name, and `**`, as a whole name, any number of folders. What is
/// hidden, a name that begins with a dot, is matched by none of them.
package enum PathPattern {
    private static let slash = UInt8(ascii: "/")
    private static let folders = Array("**".utf8)

    /// Whether a text is one, and not a path.
    package static func isPattern(_ text: some StringProtocol) -> Bool {
        text.utf8.contains { "*?[".utf8.contains($0) }
    }

    /// What all paths begin with that a pattern may match; of a path, the path.
    package static func stem(_ text: String) -> String {
        String(decoding: text.utf8.prefix { !"*?[".utf8.contains($0) }, as: UTF8.self)
    }

    /// Whether a part of it is `**`.
    package static func isDeep(_ text: String) -> Bool { names(text.utf8).contains(folders) }

    /// Whether a path matches a pattern.
    package static func matches(_ path: some Collection<UInt8>, _ pattern: String) -> Bool {
        let parts = names(pattern.utf8)
        guard parts.contains(folders) else { return isMatch(Array(path), Array(pattern.utf8)) }
        // At the end, it is of all files in the folders.
        let end = parts.last == folders ? [Array("*".utf8)] : []
        return matches(names(path)[...], (parts + end)[...])
    }

    private static func matches(_ names: ArraySlice<[UInt8]>, _ parts: ArraySlice<[UInt8]>) -> Bool {
        guard let part = parts.first else { return names.isEmpty }
        guard let name = names.first else { return false }
        let rest = parts.dropFirst()
        if part == folders {
            if matches(names, rest) { return true }
            return name.first != UInt8(ascii: ".") && names.count > 1 && matches(names.dropFirst(), parts)
        }
        return isMatch(name, part) && matches(names.dropFirst(), rest)
    }

    private static func isMatch(_ name: [UInt8], _ part: [UInt8]) -> Bool {
        let (name, part) = ((name + [0]).map(CChar.init(bitPattern:)), (part + [0]).map(CChar.init(bitPattern:)))
        return unsafe fnmatch(part, name, FNM_PATHNAME | FNM_PERIOD) == 0
    }

    private static func names(_ path: some Collection<UInt8>) -> [[UInt8]] {
        path.split(separator: slash, omittingEmptySubsequences: false).map { Array($0) }
    }

    // MARK: Folders

    /// A pattern in two, at its first `**`: the folder, or the pattern of folders, before it (empty: that of the
    /// process), and what is sought in each of the folders below, at any depth. nil: it has no `**`.
    package static func cut(_ pattern: String) -> (folder: String, rest: String)? {
        let parts = names(pattern.utf8)
        guard let place = parts.firstIndex(of: folders) else { return nil }
        let text = { (parts: ArraySlice<[UInt8]>) in
            String(decoding: Array(parts.joined(separator: [slash])), as: UTF8.self)
        }
        let rest = place + 1 < parts.count ? text(parts[(place + 1)...]) : "*"
        return (place == 1 && parts[0].isEmpty ? "/" : text(parts[..<place]), rest)
    }

    /// A folder and all in it, at any depth, but for hidden ones, and for what links lead to: paths of folders that end
    /// with a slash; of the folder of the process, the first one is empty.
    ///
    /// - Throws: `refused` or `io` where one cannot be listed; `missing` where one has a name that is not UTF-8.
    package static func foldersBelow(_ folder: String) throws(Failure) -> [String] {
        let start = folder.isEmpty || folder.utf8.last == slash ? folder : folder + "/"
        var (found, next) = ([start], 0)
        while next < found.count {
            for name in try subfolders(found[next]) { found.append("\(found[next])\(name)/") }
            next += 1
        }
        return found
    }

    private static func subfolders(_ folder: String) throws(Failure) -> [String] {
        let path = folder.isEmpty ? "." : folder
        guard let stream = unsafe opendir(path) else { throw failure(path, errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            // What cannot be listed must not be passed over.
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                if errno != 0 { throw failure(path, errno) }
                return names
            }
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            var status = stat()
            let whole = (Array(folder.utf8) + bytes + [0]).map(CChar.init(bitPattern:))
            if bytes.first == UInt8(ascii: ".") { continue }
            guard unsafe lstat(whole, &status) == 0 else {
                // It is gone by now.
                if errno == ENOENT { continue }
                throw failure(path, errno)
            }
            if status.st_mode & S_IFMT != S_IFDIR { continue }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                throw Failure(
                    .missing,
                    "a folder in \(path) has a name that is not UTF-8: what is in it cannot be read before it is renamed"
                )
            }
            names.append(name)
        }
    }

    private static func failure(_ folder: String, _ code: CInt) -> Failure {
        let isRefused = PathFault(errno: code) == .refused
        return Failure(isRefused ? .refused : .io, "\(folder) cannot be searched: \(Failure.reason(errno: code))")
    }

    /// A path as a pattern that matches nothing else.
    package static func escaped(_ path: String) -> String {
        String(
            decoding: path.utf8.flatMap { "*?[\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }, as: UTF8.self)
    }
}
