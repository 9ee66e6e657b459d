extension Path {
    /// A path that somebody may have meant: names between dots that are no plain words, taken as they are.
    ///
    /// - Parameter text: what is no path.
    /// - Returns: nil where nothing comes of it.
    package static func suggestion(for text: String) -> Path? {
        let bytes = Array(text.utf8)
        let start = bytes.prefix { "$@^".utf8.contains($0) }.count
        let names = bytes[start...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        var written = String(decoding: bytes[..<start], as: UTF8.self)
        for (index, part) in names.enumerated() where !(index == 0 && start > 0 && part.isEmpty) {
            // What chooses among elements, or takes a key, stands behind the name.
            let hasKey = part.last == UInt8(ascii: "~")
            let end = part.firstIndex(of: UInt8(ascii: "[")) ?? (hasKey ? part.endIndex - 1 : part.endIndex)
            let name = String(decoding: part[..<end], as: UTF8.self)
            if name.isEmpty { return nil }
            let isFirst = written.isEmpty
            let step: Step = name.isIdentical(to: "*") ? .wildcard : .name(name)
            written += isFirst && isPlain(name) ? name : spelled(step)
            written += String(decoding: part[end...], as: UTF8.self)
        }
        return try? Path.parse(written)
    }
}
