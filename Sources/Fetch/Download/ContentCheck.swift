import SluiceRecords

/// Tells feeds from what services send instead of them.
enum ContentCheck {
    /// Types under which JSON is served, compressed or not; besides all that end in `+json` or have JSON in their name.
    private static let types: Set<String> = [
        "text/plain", "application/octet-stream", "binary/octet-stream",
        "text/javascript", "application/javascript", "application/gzip", "application/x-gzip", "application/zstd",
        "application/x-zstd", "application/x-xz", "application/x-bzip2", "application/bzip2", "application/zip",
        "application/x-zip-compressed",
    ]

    /// Types under which tables are never served. Nearly all others they are.
    private static let otherTypes: Set<String> = [
        "text/html", "application/xhtml+xml", "application/xml", "text/xml", "application/json",
        "application/problem+json", "application/pdf",
    ]

    /// What is wrong with a type; nil if JSON, or a table, may be served so.
    static func complaint(type: String?, isTable: Bool = false, isArchive: Bool = false) -> String? {
        guard let type else { return nil }
        if isArchive { return otherTypes.contains(type) ? "answered with \(type), which is no archive" : nil }
        if isTable { return otherTypes.contains(type) ? "answered with \(type), which is not a table" : nil }
        guard !types.contains(type), !type.contains("json") else { return nil }
        return "answered with \(type), which is not JSON"
    }

    /// What is wrong with the first bytes of an answer; nil if nothing is known to be, or there are too few of them.
    static func complaint(beginning: some Sequence<UInt8>, isTable: Bool = false, isArchive: Bool = false) -> String? {
        let first = beginning.first { $0 != 0x20 && !(0x09...0x0d).contains($0) && !ByteOrderMark.bytes.contains($0) }
        guard first == UInt8(ascii: "<") else { return nil }
        let expected = isArchive ? "an archive" : isTable ? "a table" : "JSON"
        return "answered with a page of HTML or XML, which is not \(expected)"
    }

    /// What a page says that it is: of a login, most often.
    static func title(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        // Everything behind a `<` is a tag and what follows it.
        let tags = text.split(separator: "<")
        guard let tag = tags.first(where: { $0.prefix(5).lowercased() == "title" }),
            let end = tag.firstIndex(of: ">")
        else { return nil }
        let shown = excerpt(Array(tag[tag.index(after: end)...].utf8))
        return shown.isEmpty ? nil : shown
    }

    /// What a page without a title says, its tags aside.
    static func words(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: "<").compactMap { tag -> Substring? in
            let name = tag.prefix { $0.isLetter }.lowercased()
            guard !["script", "style"].contains(name), let end = tag.firstIndex(of: ">") else { return nil }
            return tag[tag.index(after: end)...]
        }
        let shown = excerpt(Array(parts.joined(separator: "\n").utf8))
        return shown.isEmpty ? nil : shown
    }

    /// What a refusal says: of a page of HTML or XML, its title, or its words; nil: nothing.
    static func refusal(_ bytes: [UInt8]) -> String? {
        if complaint(beginning: bytes) != nil { return title(bytes) ?? words(bytes) }
        let shown = excerpt(bytes)
        return shown.isEmpty ? nil : shown
    }

    /// The first lines of an answer, fit to be shown.
    static func excerpt(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.prefix(1000), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            String(String.UnicodeScalarView(line.unicodeScalars.map { isPlain($0) ? $0 : "\u{fffd}" })).trimmed
        }
        return String(lines.filter { !$0.isEmpty }.prefix(3).joined(separator: " ").prefix(200))
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
