import CSluiceZlib
import SluiceRecords

/// Compresses pages, as gzip: what every reader of Parquet understands, and Debian has.
@safe
final class PageCompressor {
    /// Fast: pages are made by the thread that reads.
    private static let level: Int32 = 1
    /// Smaller pages are left as they are.
    private static let leastCount = 1 << 10
    /// So much of a page is tried, in bytes.
    private static let sampleCount = 1 << 16

    /// Used for one page after the other: to make one takes longer than to compress a small page.
    private let stream: UnsafeMutablePointer<z_stream>
    private var output = ColumnBytes()

    init() throws(Failure) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // 16 more than the window: with the header of gzip.
        let code = unsafe deflateInit2_(
            stream, PageCompressor.level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw Failure(.io, "there is not enough memory for a page of columns") }
    }

    deinit {
        _ = unsafe deflateEnd(stream)
        unsafe stream.deallocate()
        output.deallocate()
    }

    /// A compressed page, valid until the next call; nil if compression is not worth its time. The last bytes of the
    /// page, which are values, decide: they must shrink to a quarter. Digits, random characters and sentences do not,
    /// and their compression would take most of the time of an extraction.
    func compressed(_ page: ColumnPage) throws(Failure) -> ColumnBytes? {
        guard let values = page.parts.last else { return nil }
        let sample = min(values.count, PageCompressor.sampleCount)
        guard page.count >= PageCompressor.leastCount else { return nil }
        try compress(page.parts.suffix(1), from: values.count - sample)
        guard output.count * 4 <= sample else { return nil }
        try compress(page.parts[...], from: 0)
        return output
    }

    /// - Parameter start: of the first part, what is left out.
    private func compress(_ parts: ArraySlice<ColumnBytes>, from start: Int) throws(Failure) {
        let count = parts.reduce(-start) { $0 + $1.count }
        output.reset()
        var code = unsafe deflateReset(stream)
        let room = Int(unsafe deflateBound(stream, UInt(count)))
        unsafe output.append(upTo: room) { output in
            unsafe stream.pointee.next_out = output
            unsafe stream.pointee.avail_out = UInt32(room)
            for (index, part) in zip(parts.indices, parts) where code == Z_OK {
                let isLast = index + 1 == parts.endIndex
                let input = unsafe UnsafeBufferPointer(rebasing: part.view[(index == parts.startIndex ? start : 0)...])
                // Without bytes there is nothing to do, which is an error but at the end.
                if input.isEmpty && !isLast { continue }
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(input.count)
                code = unsafe deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
            }
            return room - Int(unsafe stream.pointee.avail_out)
        }
        guard code == Z_STREAM_END else { throw Failure(.defect, "a page of columns could not be compressed") }
    }
}
