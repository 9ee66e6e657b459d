import CSluiceLzma

/// xz, by liblzma.
@safe
final class XZCodec: Codec {
    static let isOfMembers = true
    /// More than any preset asks for; a hostile file could ask for 4 GiB.
    private static let memory: UInt64 = 1 << 30
    /// `LZMA_TELL_UNSUPPORTED_CHECK`, a macro that Swift does not import.
    private static let tellsUnsupportedCheck: UInt32 = 0x02
    private let stream: UnsafeMutablePointer<lzma_stream>

    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: lzma_stream())
    }

    deinit {
        unsafe lzma_end(stream)
        unsafe stream.deallocate()
    }

    func restart() -> Bool {
        unsafe lzma_stream_decoder(stream, XZCodec.memory, XZCodec.tellsUnsupportedCheck) == LZMA_OK
    }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> CodecStep {
        unsafe stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_in = input.count
        unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = output.count
        let code = unsafe lzma_code(stream, LZMA_RUN)
        return unsafe CodecStep(
            taken: input.count - stream.pointee.avail_in, made: output.count - stream.pointee.avail_out,
            state: XZCodec.state(code))
    }

    private static func state(_ code: lzma_ret) -> CodecStep.State {
        switch code {
        case LZMA_OK, LZMA_BUF_ERROR: .inside
        case LZMA_STREAM_END: .atEnd
        case LZMA_FORMAT_ERROR: .damaged("what should begin a stream does not")
        case LZMA_MEM_ERROR, LZMA_MEMLIMIT_ERROR: .damaged("it asks for too much memory")
        case LZMA_UNSUPPORTED_CHECK, LZMA_OPTIONS_ERROR: .damaged("it is of a kind that liblzma does not know")
        default: .damaged("invalid data, or a wrong checksum")
        }
    }
}
