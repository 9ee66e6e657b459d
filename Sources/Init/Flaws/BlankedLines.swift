import SluiceExtract
import SluiceRecords

/// Bytes of which some are white space, each time up to the end of the line.
final class BlankedLines: ByteSource {
    private let source: any ByteSource
    /// From where on, the next one first.
    private var starts: ArraySlice<UInt64>
    private var offset: UInt64 = 0
    private var isInLine = false
    /// What stands in their place.
    private let blank: UInt8

    init(_ source: any ByteSource, _ starts: [UInt64], with blank: UInt8 = 0x20) {
        (self.source, self.starts, self.blank) = (source, starts[...], blank)
    }

    var consumed: Int { source.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = try unsafe source.read(into: buffer)
        var at = 0
        while at < count {
            if isInLine {
                let end = unsafe buffer[at..<count].firstIndex(of: 0x0a)
                for index in at..<(end ?? count) { unsafe buffer[index] = blank }
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
