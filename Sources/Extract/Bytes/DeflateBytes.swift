import CZlib
import Records

/// The bytes of the content coding `deflate`, decompressed by zlib. It should be the format of zlib (RFC 1950); some
/// services send what is within that alone (RFC 1951).
@safe
final class DeflateBytes: ByteSource {
    private let source: any FeedBytes
    /// zlib wants the stream to stay where it is.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableRawBufferPointer
    private var isAtEnd = false

    private static let inputSize = 1 << 16
    /// The largest window; a negative one: without the header of zlib.
    private static let windowBits: Int32 = 15

    init(_ source: any FeedBytes) throws(Failure) {
        self.source = source
        unsafe input = .allocate(byteCount: DeflateBytes.inputSize, alignment: 16)
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let bits = DeflateBytes.hasHeader(try source.peek(2)) ? DeflateBytes.windowBits : -DeflateBytes.windowBits
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(stream, bits, ZLIB_VERSION, size) == Z_OK else {
            throw Failure(.io, "there is not enough memory for \(source.name)")
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
        unsafe input.deallocate()
    }

    var consumed: Int { source.consumed }

    /// Whether the first two bytes are those of zlib: a method, a size of the window, and a sum to check.
    private static func hasHeader(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 2 else { return true }
        let (method, flags) = (Int(bytes[0]), Int(bytes[1]))
        return method & 15 == 8 && method >> 4 <= 7 && (method << 8 | flags) % 31 == 0
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        unsafe stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = UInt32(clamping: buffer.count)
        let room = unsafe stream.pointee.avail_out
        while !isAtEnd, unsafe stream.pointee.avail_out == room {
            if unsafe stream.pointee.avail_in == 0 { try refill() }
            switch unsafe inflate(stream, Z_NO_FLUSH) {
            case Z_OK, Z_BUF_ERROR: break
            case Z_STREAM_END: try end()
            default: throw damage()
            }
        }
        return Int(room - (unsafe stream.pointee.avail_out))
    }

    private func refill() throws(Failure) {
        let count = try unsafe source.read(into: input)
        guard count > 0 else { throw damage() }
        unsafe stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_in = UInt32(count)
    }

    /// Nothing may follow.
    private func end() throws(Failure) {
        isAtEnd = true
        guard unsafe stream.pointee.avail_in == 0, try unsafe source.read(into: input) == 0 else { throw damage() }
    }

    private func damage() -> Failure {
        let reason = unsafe stream.pointee.msg.map { unsafe ": " + String(cString: $0) } ?? ""
        return Failure(.data, "\(source.name) is damaged or cut short, deflate cannot decompress it\(reason)")
    }
}
