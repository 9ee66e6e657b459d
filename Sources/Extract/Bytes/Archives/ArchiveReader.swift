import CSluiceArchive
import Glibc
import SluiceRecords

/// A locale whose texts are UTF-8: libarchive turns names into those of the thread's locale first, and the one of a
/// program that sets none has no other letters than ASCII's. Nothing changes it, so all threads may have it.
@safe
private struct UTF8Locale: @unchecked Sendable {
    static let shared = UTF8Locale()

    /// Nil where the system has none: then the thread's own stays.
    let locale: locale_t?

    private init() { unsafe locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) }
}

/// Goes through the files of an archive: a zip; or a tar, which may be compressed.
@safe
final class ArchiveReader {
    enum Kind { case zip, zipOrTar }

    let name: String
    private let kind: Kind
    private let input: ArchiveInput
    private var archive: OpaquePointer?
    /// The bytes of the file that is read, as its archive has them in front of it; nil: it does not.
    private(set) var fileSize: Int?
    /// The paths of the links that were passed by.
    private(set) var links: [[UInt8]] = []
    private var hasBegun = false
    /// Bytes of which a tar is made.
    private static let block: Int64 = 512

    init(_ file: any EncodedBytes, _ kind: Kind) throws(Failure) {
        name = file.name
        self.kind = kind
        input = try ArchiveInput(file, decompressing: kind == .zipOrTar)
        try input.checkZip()
        try open()
    }

    deinit { unsafe archive_read_free(archive) }

    var consumed: Int { input.consumed }

    /// Begins with the first file, where the input stands at the archive's beginning.
    func open() throws(Failure) {
        unsafe archive_read_free(archive)
        unsafe self.archive = nil
        hasBegun = false
        guard let archive = unsafe archive_read_new() else {
            throw Failure(.io, "there is not enough memory for \(name)")
        }
        unsafe self.archive = archive
        unsafe archive_read_support_format_zip(archive)
        if kind == .zipOrTar {
            unsafe archive_read_support_format_tar(archive)
            // What is put behind an archive is a part of it, as of other feeds, and no less to be read.
            unsafe archive_read_set_options(archive, "tar:read_concatenated_archives")
        }
        guard unsafe input.attach(to: archive) == ARCHIVE_OK else { throw failure() }
    }

    /// Goes to the next regular file, and returns its path in the archive; nil if there is none.
    func nextFile() throws(Failure) -> [UInt8]? {
        let before = unsafe uselocale(UTF8Locale.shared.locale)
        defer { unsafe uselocale(before) }
        var entry: OpaquePointer?
        while true {
            let end = try endOfFile()
            switch unsafe archive_read_next_header(archive, &entry) {
            case ARCHIVE_EOF:
                try checkEnd(behind: end)
                return nil
            case ARCHIVE_OK, ARCHIVE_WARN:
                let path = unsafe path(of: entry)
                if unsafe isLink(entry) {
                    links.append(path)
                    continue
                }
                guard unsafe archive_entry_filetype(entry) == S_IFREG else { continue }
                fileSize = unsafe archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : nil
                // What the archiver of macOS puts beside each file is no file of the user's.
                if !path.starts(with: "__MACOSX/".utf8) { return path }
            case ARCHIVE_RETRY: continue
            default: throw failure()
            }
        }
    }

    /// Where the file ends that was read last, in decompressed bytes; 0: none was.
    private func endOfFile() throws(Failure) -> Int64 {
        guard hasBegun else {
            hasBegun = true
            return 0
        }
        guard unsafe archive_read_data_skip(archive) >= ARCHIVE_WARN else { throw failure() }
        return unsafe archive_filter_bytes(archive, 0)
    }

    /// Whether it leads to another file of the archive, and has no bytes of its own.
    private func isLink(_ entry: OpaquePointer?) -> Bool {
        if unsafe archive_entry_filetype(entry) == S_IFLNK { return true }
        return unsafe archive_entry_hardlink(entry) != nil && archive_entry_size(entry) == 0
    }

    /// A tar ends with empty blocks: one that was cut between two files has none.
    private func checkEnd(behind end: Int64) throws(Failure) {
        guard unsafe archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_TAR else {
            return try input.finishZip()
        }
        let place = unsafe archive_filter_bytes(archive, 0)
        guard place >= end + ArchiveReader.block else {
            throw Failure(.data, "\(name) is cut short: a tar ends with empty blocks, and it has none")
        }
        try input.finishTar(from: Int(place))
    }

    /// Whether all of it is to be decompressed, as a tar may be, and not its files one by one, as those of a zip.
    var isCompressed: Bool { input.isCompressed }

    /// The bytes of a path, without a `./` in front.
    private func path(of entry: OpaquePointer?) -> [UInt8] {
        guard let text = unsafe archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry) else { return [] }
        let bytes = unsafe UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
        return bytes.starts(with: "./".utf8) ? Array(bytes.dropFirst(2)) : bytes
    }

    /// The next bytes of the file; 0 at its end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while true {
            let got = unsafe archive_read_data(archive, buffer.baseAddress, buffer.count)
            if got >= 0 { return got }
            if got != Int(ARCHIVE_RETRY) { throw failure() }
        }
    }

    func checkUnchanged() throws(Failure) { try input.checkUnchanged() }

    private func failure() -> Failure {
        if let failure = input.failure { return failure }
        let reason = unsafe archive_error_string(archive).map { unsafe ": " + String(cString: $0) } ?? ""
        return switch kind {
        case .zip: Failure(.data, "\(name) is damaged or cut short, zip cannot decompress it\(reason)")
        case .zipOrTar: Failure(.data, "\(name) is no zip and no tar, or is damaged or cut short\(reason)")
        }
    }
}
