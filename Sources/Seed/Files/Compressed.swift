import CSluiceZstd
import SluiceExtract
import SluicePosix
import SluiceRecords

/// Compresses bytes into a file.
@safe
final class Compressor {
    private let context: OpaquePointer
    private let file: WrittenFile
    private let digest: SHA256
    private let out: UnsafeMutableRawBufferPointer
    /// Before and after.
    private(set) var taken: UInt64 = 0
    private(set) var written: UInt64 = 0

    /// - Parameter size: how many bytes come, where that is known.
    init(_ file: WrittenFile, level: Int, size: UInt64? = nil) throws(Failure) {
        guard let context = unsafe ZSTD_createCCtx() else { throw Failure(.io, "there is no memory to compress with") }
        unsafe self.context = context
        self.file = file
        digest = try SHA256()
        unsafe out = .allocate(byteCount: ZSTD_CStreamOutSize(), alignment: 16)
        _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Int32(level))
        _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        if let size { _ = unsafe ZSTD_CCtx_setPledgedSrcSize(context, size) }
    }

    deinit {
        _ = unsafe ZSTD_freeCCtx(context)
        unsafe out.deallocate()
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        taken += UInt64(bytes.count)
        try unsafe compress(bytes, ZSTD_e_continue)
    }

    /// Ends the file's content, and returns its digest.
    func finish() throws(Failure) -> String {
        try unsafe compress(UnsafeRawBufferPointer(start: nil, count: 0), ZSTD_e_end)
        return try digest.hexadecimal()
    }

    private func compress(_ bytes: UnsafeRawBufferPointer, _ end: ZSTD_EndDirective) throws(Failure) {
        var input = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        while true {
            var output = unsafe ZSTD_outBuffer(dst: out.baseAddress, size: out.count, pos: 0)
            let rest = unsafe ZSTD_compressStream2(context, &output, &input, end)
            guard ZSTD_isError(rest) == 0 else { throw Failure(.io, "\(file.path) cannot be compressed") }
            let part = unsafe UnsafeRawBufferPointer(rebasing: out[..<output.pos])
            if part.count > 0 {
                try unsafe file.write(part)
                unsafe digest.update(part)
                written += UInt64(part.count)
            }
            let isDone = unsafe end == ZSTD_e_end ? rest == 0 : input.pos == input.size
            if isDone { return }
        }
    }
}

/// Expands what is compressed, and never to more than it should be.
@safe
final class Expander {
    private let context: OpaquePointer
    private let file: ReadFile
    private var place: UInt64
    private let end: UInt64
    private let most: UInt64?
    private let buffer: UnsafeMutableRawBufferPointer
    private var filled = 0
    private var used = 0
    private var isAtEnd = false
    /// Bytes handed out.
    private(set) var count: UInt64 = 0

    /// - Parameters:
    ///   - start: where in the file it begins.
    ///   - expanded: the bytes that must come out; nil: any number.
    init(_ file: ReadFile, from start: UInt64 = 0, expanded: UInt64?) throws(Failure) {
        guard let context = unsafe ZSTD_createDCtx() else { throw Failure(.io, "there is no memory to expand with") }
        unsafe self.context = context
        self.file = file
        place = start
        end = file.size
        most = expanded
        unsafe buffer = .allocate(byteCount: ZSTD_DStreamInSize(), alignment: 16)
    }

    deinit {
        _ = unsafe ZSTD_freeDCtx(context)
        unsafe buffer.deallocate()
    }

    /// The next bytes; 0 at the end, where all must have come.
    func read(into target: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        var output = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
        while true {
            var isOver = used == filled
            if isOver { isOver = try !fill() }
            if isOver, isAtEnd {
                guard count == most ?? count else { throw damaged }
                return 0
            }
            // Even without more bytes, some of what came before may be left to be handed out.
            var input = unsafe ZSTD_inBuffer(src: buffer.baseAddress, size: filled, pos: used)
            let rest = unsafe ZSTD_decompressStream(context, &output, &input)
            used = unsafe input.pos
            guard ZSTD_isError(rest) == 0 else { throw damaged }
            isAtEnd = rest == 0
            if unsafe output.pos > 0 { break }
            if isOver { throw damaged }
        }
        let got = unsafe output.pos
        count += UInt64(got)
        if let most, count > most {
            throw Failure(.data, "\(file.path) expands to more than the \(most) bytes that the manifest names")
        }
        return got
    }

    private func fill() throws(Failure) -> Bool {
        (filled, used) = (0, 0)
        guard place < end else { return false }
        filled = try unsafe file.read(into: buffer, at: place)
        place += UInt64(filled)
        return filled > 0
    }

    private var damaged: Failure {
        let named = most.map { ": the manifest names \($0) bytes" } ?? ""
        return Failure(.data, "\(file.path) cannot be expanded to what it should be\(named)")
    }
}
