import SluiceRecords

/// Takes secrets out of what is shown: a service may well repeat in an answer what it was sent.
///
/// What is shown of an answer is cleaned before it is shortened or quoted: of a secret at the edge, half would stay.
struct Redaction: Sendable {
    private var secrets: [String] = []

    /// What stands for a secret.
    static let mark = "***"

    /// So many of the first bytes of a secret are taken out at the end of an answer that is cut there.
    private static let leastHalf = 4

    /// Adds a secret, in the forms in which it goes over the wire, and comes back in JSON.
    mutating func add(_ secret: String) {
        let escaped = String(JSONText.quoted(secret).dropFirst().dropLast())
        let forms = [
            secret, percentEncoded(secret), base64(Array(secret.utf8)), escaped,
            // As PHP escapes it.
            escaped.replacingExactly("/", with: "\\/"),
        ]
        for form in forms where !form.isEmpty && !secrets.containsExactly(form) { secrets.append(form) }
        // A long one may hold a short one.
        secrets.sort { $0.utf8.count > $1.utf8.count }
    }

    /// A text without the secrets that it holds.
    func cleaned(_ text: String) -> String {
        secrets.reduce(text) { text, secret in text.replacingExactly(secret, with: Redaction.mark) }
    }

    /// The first bytes of an answer without the secrets that they hold, nor the first half of one at their end.
    func cleaned(_ beginning: [UInt8]) -> [UInt8] {
        var bytes = beginning
        for secret in secrets {
            bytes = bytes.replacingEach(Array(secret.utf8), with: Array(Redaction.mark.utf8)) ?? bytes
        }
        let halves = secrets.map { bytes.countAtEnd(ofBeginningOf: Array($0.utf8)) }
        guard let half = halves.max(), half >= Redaction.leastHalf else { return bytes }
        return bytes.dropLast(half) + Redaction.mark.utf8
    }
}

extension [UInt8] {
    /// How many of the last bytes are the first ones of something.
    fileprivate func countAtEnd(ofBeginningOf whole: [UInt8]) -> Int {
        (0...Swift.min(count, whole.count)).last { suffix($0).elementsEqual(whole.prefix($0)) } ?? 0
    }
}
