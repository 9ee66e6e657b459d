import CSluiceBzip2

/// bzip2, by its own library: libarchive takes the rest of a file for nothing where a later stream is damaged.
@safe
final class Bzip2Codec: Codec {
    static let isOfMembers = true
    private let stream: UnsafeMutablePointer<bz_stream>

    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: bz_stream())
        guard unsafe BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK else { return nil }
    }

    deinit {
        unsafe BZ2_bzDecompressEnd(stream)
        unsafe stream.deallocate()
    }

    func restart() -> Bool {
        unsafe BZ2_bzDecompressEnd(stream)
        unsafe stream.pointee = bz_stream()
        return unsafe BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK
    }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> CodecStep {
        let (taken, made, code) = unsafe stream.step(input, output) { unsafe BZ2_bzDecompress($0) }
        return CodecStep(taken: taken, made: made, state: Bzip2Codec.state(code))
    }

    private static func state(_ code: Int32) -> CodecStep.State {
        switch code {
        case BZ_OK: .inside
        case BZ_STREAM_END: .atEnd
        case BZ_DATA_ERROR_MAGIC: .damaged("what should begin a stream does not")
        case BZ_MEM_ERROR: .damaged("it asks for too much memory")
        default: .damaged("invalid data, or a wrong checksum")
        }
    }
}

extension bz_stream: CodecStream {}
