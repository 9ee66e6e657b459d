import Glibc
import Testing

@testable import SluiceLoad

/// Rows that wait: in memory as long as they are few, then on disk.
@Suite struct SpoolFileTests {
    /// Row after row of growing length, the last of a length of its own.
    @Test(arguments: [0, 1, 3, 60, 700, 1000], [0, 5000, 300_000, 2_000_000])
    func givesBackWhatItWasGiven(count: Int, last: Int) throws {
        let rows = Self.rows(count, first: 0) + [Array(repeating: 7, count: last)]
        let file = SpoolFile()
        for row in rows { try Self.append(row, file) }
        for _ in 0..<2 { try Self.expect(rows, file) }
    }

    /// Several in one file, which write their blocks in turn; one is read again before its end.
    @Test(arguments: [1, 40, 400], [64, 4096])
    func severalShareAFile(count: Int, bufferBytes: Int) throws {
        let blocks = SpoolBlocks()
        let files = (0..<5).map { _ in SpoolFile(blocks, bufferBytes: bufferBytes) }
        let rows = files.indices.map { Self.rows(count, first: $0) + [Array(repeating: 7, count: $0 * 3000)] }
        for row in 0...count { for (rows, file) in zip(rows, files) { try Self.append(rows[row], file) } }
        for (rows, file) in zip(rows, files).reversed() {
            try file.rewind()
            _ = unsafe try file.nextRow()
            try Self.expect(rows, file)
        }
    }

    /// What comes behind their first megabyte is written on another thread, in the order in which it comes.
    @Test(arguments: [50, 9_000, 300_000])
    func longOnes(length: Int) throws {
        var files = (0..<4).map { _ in SpoolFile() }
        let count = (3 << 20) / length
        for row in 0..<count {
            let bytes = [UInt8](repeating: UInt8(row % 251), count: length)
            for file in files { try Self.append(bytes, file) }
            // Some go before anyone has read them.
            if row == count / 2 { files.removeLast(2) }
        }
        let rows = (0..<count).map { [UInt8](repeating: UInt8($0 % 251), count: length) }
        for file in files { for _ in 0..<2 { try Self.expect(rows, file) } }
    }

    private static func rows(_ count: Int, first: Int) -> [[UInt8]] {
        (0..<count).map { [UInt8](repeating: UInt8(($0 + first) % 251), count: $0) }
    }

    private static func append(_ row: [UInt8], _ file: SpoolFile) throws {
        let start = unsafe try file.beginRow(row.count + 100)
        unsafe row.withUnsafeBytes { bytes in
            if let first = bytes.baseAddress { unsafe memcpy(start, first, bytes.count) }
        }
        unsafe try file.endRow(start + row.count)
    }

    private static func expect(_ rows: [[UInt8]], _ file: SpoolFile) throws {
        try file.rewind()
        for row in rows {
            let found = unsafe try #require(try file.nextRow())
            let isEqual = unsafe row.withUnsafeBytes { bytes in
                guard let first = bytes.baseAddress else { return true }
                return unsafe memcmp(found, first, bytes.count) == 0
            }
            #expect(isEqual)
        }
        #expect(try unsafe file.nextRow() == nil)
    }
}
