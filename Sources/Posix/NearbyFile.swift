import Glibc
import SluiceRecords

/// A file of a folder that is called much as one that does not exist.
package enum NearbyFile {
    /// So many names of a folder are looked at.
    private static let mostNames = 2000
    /// Of shorter names, many are alike.
    private static let fewestLetters = 3

    /// What a message says of it; empty: there is none.
    package static func suggestion(for path: String) -> String {
        let (folder, name) = (FilePath.folder(path), Array(FilePath.name(path).utf8))
        guard name.firstIndex(of: UInt8(ascii: ".")) ?? name.count >= fewestLetters else { return "" }
        let near = names(in: folder).filter { isNear(Array($0.utf8), name) }.min {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        guard let near else { return "" }
        let isHere = folder == "." && !path.hasPrefix("./")
        return ": did you mean \(isHere ? near : folder == "/" ? "/" + near : folder + "/" + near)?"
    }

    /// Whether of two words one has a letter that the other one lacks, or another one in its place, or two that are
    /// swapped there.
    package static func isNear(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard abs(one.count - other.count) < 2, one != other else { return false }
        let start = zip(one, other).prefix { $0 == $1 }.count
        let end = zip(one.dropFirst(start).reversed(), other.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        let between = (one.dropFirst(start).dropLast(end), other.dropFirst(start).dropLast(end))
        return max(between.0.count, between.1.count) < 2
            || between.0.count == 2 && between.0.elementsEqual(between.1.reversed())
    }

    /// What is in a folder, but for what is hidden.
    package static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while names.count < mostNames, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.utf8.first != UInt8(ascii: ".") { names.append(name) }
        }
        return names
    }
}
