import SluiceFetch
import SluicePosix
import SluiceRecords

/// Headers that services are asked with, as `--header` gives them, and what a source of a draft says of them: what may
/// be a secret is a variable there.
package struct RequestHeaders: Sendable {
    private var all: [(name: String, value: String)] = []
    private let variablesSet: [(name: String, value: String)]

    package init() { variablesSet = [] }

    /// - Parameter environment: in which a secret may be already, under whatever name.
    package init(environment: some Sequence<(key: String, value: String)>) {
        variablesSet = environment.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    }

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

    /// The variables of which a draft takes what may be a secret, with what each is to hold.
    package var variables: [(name: String, value: String)] {
        all.compactMap { header in variable(header).map { ($0, RequestHeaders.secret(header)) } }
    }

    /// What a source says of them: a token, or else the first of those that may be secrets, says who asks.
    var members: [(String, String)] {
        let secret = all.firstIndex(where: RequestHeaders.hasToken) ?? all.firstIndex { variable($0) != nil }
        var (auth, headers): ([(String, String)], [(String, String)]) = ([], [])
        for (index, header) in all.enumerated() {
            let variable = variable(header)
            let value = variable.map { JSONText.quoted("${\($0)}") } ?? DraftText.quoted(header.value)
            if index != secret {
                headers.append((header.name, value))
            } else if RequestHeaders.hasToken(header) {
                auth = [("bearer", value)]
            } else {
                auth = [("header", JSONText.object([(header.name, value)]))]
            }
        }
        return [("auth", auth), ("headers", headers)].filter { !$0.1.isEmpty }.map { ($0.0, JSONText.object($0.1)) }
    }

    private static let bearer = "bearer "
    /// A shorter value is that of a variable by chance.
    private static let leastSecret = 8

    private static func hasToken(_ header: (name: String, value: String)) -> Bool {
        header.name.lowercased() == "authorization" && header.value.lowercased().hasPrefix(bearer)
    }

    /// What a variable has of a header: a token alone.
    private static func secret(_ header: (name: String, value: String)) -> String {
        hasToken(header) ? String(header.value.dropFirst(bearer.count).drop { $0 == " " }) : header.value
    }

    /// The variable that has it already, or is to; nil: it is no secret.
    private func variable(_ header: (name: String, value: String)) -> String? {
        let name = header.name.lowercased()
        if name.hasPrefix("accept") || name == "user-agent" || name.hasSuffix("-version") { return nil }
        let upper = String(
            decoding: header.name.uppercased().utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 },
            as: UTF8.self)
        let own = RequestHeaders.hasToken(header) ? "API_TOKEN" : upper
        let secret = RequestHeaders.secret(header)
        let isSet = variablesSet.contains { $0.name.isIdentical(to: own) }
        guard !isSet, secret.utf8.count >= RequestHeaders.leastSecret else { return own }
        return variablesSet.first { $0.value.isIdentical(to: secret) && RequestHeaders.isName($0.name) }?.name ?? own
    }

    /// Whether a definition can name a variable.
    private static func isName(_ text: String) -> Bool {
        text.first?.isNumber == false && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
