import CSluiceZlib

/// gzip, by zlib: libarchive does not look at the checksum, and a damaged feed would pass as another one.
final class GzipCodec: Codec {
    static let isOfMembers = true
    private let stream: InflateStream

    init?() {
        // 15: the largest window; 16: with the header and the trailer of gzip, whose checksum zlib compares.
        guard let stream = InflateStream(windowBits: 15 + 16) else { return nil }
        self.stream = stream
    }

    func restart() -> Bool { stream.restart() }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> CodecStep {
        unsafe stream.decode(input, into: output)
    }
}

/// What HTTP calls `deflate`: of zlib, or bare. The first two bytes tell, as they do in browsers.
final class DeflateCodec: Codec {
    static let isOfMembers = false
    private let wrapped: InflateStream
    private let bare: InflateStream
    private var first: UInt8?
    /// The one of the two that it is, once that is known.
    private var stream: InflateStream?

    init?() {
        guard let wrapped = InflateStream(windowBits: 15), let bare = InflateStream(windowBits: -15) else { return nil }
        (self.wrapped, self.bare) = (wrapped, bare)
    }

    func restart() -> Bool { true }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> CodecStep {
        if let stream { return unsafe stream.decode(input, into: output) }
        guard let next = unsafe input.first else { return CodecStep(taken: 0, made: 0) }
        guard let first else {
            self.first = next
            return CodecStep(taken: 1, made: 0)
        }
        let isWrapped = first & 0x0f == 8 && (Int(first) << 8 + Int(next)) % 31 == 0
        let stream = isWrapped ? wrapped : bare
        self.stream = stream
        // One byte alone makes no output, but may be wrong already.
        let step = unsafe withUnsafeBytes(of: first) { unsafe stream.decode($0, into: output) }
        guard step.state == .inside else { return CodecStep(taken: 0, made: 0, state: step.state) }
        return unsafe stream.decode(input, into: output)
    }
}

/// One stream of zlib, which wants it to stay where it is.
@safe
final class InflateStream {
    private let stream: UnsafeMutablePointer<z_stream>

    init?(windowBits: Int32) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(stream, windowBits, ZLIB_VERSION, size) == Z_OK else { return nil }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func restart() -> Bool { unsafe inflateReset(stream) == Z_OK }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> CodecStep {
        let (taken, made, code) = unsafe stream.step(input, output) { unsafe inflate($0, Z_NO_FLUSH) }
        return CodecStep(taken: taken, made: made, state: state(code))
    }

    private func state(_ code: Int32) -> CodecStep.State {
        switch code {
        case Z_OK, Z_BUF_ERROR: .inside
        case Z_STREAM_END: .atEnd
        case Z_MEM_ERROR: .damaged("it asks for too much memory")
        case Z_NEED_DICT: .damaged("it needs a dictionary")
        default: .damaged(unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "invalid data")
        }
    }
}

extension z_stream: CodecStream {}
