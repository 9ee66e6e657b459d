import CSluiceArchive
import SluiceRecords

/// What libarchive reads from: a file, by callbacks, so that the failures of reading keep their meaning.
///
/// A tar that is compressed is decompressed before libarchive, which takes what follows the compressed data for
/// nothing.
@safe
final class ArchiveInput {
    var failure: Failure?
    var consumed: Int { file.consumed }
    /// Whether all of it is decompressed, as a tar may be.
    let isCompressed: Bool
    private let file: any EncodedBytes
    private let bytes: any EncodedBytes
    private let isZip: Bool
    private let buffer: UnsafeMutableRawBufferPointer
    /// Of a zip that can only be read in its order: its last bytes so far.
    private var tail: [UInt8] = []
    /// How many bytes there were, and how many of them came last; where a seek has led elsewhere, they say nothing.
    private var (count, lastCount) = (0, 0)

    /// An archive is not read to its last byte.
    func checkUnchanged() throws(Failure) { try file.checkUnchanged() }

    init(_ file: any EncodedBytes, decompressing: Bool) throws(Failure) {
        self.file = file
        if decompressing, let compression = Compression(signature: try file.peek(Compression.signatureLength)) {
            bytes = StreamedBytes(try DecompressedBytes(file, compression), named: file.name)
            isCompressed = true
        } else {
            bytes = file
            isCompressed = false
        }
        isZip = ZipBytes.isZip(try bytes.peek(Compression.signatureLength))
        unsafe buffer = .allocate(byteCount: 1 << 17, alignment: 16)
    }

    deinit { unsafe buffer.deallocate() }

    /// Opens an archive; it must not be used once this object is gone.
    func attach(to archive: OpaquePointer) -> CInt {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        if bytes.isSeekable {
            unsafe archive_read_set_seek_callback(archive) { _, context, offset, whence in
                unsafe ArchiveInput.from(context).seek(Int(offset), whence)
            }
        }
        return unsafe archive_read_open(
            archive, context, nil, { _, context, block in unsafe ArchiveInput.from(context).read(block) }, nil)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ArchiveInput {
        guard let context = unsafe context else { preconditionFailure("libarchive lost the context of its callbacks") }
        return unsafe Unmanaged<ArchiveInput>.fromOpaque(context).takeUnretainedValue()
    }

    private func read(_ block: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
        do throws(Failure) {
            unsafe block?.pointee = UnsafeRawPointer(buffer.baseAddress)
            return try next()
        } catch {
            failure = error
            return Int(ARCHIVE_FATAL)
        }
    }

    /// Fills the buffer, and returns how many bytes it has; 0 at the end.
    private func next() throws(Failure) -> Int {
        let got = try unsafe bytes.read(into: buffer)
        if got > 0 { lastCount = got }
        count += got
        if isZip, !bytes.isSeekable {
            let last = unsafe buffer.prefix(got).suffix(ZipEnd.longest)
            tail = unsafe Array(tail.suffix(ZipEnd.longest - last.count)) + last
        }
        return got
    }

    private func seek(_ offset: Int, _ whence: CInt) -> Int64 {
        do throws(Failure) {
            return Int64(try bytes.seek(offset, whence))
        } catch {
            failure = error
            return Int64(ARCHIVE_FATAL)
        }
    }

    // MARK: The end

    /// Throws where a file is no whole zip, though it begins as one. One that can only be read in its order is checked
    /// when it has been read.
    func checkZip() throws(Failure) {
        guard isZip, bytes.isSeekable else { return }
        let start = try bytes.seek(0, SEEK_CUR)
        let size = try bytes.seek(0, SEEK_END)
        _ = try bytes.seek(max(start, size - ZipEnd.longest), SEEK_SET)
        try ZipEnd(bytes.bytes(most: ZipEnd.longest), size: size, named: file.name).check()
        _ = try bytes.seek(start, SEEK_SET)
    }

    /// Reads what libarchive has left of a zip, and throws where it is not what a zip ends with.
    func finishZip() throws(Failure) {
        guard isZip, !bytes.isSeekable else { return }
        while try next() > 0 {}
        try ZipEnd(tail, size: count, named: file.name).check()
    }

    /// Reads what follows a tar from a place on, where libarchive has found its end, and throws where it is anything
    /// but zeros.
    func finishTar(from place: Int) throws(Failure) {
        if bytes.isSeekable {
            _ = try bytes.seek(place, SEEK_SET)
        } else {
            let rest = min(lastCount, max(0, count - place))
            try unsafe requireZeros(UnsafeRawBufferPointer(rebasing: buffer[lastCount - rest..<lastCount]))
        }
        while true {
            let got = try next()
            if got == 0 { return }
            try unsafe requireZeros(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
        }
    }

    private func requireZeros(_ rest: UnsafeRawBufferPointer) throws(Failure) {
        guard unsafe rest.contains(where: { $0 != 0 }) else { return }
        throw Failure(.data, "\(file.name) is no tar to its end: behind its empty blocks, there is something else")
    }
}
