import Foundation

/// A server of the tests' own, in a folder that goes away with it. It ends with this object, or with the process,
/// however that ends.
package final class HeldProgram: @unchecked Sendable {
    // Unchecked: nothing of it changes once it is there.

    package let folder: URL
    private let process = Process()
    // Held, so that the server lives as long.
    private let life = Pipe()
    private var log: URL { folder.appending(path: "log") }

    /// Why a server does not start.
    package struct Unavailable: Error {
        package var reason: String
    }

    /// - Parameters:
    ///   - start: what the shell does in the folder, which is its `$0`, as long as nothing fails; the last command is
    ///     the server.
    ///   - user: who has the folder and the server, where root runs the tests; nil: root.
    ///   - signal: what ends it. A thread of the tests may have blocked others, and so may what it starts.
    package init(in folder: URL, as user: String? = nil, signal: String = "TERM", _ start: String) throws {
        self.folder = folder
        let other = geteuid() == 0 ? user : nil
        if let other { try HeldProgram.run(["chown", "-R", other, folder.path]) }
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        // Nobody writes to the pipe: it ends when the tests do.
        let program = "set -e\n\(start) &\nset +e; cat; kill -\(signal) $!; wait; cd /; rm -rf \"$0\""
        let privileges = other.map { ["setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? []
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = privileges + ["sh", "-c", program, folder.path]
        process.currentDirectoryURL = folder
        process.standardInput = life
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
    }

    deinit {
        try? life.fileHandleForWriting.close()
        process.waitForEnd()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Waits until it answers.
    package func wait(until answers: () -> Bool) throws {
        for _ in 0..<3000 {
            if answers() { return }
            guard process.isRunning else { break }
            usleep(20_000)
        }
        throw Unavailable(reason: "a server does not start: " + ((try? String(contentsOf: log, encoding: .utf8)) ?? ""))
    }

    /// What a program writes that ends by itself.
    @discardableResult
    package static func run(_ words: [String], in folder: URL = URL(filePath: "/")) throws -> String {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = folder
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let reason = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitForEnd()
        guard process.terminationStatus == 0 else {
            throw Unavailable(reason: "\(words.joined(separator: " ")): \(String(decoding: reason, as: UTF8.self))")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Ports that nobody listens at.
    package static func freePorts(_ count: Int) throws -> [Int] {
        let program = """
            import socket
            all = [socket.socket() for _ in range(\(count))]
            for one in all: one.bind(("127.0.0.1", 0))
            print(*[one.getsockname()[1] for one in all])
            """
        return try run(["python3", "-c", program]).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    }
}
