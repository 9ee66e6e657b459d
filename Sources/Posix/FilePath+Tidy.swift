import Glibc

extension FilePath {
    /// A path as a person would write it: without `.`, without going into a folder and out of it again, and not by a
    /// way around the working directory. It leads to the same file.
    package static func tidy(_ path: String) -> String {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        var names: [Substring] = []
        for name in parts(path) where name != "." {
            if name == "..", let last = names.last, last != "..", isFolder(joined(names, isAbsolute)) {
                names.removeLast()
            } else {
                names.append(name)
            }
        }
        if !isAbsolute { names = withoutDetour(names) }
        // A file of that name is not standard input.
        if names == ["-"], !isAbsolute { return "./-" }
        return names.isEmpty ? (isAbsolute ? "/" : ".") : joined(names, isAbsolute)
    }

    /// By bytes: a combining character would melt with the slash.
    private static func parts(_ path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
    }

    private static func joined(_ names: [Substring], _ isAbsolute: Bool) -> String {
        (isAbsolute ? "/" : "") + names.joined(separator: "/")
    }

    /// Whether what is above a path is what stands before its last name: a link leads elsewhere.
    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Without what leads out of the working directory and back into it.
    private static func withoutDetour(_ names: [Substring]) -> [Substring] {
        let up = names.prefix { $0 == ".." }.count
        guard up > 0, let folder = FilePath.real(".") else { return names }
        let way = parts(folder).suffix(up)
        guard way.count == up, names.dropFirst(up).starts(with: way) else { return names }
        return Array(names.dropFirst(2 * up))
    }
}
