import Glibc
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceLoad
@testable import SluicePosix

/// The thread that writes long spools.
@Suite struct SpoolWriterTests {
    /// It has a thread and memory while some spool is long, again and again.
    @Test func writesWhatComesInBlocks() throws {
        let writer = SpoolWriter()
        for round in 0..<3 {
            writer.addUser()
            defer { writer.removeUser() }
            let targets = try (0..<3).map { _ in SpoolTarget(try TemporaryFile()) }
            var (numbers, ends) = ([0, 0, 0], [0, 0, 0])
            var random = SeededRandom(round)
            for _ in 0..<150 {
                let target = Int.random(in: 0..<3, using: &random)
                let bytes = Self.bytes(from: ends[target], count: Int.random(in: 0...40_000, using: &random))
                numbers[target] = try Self.write(bytes, at: ends[target], writer, targets[target])
                ends[target] += bytes.count
            }
            for target in targets.indices {
                try writer.waitUntilWritten(numbers[target], of: targets[target])
                #expect(try Self.content(of: targets[target], ends[target]) == Self.bytes(from: 0, count: ends[target]))
            }
        }
    }

    /// The next caller that writes or reads the same file gets the failure of a block, and no other caller.
    @Test func aFailureIsSaidLater() throws {
        let writer = SpoolWriter()
        writer.addUser()
        defer { writer.removeUser() }
        let full = SpoolTarget(TemporaryFile("a temporary file", descriptor: unsafe open("/dev/full", O_WRONLY)))
        let other = SpoolTarget(try TemporaryFile())
        let number = try Self.write([1, 2, 3], at: 0, writer, full)
        #expect(number > 0)
        let failure = #expect(throws: Failure.self) { try writer.waitUntilWritten(number, of: full) }
        #expect(failure?.message == "a temporary file cannot be written: No space left on device")
        #expect(throws: Failure.self) { try Self.write([4], at: 3, writer, full) }
        try writer.waitUntilWritten(try Self.write([5, 6], at: 0, writer, other), of: other)
        #expect(try Self.content(of: other, 2) == [5, 6])
    }

    /// Without a thread, and what is longer than a block, the caller writes itself.
    @Test(arguments: [true, false])
    func theCallerWrites(isEntered: Bool) throws {
        let writer = SpoolWriter()
        if isEntered { writer.addUser() }
        defer { if isEntered { writer.removeUser() } }
        let target = SpoolTarget(try TemporaryFile())
        let bytes = Self.bytes(from: 0, count: isEntered ? 1 << 20 : 10)
        #expect(try Self.write(bytes, at: 0, writer, target) == 0)
        #expect(try Self.content(of: target, bytes.count) == bytes)
    }

    private static func bytes(from start: Int, count: Int) -> [UInt8] {
        (start..<start + count).map { UInt8($0 % 253) }
    }

    @discardableResult
    private static func write(
        _ bytes: [UInt8], at offset: Int, _ writer: SpoolWriter, _ target: SpoolTarget
    ) throws -> Int {
        try unsafe bytes.withUnsafeBytes { try unsafe writer.write($0, at: offset, of: target) }
    }

    private static func content(of target: SpoolTarget, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try unsafe bytes.withUnsafeMutableBytes { try unsafe target.file.read(into: $0, at: 0) }
        return Array(bytes.prefix(got))
    }
}
