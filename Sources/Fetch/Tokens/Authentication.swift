import SluicePosix

/// How a service is told who asks.
package enum Authentication: Sendable, Hashable {
    case bearer(Secret)
    case basic(user: Secret, password: Secret)
    case header(name: String, value: Secret)
    case oauth2(OAuth2)
    case aws(AWS)

    /// A service that wants requests signed with keys of AWS (Signature Version 4).
    package struct AWS: Sendable, Hashable {
        /// As signatures name it: `s3`, `execute-api`.
        package var name: String
        /// Nil: as variables or the profile of AWS say.
        package var region: String?

        package init(name: String, region: String? = nil) {
            self.name = name
            self.region = region
        }
    }

    /// How a token is asked for.
    package struct OAuth2: Sendable, Hashable {
        /// What entitles to a token.
        package enum Grant: Sendable, Hashable {
            /// Who the client is (RFC 6749, section 4.4).
            case client
            /// A signature of the client (RFC 7523, section 2.1), perhaps for somebody.
            case assertion(subject: Secret?)
            /// A token that was given before (RFC 6749, section 6): that of the definition, or a later one.
            case refresh(Secret)
            /// What somebody has said at `sluice login` (RFC 8628); the address of its beginning.
            case device(url: String)
        }

        package var tokenURL: String
        package var clientID: Secret
        /// The client's password; nil: it has none, or signs.
        package var clientSecret: Secret?
        /// The client's key, a PEM text.
        package var privateKey: Secret?
        /// Which of several keys it is.
        package var keyID: String?
        /// For whom a signature is; nil: for the address of the token.
        package var audience: String?
        package var scope: String?
        package var grant = Grant.client

        package init(tokenURL: String, clientID: Secret, clientSecret: Secret? = nil, scope: String? = nil) {
            self.tokenURL = tokenURL
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.scope = scope
        }
    }
}
