/// How a stream of bytes may be compressed.
package enum Compression: String, Sendable {
    /// `deflate` is what HTTP calls so: with the header of zlib, or without it, as some servers have always sent it.
    case gzip, deflate, zstd, xz, bzip2

    /// The bytes that tell them apart.
    static let signatureLength = 6

    /// The compression of a file, which its first bytes tell; none tells `deflate`.
    init?(signature: [UInt8]) {
        switch signature {
        case let bytes where bytes.starts(with: [0x1f, 0x8b]): self = .gzip
        case let bytes where bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]): self = .zstd
        // A frame to be skipped: pzstd begins its files with one.
        case let bytes where bytes.count >= 4 && bytes[0] >> 4 == 5 && bytes[1..<4] == [0x2a, 0x4d, 0x18]: self = .zstd
        case let bytes where bytes.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]): self = .xz
        case let bytes where bytes.starts(with: [0x42, 0x5a, 0x68]): self = .bzip2
        default: return nil
        }
    }

    func codec() -> (any Codec)? {
        switch self {
        case .gzip: GzipCodec()
        case .deflate: DeflateCodec()
        case .zstd: ZstdCodec()
        case .xz: XZCodec()
        case .bzip2: Bzip2Codec()
        }
    }
}
