import Foundation

/// A server of the tests in Python, which prints its port; it ends with this object, or with the process.
final class ServerProcess: @unchecked Sendable {
    // Unchecked: the process is only used in the end.

    let url: String
    private let life = Pipe()
    private let process = Process()

    /// - Parameter script: the name of a file beside this one.
    init(_ script: String, _ arguments: [String] = []) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "python3", URL(filePath: #filePath).deletingLastPathComponent().appending(path: script).path,
            ] + arguments
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

    /// Replaces what the server knows and does, and forgets what it was asked.
    func offer(_ members: [String: Any]) throws {
        let body = try JSONSerialization.data(withJSONObject: members)
        _ = try curl(["--data-binary", String(decoding: body, as: UTF8.self), "\(url)/control"])
    }

    /// What the server was asked.
    func log<Entry: Decodable>(_ type: Entry.Type) throws -> [Entry] {
        try JSONDecoder().decode([Entry].self, from: curl(["\(url)/log"]))
    }

    /// What the server has.
    func state<State: Decodable>(_ type: State.Type, at path: String = "state") throws -> State {
        let decoder = JSONDecoder()
        decoder.dataDecodingStrategy = .base64
        return try decoder.decode(State.self, from: curl(["\(url)/\(path)"]))
    }

    /// What curl gets from the server.
    func curl(_ words: [String]) throws -> Data {
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
