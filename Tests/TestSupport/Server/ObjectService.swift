/// A service that speaks S3, and verifies signatures (s3.py).
package final class ObjectService: Sendable {
    private let server: ServerProcess
    package var url: String { server.url }

    /// A request that it was sent.
    package struct Request: Decodable, Sendable {
        /// Of the object; empty for a list.
        package var key: String
        package var range: String?
        package var query: [String: String]
    }

    package init() throws { server = try ServerProcess("s3.py") }

    /// Replaces what the service has and does, and forgets what it was asked.
    package func offer(_ members: [String: Any]) throws { try server.offer(members) }

    package var requests: [Request] {
        get throws { try server.log(Request.self) }
    }
}
