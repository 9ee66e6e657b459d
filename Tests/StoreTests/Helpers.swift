import Foundation
import SluiceRecords
import TestSupport

/// What is told on other threads.
final class Recorder<Value: Sendable>: @unchecked Sendable {
    // Unchecked: used under the lock.
    private let monitor = Monitor()
    private var all: [Value] = []

    func add(_ value: Value) { monitor.withLock { all.append(value) } }
    var values: [Value] { monitor.withLock { all } }
}

/// Other programs that use a store.
enum Shell {
    /// Runs statements.
    static func sqlite(_ path: String, _ sql: String) throws {
        _ = try python("c.executescript(sys.argv[2]); c.commit()", path, sql)
    }

    /// The values of all rows, a row a line.
    static func query(_ path: String, _ sql: String) throws -> String {
        try python("print(*[' '.join(map(str, r)) for r in c.execute(sys.argv[2])], sep='\\n')", path, sql)
            .trimmingCharacters(in: .newlines)
    }

    /// Begins to write, and ends when the pipe is closed, or this process ends.
    static func hold(_ path: String) throws -> Pipe {
        let script = "c.execute('BEGIN IMMEDIATE'); print('held', flush=True); sys.stdin.read()"
        let (process, output) = start(script, [path])
        let input = Pipe()
        process.standardInput = input
        try process.run()
        _ = output.fileHandleForReading.availableData
        return input
    }

    private static func python(_ script: String, _ arguments: String...) throws -> String {
        let (process, output) = start(script, arguments)
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitForEnd()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func start(_ script: String, _ arguments: String...) -> (Process, Pipe) { start(script, arguments) }

    private static func start(_ script: String, _ arguments: [String]) -> (Process, Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let opening = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=20); "
        process.arguments = ["python3", "-c", opening + script] + arguments
        let output = Pipe()
        process.standardOutput = output
        return (process, output)
    }
}

/// How many files of this process are a store's.
func openConnections(to path: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
}
