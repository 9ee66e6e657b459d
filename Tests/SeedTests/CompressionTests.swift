import Foundation
import Glibc
import SluicePosix
import SluiceRecords
import Testing

@testable import SluiceSeed

/// What is compressed expands to what it was, and never to more than it may.
@Suite struct CompressionTests {
    private let scratch = Scratch()

    private func compress(_ bytes: [UInt8], level: Int = 3) throws -> ReadFile {
        let file = try WrittenFile(scratch.file("z"))
        let compressor = try Compressor(file, level: level, size: UInt64(bytes.count))
        let failure: Failure? = unsafe bytes.withUnsafeBytes { bytes in
            do throws(Failure) {
                try unsafe compressor.write(bytes)
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
        _ = try compressor.finish()
        try file.finish()
        return try ReadFile(scratch.file("z"))
    }

    private func expand(_ file: ReadFile, _ size: UInt64?) throws -> [UInt8] {
        let target = unsafe open(scratch.file("out"), O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { close(target) }
        _ = try WholeFile.expand(Expander(file, expanded: size), to: target, named: "out", Stop())
        return try ReadFile(scratch.file("out")).bytes(most: 1 << 28)
    }

    @Test(arguments: [0, 1, 131_071, 131_072, 131_073, 3_000_000], [1, 19])
    func thereAndBack(count: Int, level: Int) throws {
        if count > 200_000, level > 1 { return }
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        let file = try compress(bytes, level: level)
        #expect(try expand(file, UInt64(count)) == bytes)
        #expect(try expand(file, nil) == bytes)
    }

    private func refused(_ body: () throws -> Void) -> Failure.Kind? {
        do {
            try body()
            return nil
        } catch { return (error as? Failure)?.kind }
    }

    /// A few bytes that would fill the disk.
    @Test func aBomb() throws {
        let file = try compress([UInt8](repeating: 0, count: 40_000_000))
        #expect(file.size < 5000)
        #expect(refused { _ = try expand(file, 1000) } == .data)
        #expect(try ReadFile(scratch.file("out")).size < 1 << 20)
        #expect(refused { _ = try expand(file, 40_000_001) } == .data)
    }

    @Test func whatIsDamaged() throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
        let whole = try compress(bytes).bytes(most: 1 << 20)
        for cut in [0, 1, 4, whole.count / 2, whole.count - 1] {
            try Data(whole.prefix(cut)).write(to: URL(fileURLWithPath: scratch.file("z")))
            #expect(refused { _ = try expand(ReadFile(scratch.file("z")), 300_000) } == .data, "\(cut)")
        }
        for index in stride(from: 0, to: whole.count, by: max(1, whole.count / 20)) {
            var damaged = whole
            damaged[index] ^= 0x55
            try Data(damaged).write(to: URL(fileURLWithPath: scratch.file("z")))
            #expect(refused { _ = try expand(ReadFile(scratch.file("z")), 300_000) } == .data, "\(index)")
        }
    }
}
