import Foundation
import Glibc
import TestSupport
import Testing

/// A terminal on which the command runs.
enum Terminal {
    /// What the command writes to standard error, which is a terminal.
    ///
    /// - Parameter input: what goes to standard input; called while the command runs.
    static func run(
        _ arguments: [String], width: Int, environment: [String: String] = [:], input: () -> String
    ) throws -> String {
        let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number): (Int32, Int32) = (0, -1)
        var size = winsize(ws_row: 24, ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
        // TIOCSPTLCK and TIOCGPTN, macros that Swift does not import.
        try #require(unsafe ioctl(master, 0x4004_5431, &unlocked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
        let slave = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        let process = Process()
        let pipe = Pipe()
        process.executableURL = Sluice.executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
            .merging(environment) { $1 }
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
        try process.run()
        close(slave)
        try pipe.fileHandleForWriting.write(contentsOf: Data(input().utf8))
        try pipe.fileHandleForWriting.close()
        defer { close(master) }
        var shown: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        // Where the last process has closed a terminal, reading it fails.
        while case let count = unsafe read(master, &buffer, buffer.count), count > 0 { shown += buffer.prefix(count) }
        process.waitForEnd()
        return String(decoding: shown, as: UTF8.self)
    }
}
