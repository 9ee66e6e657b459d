import Testing

@testable import SluiceLoad

/// Rows that wait: in memory as long as they are few, then on disk.
@Suite struct SpoolFileTests {
    /// Row after row of growing length, the last of a length of its own.
    @Test(arguments: [0, 1, 3, 60, 700, 1000], [0, 5000, 300_000, 2_000_000])
    func givesBackWhatItWasGiven(count: Int, last: Int) throws {
        let file = SpoolFile()
        var rows = (0..<count).map { [UInt8](repeating: UInt8($0 % 251), count: $0) }
        rows.append(Array(repeating: 7, count: last))
        for row in rows {
            let start = unsafe try file.beginRow(row.count + 100)
            for (place, byte) in row.enumerated() { unsafe start[place] = byte }
            unsafe file.endRow(start + row.count)
        }
        for _ in 0..<2 {
            try file.rewind()
            for row in rows {
                let found = unsafe try #require(try file.nextRow())
                #expect(row.indices.allSatisfy { unsafe found[$0] == row[$0] })
            }
            #expect(try unsafe file.nextRow() == nil)
        }
    }
}
