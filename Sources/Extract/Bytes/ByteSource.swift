import Records

/// Where the bytes of one file of a feed come from: uncompressed, in order, each once.
public protocol ByteSource: AnyObject {
    /// Fills the front of `buffer`, which is not empty, and returns the number of bytes: 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int

    /// Bytes taken so far from where they come from: of a compressed file, the compressed ones. Only to show how far
    /// reading is.
    var consumed: Int { get }
}

extension ByteSource {
    public var consumed: Int { 0 }
}

/// Opens a file of a feed; `-` is standard input.
///
/// What it holds decides how it is read, not its name: gzip, zstd, xz and bzip2 are decompressed, a zip must hold
/// exactly one file, everything else is read as it is.
public func openFeed(_ path: String) throws(Failure) -> any ByteSource {
    try openFeed(FileBytes(path))
}

/// The bytes of a feed that come from elsewhere than a file, decompressed likewise.
public func openFeed(_ bytes: any ByteSource, named name: String) throws(Failure) -> any ByteSource {
    try openFeed(StreamedBytes(bytes, named: name))
}

/// Whether a feed that begins with some bytes is compressed; at least six of them tell.
public func isCompressed(_ beginning: [UInt8]) -> Bool { Compression(signature: beginning) != nil }

/// The uncompressed bytes of a file.
func openFeed(_ file: any FeedBytes) throws(Failure) -> any ByteSource {
    let beginning = try file.peek(Compression.signatureLength)
    guard let compression = Compression(signature: beginning) else { return file }
    return compression == .gzip ? try GzipBytes(file) : try ArchiveBytes(file, compression)
}

/// How a file may be compressed.
enum Compression: String {
    case gzip, zstd, xz, bzip2, zip

    /// The bytes that tell them apart.
    static let signatureLength = 6

    init?(signature: [UInt8]) {
        switch signature {
        case let bytes where bytes.starts(with: [0x1f, 0x8b]): self = .gzip
        case let bytes where bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]): self = .zstd
        case let bytes where bytes.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]): self = .xz
        case let bytes where bytes.starts(with: [0x42, 0x5a, 0x68]): self = .bzip2
        // A zip without any file begins with its end.
        case let bytes where bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]): self = .zip
        case let bytes where bytes.starts(with: [0x50, 0x4b, 0x05, 0x06]): self = .zip
        default: return nil
        }
    }
}
