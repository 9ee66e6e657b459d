import SluiceRecords

/// Where the bytes of one file of a feed come from: uncompressed, in order, each once.
package protocol ByteSource: AnyObject {
    /// Fills the front of `buffer`, which is not empty, and returns the number of bytes: 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int

    /// Bytes taken so far from where they come from: of a compressed file, the compressed ones. Only to show how far
    /// reading is.
    var consumed: Int { get }
}

extension ByteSource {
    package var consumed: Int { 0 }

    /// The next bytes, so many at the most; all that are left, where those are fewer. One reading may give only a few.
    package func bytes(most: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(most, 1 << 16))
        while bytes.count < most {
            let outcome = unsafe buffer.withUnsafeMutableBytes { memory in
                Result { () throws(Failure) in
                    try unsafe read(into: UnsafeMutableRawBufferPointer(rebasing: memory.prefix(most - bytes.count)))
                }
            }
            let count = try outcome.get()
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}

/// Opens a file of a feed; `-` is standard input. A path may go on behind the name of an archive, see ``FeedPath``.
///
/// What it holds decides how it is read, not its name: gzip, zstd, xz and bzip2 are decompressed, a zip must hold
/// exactly one file, everything else is read as it is.
///
/// - Parameter checkCancelled: called now and then while a pipe gives nothing; what it throws ends the reading.
package func openFeed(
    _ path: String, checkCancelled: @escaping () throws(Failure) -> Void = { () throws(Failure) in }
) throws(Failure) -> any ByteSource {
    let path = FeedPath(path)
    return try path.feed(in: FileBytes(path.file) { _ throws(Failure) in try checkCancelled() })
}

/// The bytes of a feed that come from elsewhere than a file, decompressed likewise.
package func openFeed(_ bytes: any ByteSource, named name: String) throws(Failure) -> any ByteSource {
    try openFeed(StreamedBytes(bytes, named: name))
}

/// Whether a feed that begins with some bytes is compressed; at least six of them tell.
package func isCompressed(_ beginning: [UInt8]) -> Bool {
    Compression(signature: beginning) != nil || ZipBytes.isZip(beginning)
}

/// The uncompressed bytes of a file.
func openFeed(_ file: any EncodedBytes) throws(Failure) -> any ByteSource {
    let beginning = try file.peek(Compression.signatureLength)
    if ZipBytes.isZip(beginning) { return try ZipBytes(file) }
    guard let compression = Compression(signature: beginning) else { return file }
    return try DecompressedBytes(file, compression)
}
