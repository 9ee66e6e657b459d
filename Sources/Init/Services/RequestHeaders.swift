import SluiceFetch
import SluicePosix
import SluiceRecords

/// Headers that services are asked with, as `--header` gives them, and what a source of a draft says of them: what may
/// be a secret is a variable there.
package struct RequestHeaders: Sendable {
    private var all: [(name: String, value: String)] = []

    package init() {}

    /// - Parameter text: `Name: value`.
    /// - Throws: `usage` where it is none, or one that no source may have.
    package mutating func add(_ text: String) throws(Failure) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let value = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
        guard !value.isEmpty, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw Failure(.usage, "--header takes a name and a value, such as \"X-Api-Key: …\"")
        }
        if let reason = WebRequest.wrongHeader(parts[0]) {
            throw Failure(
                .usage, "--header takes a name and a value, such as \"X-Api-Key: …\": \(parts[0].printable) \(reason)")
        }
        all.append((parts[0], value))
    }

    /// As requests have them.
    var parameters: [WebRequest.Parameter] { all.map { WebRequest.Parameter($0.name, .text($0.value)) } }

    /// The variables of which a draft takes what may be a secret.
    package var variables: [String] { all.compactMap { variable($0) } }

    /// What a source says of them: a token, or else the first of those that may be secrets, says who asks.
    var members: [(String, String)] {
        let secret = all.firstIndex { variable($0) == RequestHeaders.token } ?? all.firstIndex { variable($0) != nil }
        var (auth, headers): ([(String, String)], [(String, String)]) = ([], [])
        for (index, header) in all.enumerated() {
            let variable = variable(header)
            let value = variable.map { JSONText.quoted("${\($0)}") } ?? DraftText.quoted(header.value)
            if index != secret {
                headers.append((header.name, value))
            } else if variable == RequestHeaders.token {
                auth = [("bearer", value)]
            } else {
                auth = [("header", JSONText.object([(header.name, value)]))]
            }
        }
        return [("auth", auth), ("headers", headers)].filter { !$0.1.isEmpty }.map { ($0.0, JSONText.object($0.1)) }
    }

    private static let token = "API_TOKEN"

    /// Nil: it is no secret.
    private func variable(_ header: (name: String, value: String)) -> String? {
        let name = header.name.lowercased()
        if name.hasPrefix("accept") || name == "user-agent" || name.hasSuffix("-version") { return nil }
        if name == "authorization", header.value.lowercased().hasPrefix("bearer ") { return RequestHeaders.token }
        return String(
            decoding: header.name.uppercased().utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 },
            as: UTF8.self)
    }
}
