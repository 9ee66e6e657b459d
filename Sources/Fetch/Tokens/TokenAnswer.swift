import SluiceExtract
import SluiceRecords

/// What a token service answers with (RFC 6749, section 5.1).
struct TokenAnswer {
    var token: String?
    var refreshToken: String?
    /// Seconds for which the token is good.
    var lifetime: Double?

    /// Nil where it is no JSON.
    init?(_ bytes: [UInt8], from address: WebAddress) {
        guard let root = try? JSONTree.read(bytes, file: address.shown).root else { return nil }
        token = TokenAnswer.text(root["access_token"])
        refreshToken = TokenAnswer.text(root["refresh_token"])
        if case .number(let text)? = root["expires_in"]?.kind { lifetime = Double(text) }
    }

    init(token: String, lifetime: Double?) {
        self.token = token
        self.lifetime = lifetime
    }

    /// A text that can be sent in a header.
    private static func text(_ node: JSONNode?) -> String? {
        guard case .string(let text)? = node?.kind, !text.isEmpty,
            !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f })
        else { return nil }
        return text
    }
}
