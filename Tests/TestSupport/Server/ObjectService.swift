import Foundation

/// A service that speaks S3, and verifies signatures (s3.py).
package final class ObjectService: Sendable {
    private let server: ServerProcess
    package var url: String { server.url }

    /// A request that it was sent.
    package struct Request: Decodable, Sendable {
        /// Of the object; empty for a list.
        package var key: String
        package var method: String
        /// Bytes that were sent along.
        package var size: Int?
        package var range: String?
        package var query: [String: String]
    }

    package init() throws { server = try ServerProcess("s3.py") }

    /// Replaces what the service has and does, and forgets what it was asked.
    package func offer(_ members: [String: Any]) throws { try server.offer(members) }

    /// What the service has.
    package struct State: Decodable, Sendable {
        /// By bucket and key.
        package var objects: [String: [String: Data]]
        /// What went along with objects, by bucket and key.
        package var headers: [String: [String: String]]
    }

    package var state: State { get throws { try server.state(State.self) } }

    /// What the service has, without what the objects hold.
    package struct Names: Decodable, Sendable {
        /// The keys of each bucket, sorted.
        package var keys: [String: [String]]
        /// The keys of objects whose uploads have been begun, and not ended.
        package var uploads: [String]
    }

    package var names: Names { get throws { try server.state(Names.self, at: "names") } }

    package var requests: [Request] {
        get throws { try server.log(Request.self) }
    }
}
