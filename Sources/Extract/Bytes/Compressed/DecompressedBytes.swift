import SluiceRecords

/// The bytes of a compressed file, decompressed.
@safe
final class DecompressedBytes: ByteSource {
    private let file: any EncodedBytes
    private let decompressor: Decompressor
    private let input: UnsafeMutableRawBufferPointer
    /// What is still to be decompressed of the input.
    private var rest: Range<Int> = 0..<0
    private var isAtEnd = false

    init(_ file: any EncodedBytes, _ compression: Compression) throws(Failure) {
        self.file = file
        decompressor = try Decompressor(compression, named: file.name)
        unsafe input = .allocate(byteCount: 1 << 17, alignment: 16)
    }

    deinit { unsafe input.deallocate() }

    var consumed: Int { file.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while !isAtEnd {
            let (taken, made) = try unsafe decompressor.decode(
                UnsafeRawBufferPointer(rebasing: input[rest]), into: buffer)
            rest = rest.lowerBound + taken..<rest.upperBound
            if made > 0 { return made }
            if rest.isEmpty { try refill() }
        }
        return 0
    }

    private func refill() throws(Failure) {
        let count = try unsafe file.read(into: input)
        rest = 0..<count
        guard count == 0 else { return }
        isAtEnd = true
        try decompressor.finish()
    }
}
