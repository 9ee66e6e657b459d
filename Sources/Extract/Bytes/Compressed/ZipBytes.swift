import CSluiceArchive
import Glibc
import SluiceRecords

/// The bytes of the only file that a zip holds, decompressed by libarchive.
@safe
final class ZipBytes: ByteSource {
    private let name: String
    private let input: ArchiveInput
    private var archive: OpaquePointer?
    private var isAtEnd = false

    init(_ file: any FeedBytes) throws(Failure) {
        name = file.name
        input = ArchiveInput(file)
        if file.isSeekable { try checkWhole(file) }
        try openArchive()
        guard try nextFile() else { throw Failure(.data, "\(name) is a zip that holds no file") }
    }

    static func isZip(_ beginning: [UInt8]) -> Bool {
        // A zip without any file begins with its end.
        beginning.starts(with: [0x50, 0x4b, 0x03, 0x04]) || beginning.starts(with: [0x50, 0x4b, 0x05, 0x06])
    }

    deinit { unsafe archive_read_free(archive) }

    var consumed: Int { input.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while !isAtEnd {
            let got = unsafe archive_read_data(archive, buffer.baseAddress, buffer.count)
            if got > 0 { return got }
            if got == 0 {
                isAtEnd = true
                try checkNothingFollows()
                try input.checkUnchanged()
            } else if got != Int(ARCHIVE_RETRY) {
                throw failure()
            }
        }
        return 0
    }

    private func openArchive() throws(Failure) {
        unsafe archive_read_free(archive)
        guard let archive = unsafe archive_read_new() else {
            throw Failure(.io, "there is not enough memory for \(name)")
        }
        unsafe self.archive = archive
        unsafe archive_read_support_format_zip(archive)
        guard unsafe input.attach(to: archive) == ARCHIVE_OK else { throw failure() }
    }

    /// Refuses a zip of several files before anything of it is read.
    private func checkWhole(_ file: any FeedBytes) throws(Failure) {
        try openArchive()
        if try nextFile() { try checkNothingFollows() }
        _ = try file.seek(0, SEEK_SET)
    }

    private func checkNothingFollows() throws(Failure) {
        guard try nextFile() else { return }
        throw Failure(.data, "\(name) is a zip that holds several files; a feed is a single one")
    }

    /// Goes to the next regular file; false if there is none.
    private func nextFile() throws(Failure) -> Bool {
        var entry: OpaquePointer?
        while true {
            switch unsafe archive_read_next_header(archive, &entry) {
            case ARCHIVE_EOF: return false
            case ARCHIVE_OK, ARCHIVE_WARN: if unsafe isFeed(entry) { return true }
            case ARCHIVE_RETRY: continue
            default: throw failure()
            }
        }
    }

    private func isFeed(_ entry: OpaquePointer?) -> Bool {
        guard unsafe archive_entry_filetype(entry) == S_IFREG else { return false }
        guard let path = unsafe archive_entry_pathname(entry) else { return true }
        // What the archiver of macOS puts beside each file is no file of the user's.
        return unsafe !String(cString: path).hasPrefix("__MACOSX/")
    }

    private func failure() -> Failure {
        if let failure = input.failure { return failure }
        let reason = unsafe archive_error_string(archive).map { unsafe ": " + String(cString: $0) } ?? ""
        return Failure(.data, "\(name) is damaged or cut short, zip cannot decompress it\(reason)")
    }
}

/// What libarchive reads from: a file, by callbacks, so that the failures of reading keep their meaning.
@safe
private final class ArchiveInput {
    var failure: Failure?
    var consumed: Int { file.consumed }
    private let file: any FeedBytes
    private let buffer: UnsafeMutableRawBufferPointer

    /// A zip is not read to its last byte.
    func checkUnchanged() throws(Failure) { try file.checkUnchanged() }

    init(_ file: any FeedBytes) {
        self.file = file
        unsafe buffer = .allocate(byteCount: 1 << 17, alignment: 16)
    }

    deinit { unsafe buffer.deallocate() }

    /// Opens an archive; it must not be used once this object is gone.
    func attach(to archive: OpaquePointer) -> CInt {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        if file.isSeekable {
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
            return try unsafe file.read(into: buffer)
        } catch {
            failure = error
            return Int(ARCHIVE_FATAL)
        }
    }

    private func seek(_ offset: Int, _ whence: CInt) -> Int64 {
        do throws(Failure) {
            return Int64(try file.seek(offset, whence))
        } catch {
            failure = error
            return Int64(ARCHIVE_FATAL)
        }
    }
}
