import Foundation

/// A token service with a feed behind it (oauth.py); it ends with this object, or with the process.
package final class OAuthService: @unchecked Sendable {
    // Unchecked: the process is only used in the end.

    package let url: String
    private let life = Pipe()
    private let process = Process()

    package init() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "oauth.py").path
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
        process.waitUntilExit()
    }

    /// Replaces what the service knows and does, and forgets what it was asked.
    package func offer(_ members: [String: Any]) throws {
        let body = try JSONSerialization.data(withJSONObject: members)
        _ = try curl(["--data-binary", String(decoding: body, as: UTF8.self), "\(url)/control"])
    }

    /// The forms that were posted to it.
    package var forms: [[String: String]] {
        get throws { try JSONDecoder().decode([[String: String]].self, from: curl(["\(url)/log"])) }
    }

    private func curl(_ words: [String]) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["curl", "-sS", "--noproxy", "*"] + words
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }
}
