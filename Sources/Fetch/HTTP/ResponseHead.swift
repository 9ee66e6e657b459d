/// The status and the headers of an answer.
struct ResponseHead: Sendable {
    private(set) var status = 0
    /// In the order of the answer; names in lower case.
    private(set) var fields: [(name: String, value: String)] = []
    /// Whether its end has come.
    private(set) var isWhole = false

    /// Adds a line, with or without its end.
    mutating func add(line: String) {
        let text = line.trimmed
        if text.hasPrefix("HTTP/") {
            // An answer may be preceded by others, such as 100 or 103.
            self = ResponseHead()
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if text.isEmpty {
            isWhole = status >= 200
        } else if !isWhole, let colon = text.firstIndex(of: ":") {
            let name = String(text[..<colon]).lowercased()
            fields.append((name, String(text[text.index(after: colon)...]).trimmed))
        }
    }

    /// The value of a header; of several, the first.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The values of a header that may come several times.
    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}

extension ResponseHead {
    var validators: Validators { Validators(etag: self["etag"], lastModified: self["last-modified"]) }

    /// The type of the content, without its parameters, in lower case; nil: none is named.
    var contentType: String? {
        guard let field = self["content-type"] else { return nil }
        let type = String(field.prefix { $0 != ";" }).trimmed.lowercased()
        return type.isEmpty ? nil : type
    }

    /// Whether the content is sent as it is.
    var isIdentity: Bool { ["", "identity"].contains(self["content-encoding"]?.lowercased() ?? "") }

    /// The bytes of the content as it is sent, if the answer says so.
    var contentLength: UInt64? { self["content-length"].flatMap { UInt64($0) } }

    /// What `Content-Range` says: where the part begins, and the length of the whole.
    var range: (start: UInt64, whole: UInt64?)? {
        guard let field = self["content-range"]?.lowercased(), field.hasPrefix("bytes ") else { return nil }
        let parts = field.dropFirst(6).split(separator: "/")
        guard parts.count == 2, let start = parts[0].split(separator: "-").first.flatMap({ UInt64($0) }) else {
            return nil
        }
        return (start, UInt64(parts[1]))
    }

    /// What guards a request for the rest of the content (RFC 9110, section 13.1.5); nil: nothing that would do.
    var rangeGuard: String? {
        if let etag = self["etag"] { if !etag.hasPrefix("W/") { return etag } }
        // A date is good enough if the content cannot have changed twice within its second.
        guard let changed = self["last-modified"], let date = self["date"], let then = httpDate(changed),
            let moment = httpDate(date), moment > then
        else { return nil }
        return changed
    }
}

extension String {
    /// Without white space at both ends.
    var trimmed: String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
        let bytes = Array(utf8)
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}
