import CSluicePostgreSQL
import SluiceRecords

// What is an address, and what the path of a file.
extension ServerAddress {
    /// Whether a text means a database on a server, and no file: a URI, or words of libpq's such as `host=`. A path
    /// that begins with a slash or a dot is one whatever follows.
    package static func isMeant(by text: String) -> Bool {
        if text.hasPrefix("postgresql:") || text.hasPrefix("postgres:") { return true }
        // Most stores are files: for their names, libpq need not be loaded.
        if text.hasPrefix("/") || text.hasPrefix(".") || !text.utf8.contains(UInt8(ascii: "=")) { return false }
        let known = words
        return text.split(separator: "=", omittingEmptySubsequences: false).dropLast().contains { before in
            before.split(whereSeparator: \.isWhitespace).last.map { known.contains(ExactText(String($0))) } ?? false
        }
    }

    /// All that libpq takes before an equals sign.
    private static var words: Set<ExactText> {
        guard let options = unsafe PQconninfoParse("", nil) else { return [] }
        defer { unsafe PQconninfoFree(options) }
        var words: Set<ExactText> = []
        var option = unsafe options
        while let name = unsafe option.pointee.keyword {
            unsafe words.insert(ExactText(String(cString: name)))
            unsafe option += 1
        }
        return words
    }
}
