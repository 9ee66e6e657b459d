import Glibc
import SluiceRecords

/// A file without a name: it goes when the last who has it open is done, however the process ends.
///
/// It may be used by several threads where they agree who writes what, as with any file.
package final class TemporaryFile: Sendable {
    package let descriptor: CInt
    /// What it is to the user, for messages.
    package let name: String

    /// Where temporary files are: `$TMPDIR` or `/var/tmp`, as with SQLite: `/tmp` is often memory.
    package static var folder: String { environmentVariable("TMPDIR") ?? "/var/tmp" }

    /// - Throws: `uncreatable`.
    package convenience init(_ name: String = "a temporary file") throws(Failure) {
        try self.init(name, in: TemporaryFile.folder)
    }

    init(_ name: String, in folder: String) throws(Failure) {
        self.name = name
        let nameless = openNameless(in: folder, O_RDWR, mode: 0o600)
        guard nameless < 0 else {
            descriptor = nameless
            return
        }
        // Not every file system can do that.
        let path: String
        (descriptor, path) = try TemporaryFile.create(in: folder)
        _ = unsafe unlink(path)
    }

    /// One that holds a text, at its beginning.
    package convenience init(holding text: String) throws(Failure) {
        try self.init()
        guard writeAll(text, to: descriptor) else { throw failure("written") }
        try rewind()
    }

    /// Takes over an open file.
    init(_ name: String, descriptor: CInt) {
        self.name = name
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// A temporary file for those who need its name; it stays until it is removed.
    ///
    /// - Throws: `uncreatable`.
    package static func create(in folder: String = folder) throws(Failure) -> (descriptor: CInt, path: String) {
        var template = Array("\(folder)/sluice-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else {
            throw Failure(.uncreatable, "a temporary file in \(folder) cannot be created", errno: errno)
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return (descriptor, String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    // MARK: At its position

    package func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        guard unsafe writeAll(bytes, to: descriptor) else { throw failure("written") }
    }

    /// Reads on until the buffer is full or the file ends, and says how many bytes these were.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard let count = unsafe readAll(into: buffer, from: descriptor) else { throw failure("read") }
        return count
    }

    /// Moves to the beginning.
    package func rewind() throws(Failure) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw failure("read") }
    }

    // MARK: At a place

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(Failure) {
        guard unsafe writeAll(bytes, to: descriptor, at: offset) else { throw failure("written") }
    }

    /// Reads until the buffer is full or the file ends, and says how many bytes these were.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Failure) -> Int {
        guard let count = unsafe readAll(into: buffer, from: descriptor, at: offset) else { throw failure("read") }
        return count
    }

    // MARK: As a whole

    /// The beginning of what it holds.
    package func beginning(_ count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe readAll(into: $0, from: descriptor, at: 0) }
        return String(decoding: bytes.prefix(got ?? 0), as: UTF8.self)
    }

    /// Bytes that it has; its position is then its end.
    package var size: Int { Int(lseek(descriptor, 0, SEEK_END)) }

    /// Forgets everything, and gives the disk back.
    package func clear() throws(Failure) {
        guard ftruncate(descriptor, 0) == 0 else { throw failure("emptied") }
    }

    /// Forgets what is behind a place.
    package func cut(at size: Int) throws(Failure) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw failure("cut") }
    }

    private func failure(_ action: String) -> Failure {
        Failure(.io, "\(name) cannot be \(action)", errno: errno)
    }
}

/// Opens a file that has no name, in a folder; negative, with `errno`, where that fails.
package func openNameless(in folder: String, _ access: CInt, mode: mode_t) -> CInt {
    // O_TMPFILE, a macro that Swift does not import.
    unsafe open(folder, 0o20_000_000 | O_DIRECTORY | access | O_CLOEXEC, mode)
}
