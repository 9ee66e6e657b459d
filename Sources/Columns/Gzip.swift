import CSluiceZlib
import SluiceRecords

/// Compresses pages, as gzip: what every reader of Parquet understands, and Debian has.
enum Gzip {
    /// Fast: pages are made by the thread that reads.
    private static let level: Int32 = 1

    static func compressed(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
        var stream = unsafe z_stream()
        // 16 more than the window: with the header of gzip.
        let code = unsafe deflateInit2_(
            &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw Failure(.io, "there is not enough memory for a page of columns") }
        defer { _ = unsafe deflateEnd(&stream) }
        var input = bytes
        let room = Int(unsafe deflateBound(&stream, UInt(bytes.count)))
        let status = Status()
        let output = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            unsafe input.withUnsafeMutableBufferPointer { input in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = buffer.baseAddress
                unsafe stream.avail_out = UInt32(room)
                status.code = unsafe deflate(&stream, Z_FINISH)
            }
            count = room - Int(unsafe stream.avail_out)
        }
        guard status.code == Z_STREAM_END else { throw Failure(.defect, "a page of columns could not be compressed") }
        return output
    }

    private final class Status {
        var code: Int32 = Z_OK
    }
}
