import SluiceExtract
import SluiceRecords

/// Bytes of which some are spaces, each time up to the end of the line.
final class BlankedLines: ByteSource {
    private let source: any ByteSource
    /// From where on, the next one first.
    private var starts: ArraySlice<UInt64>
    private var offset: UInt64 = 0
    private var isInLine = false

    init(_ source: any ByteSource, _ starts: [UInt64]) { (self.source, self.starts) = (source, starts[...]) }

    var consumed: Int { source.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = try unsafe source.read(into: buffer)
        var at = 0
        while at < count {
            if isInLine {
                let end = unsafe buffer[at..<count].firstIndex(of: 0x0a)
                for index in at..<(end ?? count) { unsafe buffer[index] = 0x20 }
                isInLine = end == nil
                at = end ?? count
            } else {
                guard let start = starts.first, start < offset + UInt64(count) else { break }
                at = max(at, Int(start - offset))
                starts = starts.dropFirst()
                isInLine = true
            }
        }
        offset += UInt64(count)
        return count
    }
}
