import Foundation
import TestSupport
import Testing

/// A run of the command that goes on beside the test.
final class RunningSluice {
    private let process = Process()
    private let scratch = TemporaryFolder()
    private var input: Pipe?

    /// - Parameter pipesInput: whether standard input is a pipe that gives nothing until it is written to.
    init(
        _ arguments: [String], pipesInput: Bool = false, environment: [String: String] = [:],
        command: URL = Sluice.executable
    ) throws {
        process.executableURL = command
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = try scratch.handle("out")
        process.standardError = try scratch.handle("err")
        input = pipesInput ? Pipe() : nil
        if let input { process.standardInput = input } else { process.standardInput = FileHandle.nullDevice }
        try RunningSluice.startUnignoring(process)
    }

    private static let starting = NSLock()

    /// What a shell starts in the background, tests or not, ignores signals from the keyboard, and so would the run.
    private static func startUnignoring(_ process: Process) throws {
        try starting.withLock {
            let before = [SIGINT, SIGHUP].map { ($0, Foundation.signal($0, SIG_DFL)) }
            defer { for (number, action) in before { _ = Foundation.signal(number, action) } }
            try process.run()
        }
    }

    deinit { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }

    var id: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    var output: String { (try? String(contentsOfFile: scratch.file("out"), encoding: .utf8)) ?? "" }
    var errors: String { (try? String(contentsOfFile: scratch.file("err"), encoding: .utf8)) ?? "" }

    func signal(_ number: Int32) { Foundation.kill(id, number) }

    func write(_ text: String) throws { try input?.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    func closeInput() throws { try input?.fileHandleForWriting.close() }

    /// Waits until something is so; false if the process ends, or a minute passes, before it is.
    func waits(until condition: () -> Bool) -> Bool {
        for _ in 0..<60_000 {
            if condition() { return true }
            if !process.isRunning { return condition() }
            Thread.sleep(forTimeInterval: 0.001)
        }
        return false
    }

    /// Waits for the end, and returns how it ended, as a shell reports it. One that does not end in two minutes is
    /// killed.
    func ended() -> Sluice.Outcome {
        for _ in 0..<120_000 where process.isRunning { Thread.sleep(forTimeInterval: 0.001) }
        if process.isRunning { signal(SIGKILL) }
        process.waitForEnd()
        let status = process.terminationStatus
        let wasKilled = process.terminationReason == .uncaughtSignal
        let outcome = Sluice.Outcome(status: wasKilled ? 128 + status : status, output: output, errors: errors)
        if !wasKilled { try? ReportCheck.check(process.arguments ?? [], outcome, folder: nil) }
        return outcome
    }
}
