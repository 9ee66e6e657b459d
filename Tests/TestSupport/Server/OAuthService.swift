/// A token service with a feed behind it (oauth.py).
package final class OAuthService: Sendable {
    private let server: ServerProcess
    package var url: String { server.url }

    package init() throws { server = try ServerProcess("oauth.py") }

    /// Replaces what the service knows and does, and forgets what it was asked.
    package func offer(_ members: [String: Any]) throws { try server.offer(members) }

    /// The forms that were posted to it.
    package var forms: [[String: String]] {
        get throws { try server.log([String: String].self) }
    }
}
