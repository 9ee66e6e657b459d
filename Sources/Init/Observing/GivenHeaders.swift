import SluiceFetch
import SluicePosix
import SluiceRecords

/// Headers that services are asked with, as `--header` gives them, and what a source of a draft says of them: what may be a
/// secret is a variable there.
package struct GivenHeaders: Sendable {
    private var all: [(name: String, value: String)] = []

    package init() {}

    /// - Parameter text: `Name: value`.
    /// - Throws: `usage` where it is none.
    package mutating func add(_ text: String) throws(Failure) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte & 0xdf
            }
        let value = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
        guard isName, !value.isEmpty, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw Failure(.usage, "--header takes a name and a value, such as \"X-Api-Key: …\"")
        }
        all.append((name, value))
    }

    /// As requests have them.
    var parameters: [WebRequest.Parameter] { all.map { WebRequest.Parameter($0.name, .text($0.value)) } }

    /// The variables of which a draft takes what may be a secret.
    package var variables: [String] { all.compactMap { variable($0) } }

    /// What a source says of them.
    var members: [(String, String)] {
        var (auth, headers): (String?, [(String, String)]) = (nil, [])
        for header in all {
            guard let variable = variable(header) else {
                headers.append((header.name, DraftText.quoted(header.value)))
                continue
            }
            let value = JSONText.quoted("${\(variable)}")
            if auth == nil {
                let isToken = variable == GivenHeaders.token
                auth = JSONText.object([
                    isToken ? ("bearer", value) : ("header", JSONText.object([(header.name, value)]))
                ])
            } else {
                headers.append((header.name, value))
            }
        }
        return (auth.map { [("auth", $0)] } ?? []) + (headers.isEmpty ? [] : [("headers", JSONText.object(headers))])
    }

    private static let token = "API_TOKEN"

    /// Nil: it is no secret.
    private func variable(_ header: (name: String, value: String)) -> String? {
        let name = header.name.lowercased()
        if name.hasPrefix("accept") || name == "user-agent" || name.hasSuffix("-version") { return nil }
        if name == "authorization", header.value.lowercased().hasPrefix("bearer ") { return GivenHeaders.token }
        return String(
            decoding: header.name.uppercased().utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 },
            as: UTF8.self)
    }
}
