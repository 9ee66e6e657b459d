import SluiceRecords

/// The bytes of a feed as they are kept or sent, perhaps compressed: what decompression reads from.
protocol EncodedBytes: ByteSource {
    /// As the user named it.
    var name: String { get }
    /// Whether `seek` works.
    var isSeekable: Bool { get }
    /// The next bytes, as many as there are up to `count`, without reading them.
    func peek(_ count: Int) throws(Failure) -> [UInt8]
    /// Moves to another place, and returns its offset.
    func seek(_ offset: Int, _ whence: CInt) throws(Failure) -> Int
    /// Throws where the bytes are not any more what they were when reading began.
    func checkUnchanged() throws(Failure)
}

extension EncodedBytes {
    func checkUnchanged() throws(Failure) {}
}

/// Bytes that come from elsewhere than a file.
final class StreamedBytes: EncodedBytes {
    let name: String
    let isSeekable = false
    private let source: any ByteSource
    private var peeked: [UInt8] = []

    var consumed: Int { source.consumed }

    init(_ source: any ByteSource, named name: String) {
        self.source = source
        self.name = name
    }

    func peek(_ count: Int) throws(Failure) -> [UInt8] {
        while peeked.count < count {
            var buffer = [UInt8](repeating: 0, count: count - peeked.count)
            // `withUnsafeMutableBytes` would lose the type of what is thrown.
            let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
                Result { () throws(Failure) in try unsafe source.read(into: bytes) }
            }
            let got = try outcome.get()
            if got == 0 { break }
            peeked += buffer.prefix(got)
        }
        return peeked
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard !peeked.isEmpty else { return try unsafe source.read(into: buffer) }
        let count = min(peeked.count, buffer.count)
        unsafe buffer.copyBytes(from: peeked.prefix(count))
        peeked.removeFirst(count)
        return count
    }

    func seek(_ offset: Int, _ whence: CInt) throws(Failure) -> Int {
        throw Failure(.io, "\(name) cannot be read at another place")
    }
}
