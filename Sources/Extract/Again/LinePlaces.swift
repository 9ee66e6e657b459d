import Glibc
import SluiceRecords

/// The lines in which records stand, read from the feed again: a run keeps the bytes at which records begin, and no
/// lines.
package struct LinePlaces {
    package typealias Place = (line: UInt64, column: UInt64)

    private let copies: FeedCopies

    package init(_ copies: FeedCopies) { self.copies = copies }

    /// The place of each position; nil where its feed was a pipe, has changed, or is not there any more.
    package func find(_ positions: [RecordPositionKey]) -> [Place?] {
        var found = [Place?](repeating: nil, count: positions.count)
        var rest = positions.indices.sorted { positions[$0] < positions[$1] }[...]
        while let first = rest.first {
            let (source, file) = (positions[first].source, positions[first].file)
            let same = rest.prefix { isSameFile(positions[$0], positions[first]) }
            rest = rest.dropFirst(same.count)
            // That a feed cannot be read again is said where its records are wanted.
            guard let bytes = try? copies.reopenText(source: source, file: file) else { continue }
            try? count(ForwardBytes(bytes), same.map { (positions[$0].offset, $0) }) { found[$0] = $1 }
        }
        return found
    }

    private func isSameFile(_ one: RecordPositionKey, _ other: RecordPositionKey) -> Bool {
        (one.source, one.file) == (other.source, other.file)
    }

    /// Counts the lines of one file up to each of some bytes, which are in order.
    private func count(
        _ bytes: ForwardBytes, _ wanted: [(offset: UInt64, index: Int)], found: (Int, Place) -> Void
    ) throws(Failure) {
        var (line, start, next): (UInt64, UInt64, Int) = (1, 0, 0)
        while next < wanted.count, try bytes.readOn() {
            var at = bytes.origin
            while next < wanted.count {
                let end = min(wanted[next].offset, bytes.end)
                while let feed = lineFeed(bytes, from: at, to: end) {
                    (line, start, at) = (line + 1, feed + 1, feed + 1)
                }
                at = end
                guard wanted[next].offset < bytes.end else { break }
                found(wanted[next].index, (line, wanted[next].offset - start + 1))
                next += 1
            }
        }
    }

    /// The first line feed between two bytes that are at hand.
    private func lineFeed(_ bytes: ForwardBytes, from: UInt64, to end: UInt64) -> UInt64? {
        guard from < end else { return nil }
        let base = unsafe bytes.base + Int(from - bytes.origin)
        guard let found = unsafe memchr(base, 0x0a, Int(end - from)) else { return nil }
        return from + UInt64(unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base))
    }
}
