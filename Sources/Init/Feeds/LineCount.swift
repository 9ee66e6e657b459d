import SluiceExtract
import SluiceRecords

/// Counts the lines of a feed.
enum LineCount {
    /// How many lines end before an offset.
    static func lines(of source: any ByteSource, until offset: UInt64) throws(Failure) -> Int {
        var (lines, left) = (0, Int(clamping: offset))
        try forEachPart(of: source) { bytes in
            lines += bytes.prefix(left).count { $0 == 0x0a }
            left -= min(left, bytes.count)
            return left > 0
        }
        return lines
    }

    /// How many lines have something in them.
    static func filled(in source: any ByteSource) throws(Failure) -> Int {
        var (lines, isFilled) = (0, false)
        try forEachPart(of: source) { bytes in
            for byte in bytes {
                if byte == 0x0a {
                    if isFilled { lines += 1 }
                    isFilled = false
                } else if byte != 0x20, byte != 0x09, byte != 0x0d {
                    isFilled = true
                }
            }
            return true
        }
        return isFilled ? lines + 1 : lines
    }

    /// Calls a function with the bytes, part by part, as long as it wants more.
    static func forEachPart(of source: any ByteSource, _ body: (ArraySlice<UInt8>) -> Bool) throws(Failure) {
        while true {
            let bytes = try source.bytes(most: 1 << 18)
            if bytes.isEmpty || !body(bytes[...]) { return }
        }
    }
}
