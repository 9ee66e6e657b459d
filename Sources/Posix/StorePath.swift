import Glibc

/// Paths of stores, which may not be there yet.
package enum StorePath {
    /// The one path that all paths of a store lead to: without symbolic links, from the root.
    ///
    /// A store that is missing has the real path of its folder; where the last name is a link to nothing, of what it
    /// leads to. Where the folder is missing too, the path stays as it is.
    package static func real(_ path: String) -> String {
        var path = path
        // As many links as Linux follows.
        for _ in 0..<40 {
            if let real = FilePath.real(path) { return real }
            guard let target = link(path) else { break }
            path = target.hasPrefix("/") ? target : FilePath.folder(path) + "/" + target
        }
        guard let folder = FilePath.real(FilePath.folder(path)) else { return path }
        return (folder == "/" ? "" : folder) + "/" + FilePath.name(path)
    }

    /// The path itself; or, where it is a link to nothing yet, what it leads to: a store gets its name by a new link,
    /// which cannot take the place of another.
    package static func creatable(_ path: String) -> String {
        !isThere(path) && link(path) != nil ? real(path) : path
    }

    /// The path itself; or, where the name is a link, what it leads to: that is replaced, and not the link.
    package static func replaceable(_ path: String) -> String { real(path) == absolute(path) ? path : real(path) }

    /// The file by whose lock a run holds a store, and which says who does.
    package static func lock(of store: String) -> String { real(store) + ".sluice-lock" }

    package static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// From the root, though perhaps through links.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = FilePath.real(".") else { return path }
        return folder + "/" + path
    }

    private static func link(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe characters.baseAddress.map { unsafe readlink(path, $0, characters.count) } ?? -1
            }
        }
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }
}
