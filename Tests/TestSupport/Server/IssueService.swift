import Foundation

/// A web service of issues and their comments (issues.py); it ends with this object, or with the process.
package final class IssueService: Sendable {
    private let server: ServerProcess
    package var url: String { server.url }

    package struct Comment: Codable, Sendable, Hashable {
        package var id: Int
        package var updated: String
        package var text: String
        package init(id: Int, updated: String, text: String) {
            (self.id, self.updated, self.text) = (id, updated, text)
        }
    }

    package struct Issue: Codable, Sendable, Hashable {
        package var number: Int
        package var updated: String
        package var comments: [Comment]
        package init(number: Int, updated: String, comments: [Comment]) {
            (self.number, self.updated, self.comments) = (number, updated, comments)
        }
    }

    /// A request that the service got.
    package struct Request: Decodable, Sendable {
        package var path: String
        package var status: Int
        package var tag: String?
    }

    package init() throws { server = try ServerProcess("issues.py") }

    /// Replaces what the service has and does, and forgets what it was asked.
    ///
    /// - Parameter more: members of the script, each with a comma before it.
    package func offer(_ issues: [Issue], _ more: String = "") throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let list = String(decoding: try encoder.encode(issues), as: UTF8.self)
        _ = try server.curl(["--data-binary", #"{"issues": \#(list)\#(more)}"#, "\(url)/control"])
    }

    package var requests: [Request] {
        get throws { try JSONDecoder().decode([Request].self, from: server.curl(["\(url)/log"])) }
    }

    /// How many tokens it gave, and how many requests it had at once.
    package var counts: [String: Int] {
        get throws { try JSONDecoder().decode([String: Int].self, from: server.curl(["\(url)/counts"])) }
    }
}
