import SluicePosix
import SluiceRecords

/// Who asks for tokens, with the secrets that this takes.
struct TokenClient {
    let address: WebAddress
    let id: String
    /// Where people say that the client may have tokens.
    let deviceAddress: WebAddress?
    private let secret: String?
    private let key: SigningKey?
    private let oauth: Authentication.OAuth2
    /// The refresh token of the definition.
    let refreshToken: String?

    /// Reads the secrets.
    init(_ oauth: Authentication.OAuth2) throws(Failure) {
        self.oauth = oauth
        address = try Credentials.address(oauth.tokenURL)
        id = try oauth.clientID.value()
        secret = try oauth.clientSecret?.value()
        key = try oauth.privateKey.map { key throws(Failure) in try SigningKey(key.lines(), id: oauth.keyID) }
        var (refresh, device): (String?, WebAddress?)
        switch oauth.grant {
        case .refresh(let token): refresh = try token.value()
        case .device(let url): device = try Credentials.address(url)
        case .client, .assertion: break
        }
        (refreshToken, deviceAddress) = (refresh, device)
    }

    /// What nobody may see.
    var secrets: [String] { [secret, refreshToken].compactMap { $0 } }

    /// Where tokens are kept that are given for the next time; nil: none are needed.
    func keptTokens() throws(Failure) -> KeptTokens? {
        switch oauth.grant {
        case .client, .assertion: nil
        case .refresh, .device:
            try KeptTokens([oauth.tokenURL, id, oauth.scope ?? "", deviceAddress == nil ? "refresh" : "device"])
        }
    }

    // MARK: What is posted

    /// What asks for a token, without one that was given before (RFC 6749, section 4.4; RFC 7523, section 2.1).
    func request() throws(Failure) -> TokenRequest {
        guard case .assertion(let subject) = oauth.grant, let key else {
            return try authenticated([("grant_type", "client_credentials")] + scope)
        }
        let assertion = try key.token(claims(subject: subject?.value() ?? "") + scope)
        return TokenRequest(
            form: [("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion)] + scope)
    }

    /// What asks for a token by a refresh token (RFC 6749, section 6).
    func request(refreshToken: String) throws(Failure) -> TokenRequest {
        try authenticated([("grant_type", "refresh_token"), ("refresh_token", refreshToken)] + scope)
    }

    /// What asks for a code that people enter (RFC 8628, section 3.1).
    func deviceRequest() throws(Failure) -> TokenRequest { try authenticated(scope) }

    /// What asks whether people have said that the client may have a token (RFC 8628, section 3.4).
    func request(deviceCode: String) throws(Failure) -> TokenRequest {
        try authenticated([
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", deviceCode),
        ])
    }

    private var scope: [(name: String, value: String)] { oauth.scope.map { [("scope", $0)] } ?? [] }

    /// A form that says who asks: by a password (RFC 6749, section 2.3.1), by a signature (RFC 7523, section 2.2), or
    /// by the name alone.
    private func authenticated(_ form: [(name: String, value: String)]) throws(Failure) -> TokenRequest {
        if let secret {
            // Both are encoded before they become user and password.
            let user = "\(percentEncoded(id)):\(percentEncoded(secret))"
            // The device of a code says who it is in the form, too (RFC 8628, section 3.1).
            let name = deviceAddress == nil ? [] : [(name: "client_id", value: id)]
            return TokenRequest(form: form + name, authorization: "Basic \(base64(Array(user.utf8)))")
        }
        guard let key else { return TokenRequest(form: form + [("client_id", id)]) }
        return TokenRequest(
            form: form + [
                ("client_id", id), ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                ("client_assertion", try key.token(claims(subject: id))),
            ])
    }

    /// What a signature is about (RFC 7523, section 3).
    private func claims(subject: String) -> [(name: String, value: String)] {
        let claims = [("iss", id), ("aud", oauth.audience ?? oauth.tokenURL)]
        return subject.isEmpty ? claims : claims + [("sub", subject)]
    }
}
