import Foundation

/// A web service of issues and their comments (issues.py); it ends with this object, or with the process.
package final class IssueService: @unchecked Sendable {
    // Unchecked: the process is only used in the end.

    package let url: String
    private let life = Pipe()
    private let process = Process()

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

    package init() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "issues.py").path
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script]
        process.standardOutput = output
        process.standardInput = life
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let byte = output.fileHandleForReading.readData(ofLength: 1)
            if byte.isEmpty { throw CocoaError(.fileReadUnknown) }
            line += byte
        }
        url = "http://127.0.0.1:\(String(decoding: line.dropLast(), as: UTF8.self))"
    }

    deinit {
        try? life.fileHandleForWriting.close()
        process.waitForEnd()
    }

    /// Replaces what the service has and does, and forgets what it was asked.
    ///
    /// - Parameter more: members of the script, each with a comma before it.
    package func offer(_ issues: [Issue], _ more: String = "") throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let list = String(decoding: try encoder.encode(issues), as: UTF8.self)
        _ = try curl(["--data-binary", #"{"issues": \#(list)\#(more)}"#, "\(url)/control"])
    }

    package var requests: [Request] {
        get throws { try JSONDecoder().decode([Request].self, from: curl(["\(url)/log"])) }
    }

    /// How many tokens it gave, and how many requests it had at once.
    package var counts: [String: Int] {
        get throws { try JSONDecoder().decode([String: Int].self, from: curl(["\(url)/counts"])) }
    }

    private func curl(_ words: [String]) throws -> Data {
        let process = Process()
        let (output, input) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["curl", "-sS", "--noproxy", "*"] + words
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitForEnd()
        return data
    }
}
