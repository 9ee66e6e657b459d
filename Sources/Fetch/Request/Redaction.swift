/// Takes secrets out of what is shown: a service may well repeat in an answer what it was sent.
struct Redaction: Sendable {
    private var secrets: [String] = []

    /// What stands for a secret.
    static let mark = "***"

    /// Adds a secret, in the forms in which it goes over the wire.
    mutating func add(_ secret: String) {
        for form in [secret, percentEncoded(secret), base64(Array(secret.utf8))] where !form.isEmpty {
            if !secrets.contains(form) { secrets.append(form) }
        }
        // A long one may hold a short one.
        secrets.sort { $0.utf8.count > $1.utf8.count }
    }

    /// A text without the secrets that it holds.
    func cleaned(_ text: String) -> String {
        secrets.reduce(text) { text, secret in text.replacingExactly(secret, with: Redaction.mark) }
    }
}
