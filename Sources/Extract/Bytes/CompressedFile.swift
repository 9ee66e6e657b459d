import CSluiceArchive
import Glibc
import SluiceRecords

/// A new file that holds what is appended to it, compressed with zstd.
@safe
package final class CompressedFile {
    private let path: String
    private let descriptor: CInt
    private var archive: OpaquePointer?

    /// Throws where the file cannot be created, or exists.
    package init(_ path: String) throws(Failure) {
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else {
            throw Failure(.uncreatable, "the feed cannot be saved as \(path)", errno: errno)
        }
        try start()
    }

    deinit {
        unsafe archive_write_free(archive)
        if descriptor >= 0 { close(descriptor) }
    }

    private func start() throws(Failure) {
        unsafe archive = archive_write_new()
        unsafe archive_write_set_format_raw(archive)
        try check(unsafe archive_write_add_filter_zstd(archive))
        try check(unsafe archive_write_open_fd(archive, descriptor))
        let entry = unsafe archive_entry_new()
        defer { unsafe archive_entry_free(entry) }
        unsafe archive_entry_set_filetype(entry, UInt32(Glibc.S_IFREG))
        try check(unsafe archive_write_header(archive, entry))
    }

    package func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let count = unsafe archive_write_data(archive, rest.baseAddress, rest.count)
            guard count > 0 else { throw failure() }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Writes what is still in memory, and sees to it that all is on the disk. Nothing may be appended afterwards.
    package func finish() throws(Failure) {
        try check(unsafe archive_write_close(archive))
        guard fsync(descriptor) == 0 else {
            throw Failure(.io, "the feed cannot be saved as \(path)", errno: errno)
        }
    }

    private func check(_ code: CInt) throws(Failure) {
        if code < ARCHIVE_OK, code != ARCHIVE_WARN { throw failure() }
    }

    private func failure() -> Failure {
        let reason = unsafe archive_error_string(archive).map { unsafe String(cString: $0) } ?? "not enough memory"
        return Failure(.io, "the feed cannot be saved as \(path): \(reason)")
    }
}

/// Bytes that are saved while they are read.
package final class SavedBytes: ByteSource {
    private let source: any ByteSource
    private let file: CompressedFile

    package init(_ source: any ByteSource, to file: CompressedFile) {
        self.source = source
        self.file = file
    }

    package var consumed: Int { source.consumed }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = try unsafe source.read(into: buffer)
        try unsafe file.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return count
    }

    /// Reads on to the end, for no other purpose than to save what is read. False: it was told to stop.
    package func drain(unless isStopped: () -> Bool) throws(Failure) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while !isStopped() {
            let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
                Result { () throws(Failure) in try unsafe read(into: bytes) }
            }
            if try outcome.get() == 0 { return true }
        }
        return false
    }
}
