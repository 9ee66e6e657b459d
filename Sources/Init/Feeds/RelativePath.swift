import Glibc
import SluiceDefinition

/// Paths as a definition has them: relative to its folder.
enum RelativePath {
    /// - Parameters:
    ///   - path: relative to the working directory.
    ///   - file: the definition, likewise; nil: it will be in the working directory.
    static func path(_ path: String, from file: String?) -> String {
        if path == "-" || path.hasPrefix("/") || path.contains("://") { return path }
        let folder = parts(absolute(file ?? "definition")).dropLast()
        let target = parts(absolute(path))
        let common = zip(folder, target).prefix { $0 == $1 }.count
        let steps = folder.dropFirst(common).map { _ in ".." } + target.dropFirst(common)
        // A file that is called as standard input is.
        return steps == ["-"] ? "./-" : steps.joined(separator: "/")
    }

    /// The path from the root, without `.` and `..`.
    static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return "/" + parts(path).joined(separator: "/") }
        guard let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return "/" + parts(unsafe String(cString: folder) + "/" + path).joined(separator: "/")
    }

    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").reduce(into: []) { parts, part in
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(String(part)) }
        }
    }
}
