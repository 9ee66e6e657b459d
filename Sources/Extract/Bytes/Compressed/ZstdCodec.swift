import CSluiceZstd

/// zstd, by its own library. Frames that are to be skipped are members without bytes.
@safe
final class ZstdCodec: Codec {
    static let isOfMembers = true
    private let stream: OpaquePointer

    init?() {
        guard let stream = unsafe ZSTD_createDStream() else { return nil }
        unsafe self.stream = stream
    }

    deinit { unsafe ZSTD_freeDStream(stream) }

    func restart() -> Bool { unsafe ZSTD_isError(ZSTD_DCtx_reset(stream, ZSTD_reset_session_only)) == 0 }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> CodecStep {
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let code = unsafe ZSTD_decompressStream(stream, &target, &source)
        return unsafe CodecStep(taken: source.pos, made: target.pos, state: ZstdCodec.state(code))
    }

    private static func state(_ code: Int) -> CodecStep.State {
        guard ZSTD_isError(code) == 0 else { return .damaged(unsafe String(cString: ZSTD_getErrorName(code))) }
        return code == 0 ? .atEnd : .inside
    }
}
