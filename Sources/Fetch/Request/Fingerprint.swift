import SluiceExtract
import SluicePosix
import SluiceRecords

/// What tells some texts from others: a digest, in hexadecimal, from which they cannot be had.
package func fingerprint(of texts: [String]) -> String {
    guard let digest = try? SHA256() else { return "" }
    // The length goes along: two lists of texts must not melt into the same bytes.
    for text in texts { digest.update("\(text.utf8.count):\(text)") }
    guard let value = try? digest.value() else { return "" }
    return (0..<4).map { index in
        let digits = String(value[index], radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
}

extension Secret {
    /// What tells a value, or the file of one, from another, without showing it.
    package var fingerprint: String {
        switch self {
        case .text(let text): SluiceFetch.fingerprint(of: ["text", text])
        case .file(let path, _): SluiceFetch.fingerprint(of: ["file", path])
        case .command(let arguments, _, _): SluiceFetch.fingerprint(of: ["command"] + arguments)
        }
    }
}

extension JSONNode {
    /// The value without the members that say who asks.
    package var withoutCredentials: JSONNode {
        switch kind {
        case .object(let members):
            let kept = members.filter { $0.key != "auth" }.map { member in
                JSONMember(key: member.key, at: member.position, value: member.value.withoutCredentials)
            }
            return JSONNode(.object(kept), at: position)
        default: return self
        }
    }
}
