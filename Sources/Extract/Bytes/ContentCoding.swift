import SluiceRecords

/// How content may be compressed for its transfer (RFC 9110, section 8.4.1, and RFC 8878).
package enum ContentCoding: String, Sendable, CaseIterable {
    case gzip, zstd, deflate

    /// - Parameter name: as a service says it.
    package init?(name: String) {
        let name = name.lowercased()
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }
}

/// Bytes without a coding; that they are damaged or cut short is found, as in a compressed file.
package func decode(
    _ bytes: any ByteSource, _ coding: ContentCoding, named name: String
) throws(Failure) -> any ByteSource {
    let bytes = StreamedBytes(bytes, named: name)
    switch coding {
    case .gzip: return try DecompressedBytes(bytes, .gzip)
    case .zstd: return try DecompressedBytes(bytes, .zstd)
    case .deflate: return try DecompressedBytes(bytes, .deflate)
    }
}
