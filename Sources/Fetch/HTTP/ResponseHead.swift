import Glibc
import SluiceRecords

/// The status and the headers of an answer.
struct ResponseHead: Sendable {
    private(set) var status = 0
    /// In the order of the answer; names in lower case.
    private(set) var fields: [(name: String, value: String)] = []
    /// Whether its end has come.
    private(set) var isWhole = false

    /// Adds a line, with or without its end.
    mutating func add(line: String) {
        // What comes behind the content is none of its.
        if isWhole { return }
        let text = line.trimmed
        if text.hasPrefix("HTTP/") {
            // An answer may be preceded by others, such as 100 or 103.
            self = ResponseHead()
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if text.isEmpty {
            isWhole = status >= 200
        } else if let colon = text.firstIndex(of: ":") {
            let name = String(text[..<colon]).lowercased()
            fields.append((name, String(text[text.index(after: colon)...]).trimmed))
        }
    }

    /// The value of a header; of several, the first.
    subscript(name: String) -> String? { fields.first { $0.name.isIdentical(to: name) }?.value }

    /// The values of a header that may come several times.
    func all(_ name: String) -> [String] { fields.filter { $0.name.isIdentical(to: name) }.map(\.value) }
}

extension ResponseHead {
    /// None that would break the line of a header, when it is sent back.
    var validators: Validators { Validators(etag: unbroken("etag"), lastModified: unbroken("last-modified")) }

    private func unbroken(_ name: String) -> String? {
        guard let value = self[name], !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f }) else {
            return nil
        }
        return value
    }

    /// The type of the content, without its parameters, in lower case; nil: none is named.
    var contentType: String? {
        guard let field = self["content-type"] else { return nil }
        let type = String(field.prefix { $0 != ";" }).trimmed.lowercased()
        return type.isEmpty ? nil : type
    }

    /// How the content was compressed for the transfer, in the order in which that was done; in lower case.
    var codings: [String] {
        all("content-encoding").flatMap { $0.split(separator: ",") }.map { String($0).trimmed.lowercased() }
            .filter { !["", "identity"].contains($0) }
    }

    /// The bytes of the content as it is sent, if the answer says so.
    var contentLength: UInt64? { lengths.first.flatMap { UInt64($0) } }

    /// Whether the answer contradicts itself: nobody knows where it ends.
    var hasSeveralLengths: Bool { Set(lengths).count > 1 }

    /// A length that is said again and again is one (RFC 9110, section 8.6).
    private var lengths: [String] {
        all("content-length").flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { String($0).trimmed }
    }

    /// The seconds that the service asks for, whichever form it uses; 0: it does not.
    var retryAfter: Double {
        guard let field = self["retry-after"] else { return isRateLimit ? rateLimitEnd ?? 0 : 0 }
        // Some services tell parts of seconds (`2.0`), which is not in RFC 9110.
        if field.utf8.first?.isDigit == true, field.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) {
            return Double(field) ?? .infinity
        }
        return httpDate(field).map { max(0, Double($0 - time(nil))) } ?? 0
    }

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
        if let etag = unbroken("etag"), !etag.hasPrefix("W/") { return etag }
        // A date is that of the plain content, too, of which a range would count other bytes.
        guard codings.isEmpty else { return nil }
        // A date is good enough if the content cannot have changed twice within its second.
        guard let changed = unbroken("last-modified"), let date = self["date"], let then = httpDate(changed),
            let moment = httpDate(date), moment > then
        else { return nil }
        return changed
    }
}
