import Glibc
import SluiceFetch
import SluicePosix
import SluiceRecords

/// What has come of a download, `STORE.sluice-seed.part`: a header that says of which file it is, and its first bytes.
/// A later process goes on with it.
@safe
final class PartFile: DownloadSink {
    /// The bytes of the header.
    static let header: UInt64 = 512

    private let path: String
    private let sha256: String
    private let descriptor: CInt
    private let progress: (UInt64) -> Void
    /// How much of the file is there.
    private(set) var content: UInt64 = 0
    private var validator: String?

    init(_ path: String, sha256: String, most: UInt64, _ progress: @escaping (UInt64) -> Void) throws(Failure) {
        self.path = path
        self.sha256 = sha256
        self.progress = progress
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.uncreatable, "\(path) cannot be written", errno: errno)
        }
        try takeUp(UInt64(status.st_size), most: most)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var beginning: FileDownload.Beginning { FileDownload.Beginning(bytes: content, validator: validator) }

    func remove() { _ = unsafe unlink(path) }

    /// Goes on with what is there, if it is of the same file.
    private func takeUp(_ size: UInt64, most: UInt64) throws(Failure) {
        guard size > PartFile.header, size - PartFile.header <= most,
            let bytes = readAll(from: descriptor, most: Int(PartFile.header))
        else { return try begin(nil) }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 3, lines[0] == PartFile.title, lines[1] == sha256 else { return try begin(nil) }
        validator = lines[2].isEmpty ? nil : String(lines[2])
        content = size - PartFile.header
        guard lseek(descriptor, 0, SEEK_END) >= 0 else { throw failure }
    }

    private static let title = "sluice seed part 1"

    // MARK: As the download has it

    func begin(_ validator: String?) throws(Failure) {
        // A validator that has no room is of no use.
        self.validator = validator.flatMap { $0.utf8.count < 300 && !$0.contains("\n") ? $0 : nil }
        var text = "\(PartFile.title)\n\(sha256)\n\(self.validator ?? "")\n"
        text += String(repeating: " ", count: Int(PartFile.header) - text.utf8.count - 1) + "\n"
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0, writeAll(text, to: descriptor) else {
            throw failure
        }
        content = 0
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        guard unsafe writeAll(bytes, to: descriptor) else { throw failure }
        content += UInt64(bytes.count)
        progress(content)
    }

    private var failure: Failure { Failure(.io, "\(path) cannot be written", errno: errno) }
}
