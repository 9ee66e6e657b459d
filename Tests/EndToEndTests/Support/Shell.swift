import Foundation
import TestSupport

/// Other programs that tests need.
enum Shell {
    /// What a program, found by the PATH, writes to standard output.
    static func output(_ words: [String]) throws -> Data {
        let scratch = TemporaryFolder()
        _ = try run(words, output: scratch.handle("out"))
        return try Data(contentsOf: URL(fileURLWithPath: scratch.file("out")))
    }

    /// Runs a program, found by the PATH, and returns its exit status.
    static func run(_ words: [String], output: FileHandle = .nullDevice) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try withSignals { try process.run() }
        process.waitForEnd()
        return process.terminationStatus
    }

    /// Starts what a script may want to stop again: threads of libdispatch block all signals, and a process begins
    /// with what its thread blocks. A server that no `kill` reaches is waited for without end.
    private static func withSignals(_ start: () throws -> Void) rethrows {
        var (none, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        try start()
    }
}
