import Glibc

extension FilePath {
    /// The names of what is in a folder, in no order; nil where the folder cannot be read, and `errno` says why.
    package static func names(in folder: String) -> [String]? {
        guard let stream = unsafe opendir(folder) else { return nil }
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
