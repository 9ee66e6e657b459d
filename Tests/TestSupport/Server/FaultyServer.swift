import Foundation

/// A web server that does what its scripts say, right or wrong; it ends with this object, or with the process.
package final class FaultyServer: Sendable {
    package let port: Int
    // Held, so that the server lives as long.
    private let life: Pipe
    private let process: ProcessHandle

    private final class ProcessHandle: @unchecked Sendable {
        // Unchecked: it is used once, in the end.
        let process: Process
        init(_ process: Process) { self.process = process }
    }

    /// One for all tests of a process.
    package static let shared = FaultyServer()

    package init() {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "faulty.py").path
        let process = Process()
        let (output, input) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script]
        process.standardOutput = output
        process.standardInput = input
        do { try process.run() } catch { fatalError("python3 cannot be started: \(error)") }
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let byte = output.fileHandleForReading.readData(ofLength: 1)
            if byte.isEmpty { fatalError("the server of the tests did not start") }
            line += byte
        }
        guard let port = Int(String(decoding: line.dropLast(), as: UTF8.self)) else { fatalError("no port") }
        self.port = port
        life = input
        self.process = ProcessHandle(process)
    }

    deinit {
        try? life.fileHandleForWriting.close()
        process.process.waitForEnd()
    }

    /// What a service does: a script of its own, and the requests that it gets.
    package func service(_ steps: [String]) -> FaultyService {
        let service = FaultyService(key: UUID().uuidString, port: port)
        service.post("[\(steps.joined(separator: ","))]")
        return service
    }

    package func service(_ steps: String...) -> FaultyService { service(steps) }
}

/// An address that is answered by a script: steps as faulty.py explains them.
package struct FaultyService: Sendable {
    let key: String
    let port: Int

    package var url: String { "http://127.0.0.1:\(port)/\(key)" }
    /// A file of the service, with a script of its own.
    package func file(_ name: String) -> FaultyService { FaultyService(key: "\(key)/\(name)", port: port) }

    /// The same for another name of the host.
    package var otherURL: String { "http://localhost:\(port)/\(key)" }

    /// Replaces the script.
    package func post(_ script: String) {
        _ = curl(["-H", "X-Script: 1", "--data-binary", script, url])
    }

    /// A request that the service got.
    package struct Request: Decodable, Sendable {
        package var method: String
        package var query: String
        /// What was asked for; whole, if a proxy is asked.
        package var target: String
        /// Names in lower case.
        package var headers: [String: String]
        package var body: String
    }

    package var requests: [Request] {
        (try? JSONDecoder().decode([Request].self, from: curl(["\(url)/log"]))) ?? []
    }

    private func curl(_ words: [String]) -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["curl", "-sS", "--noproxy", "*"] + words
        process.standardOutput = output
        do { try process.run() } catch { fatalError("curl cannot be started: \(error)") }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitForEnd()
        return data
    }
}
