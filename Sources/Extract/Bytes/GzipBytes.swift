import CZlib
import Records

/// The bytes of a gzip file, decompressed by zlib: libarchive does not look at the checksum, and a damaged feed would
/// pass as another one.
@safe
final class GzipBytes: ByteSource {
    private static let inputSize = 1 << 16
    /// 15: the largest window; 16: with the header and the trailer of gzip, whose checksum zlib compares.
    private static let windowBits: Int32 = 15 + 16

    private let file: any FeedBytes
    /// zlib wants the stream to stay where it is.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableRawBufferPointer
    /// Between two members: a file may hold several, one after the other.
    private var isBetween = false
    private var isAtEnd = false

    init(_ file: any FeedBytes) throws(Failure) {
        self.file = file
        unsafe input = .allocate(byteCount: GzipBytes.inputSize, alignment: 16)
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(stream, GzipBytes.windowBits, ZLIB_VERSION, size) == Z_OK else {
            throw Failure(.io, "there is not enough memory for \(file.name)")
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
        unsafe input.deallocate()
    }

    var consumed: Int { file.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        unsafe stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = UInt32(clamping: buffer.count)
        let room = unsafe stream.pointee.avail_out
        while !isAtEnd, unsafe stream.pointee.avail_out == room {
            if unsafe stream.pointee.avail_in == 0, try !refill() { break }
            if isBetween, try !startMember() { break }
            try inflateSome()
        }
        return Int(room - (unsafe stream.pointee.avail_out))
    }

    private func inflateSome() throws(Failure) {
        switch unsafe inflate(stream, Z_NO_FLUSH) {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isBetween = true
        default: throw damage()
        }
    }

    /// Reads more input; false at the end of the file, which must be the end of a member.
    private func refill() throws(Failure) -> Bool {
        let count = try unsafe file.read(into: input)
        guard count > 0 else {
            isAtEnd = true
            if !isBetween { throw damage() }
            return false
        }
        unsafe stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_in = UInt32(count)
        return true
    }

    /// Starts the next member; false where only zeros follow, as on a tape. They are skipped.
    private func startMember() throws(Failure) -> Bool {
        while unsafe stream.pointee.avail_in > 0, unsafe stream.pointee.next_in.pointee == 0 {
            unsafe stream.pointee.next_in += 1
            unsafe stream.pointee.avail_in -= 1
            if unsafe stream.pointee.avail_in == 0, try !refill() { return false }
        }
        isBetween = false
        guard unsafe inflateReset(stream) == Z_OK else { throw damage() }
        return true
    }

    private func damage() -> Failure {
        let reason = unsafe stream.pointee.msg.map { unsafe ": " + String(cString: $0) } ?? ""
        return Failure(.data, "\(file.name) is damaged or cut short, gzip cannot decompress it\(reason)")
    }
}
