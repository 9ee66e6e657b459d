import Glibc
import Records

/// A temporary file of bytes at any offset, through one block of memory. It has no name: it goes when it is closed,
/// however the process ends.
@safe
final class BlockFile {
    private static let blockBytes = 1 << 16

    private let descriptor: Int32
    private let block: UnsafeMutablePointer<UInt8>
    /// Which block is in memory; negative: none.
    private var index = -1
    private var isChanged = false
    /// Blocks from this one on have never been written.
    private var blockCount = 0

    init() throws(Failure) {
        descriptor = try BlockFile.open()
        unsafe block = .allocate(capacity: BlockFile.blockBytes)
    }

    deinit {
        close(descriptor)
        unsafe block.deallocate()
    }

    /// In `$TMPDIR` or `/var/tmp`, as SQLite does: `/tmp` is often memory.
    private static func open() throws(Failure) -> Int32 {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
        // O_TMPFILE, a macro that Swift does not import: a file that never has a name.
        let temporary = 0o20_000_000 | O_DIRECTORY
        let anonymous = unsafe Glibc.open(folder, temporary | O_RDWR | O_CLOEXEC, 0o600)
        if anonymous >= 0 { return anonymous }
        var template = Array("\(folder)/sluice-XXXXXX".utf8CString)
        let named = unsafe mkstemp(&template)
        guard named >= 0 else { throw failure("a temporary file in \(folder) cannot be created", .uncreatable) }
        _ = unsafe unlink(template)
        _ = fcntl(named, F_SETFD, FD_CLOEXEC)
        return named
    }

    private static func failure(_ sentence: String, _ kind: Failure.Kind) -> Failure {
        Failure(kind, "\(sentence): \(unsafe String(cString: strerror(errno)))")
    }

    /// Forgets everything, and gives the disk back.
    func clear() throws(Failure) {
        index = -1
        isChanged = false
        blockCount = 0
        guard ftruncate(descriptor, 0) == 0 else { throw BlockFile.failure("a temporary file cannot be emptied", .io) }
    }

    func write(_ bytes: UnsafePointer<UInt8>, _ count: Int, at offset: Int) throws(Failure) {
        var done = 0
        while done < count {
            let (start, length) = try part(offset + done, count - done)
            unsafe (block + start).update(from: bytes + done, count: length)
            isChanged = true
            done += length
        }
    }

    /// Bytes that were never written are 0.
    func read(into bytes: UnsafeMutablePointer<UInt8>, _ count: Int, at offset: Int) throws(Failure) {
        var done = 0
        while done < count {
            let (start, length) = try part(offset + done, count - done)
            unsafe (bytes + done).update(from: block + start, count: length)
            done += length
        }
    }

    /// Where in the block, which is loaded, the next bytes are, and how many of them.
    private func part(_ offset: Int, _ count: Int) throws(Failure) -> (start: Int, length: Int) {
        if offset / BlockFile.blockBytes != index { try load(offset / BlockFile.blockBytes) }
        let start = offset % BlockFile.blockBytes
        return (start, min(count, BlockFile.blockBytes - start))
    }

    private func load(_ wanted: Int) throws(Failure) {
        if isChanged { try save() }
        var filled = 0
        while wanted < blockCount && filled < BlockFile.blockBytes {
            let got = unsafe pread(
                descriptor, block + filled, BlockFile.blockBytes - filled, off_t(wanted * BlockFile.blockBytes + filled)
            )
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw BlockFile.failure("a temporary file cannot be read", .io) }
            if got == 0 { break }
            filled += got
        }
        unsafe (block + filled).update(repeating: 0, count: BlockFile.blockBytes - filled)
        index = wanted
    }

    private func save() throws(Failure) {
        var done = 0
        while done < BlockFile.blockBytes {
            let written = unsafe pwrite(
                descriptor, block + done, BlockFile.blockBytes - done, off_t(index * BlockFile.blockBytes + done))
            if written < 0 && errno == EINTR { continue }
            guard written >= 0 else { throw BlockFile.failure("a temporary file cannot be written", .io) }
            done += written
        }
        blockCount = max(blockCount, index + 1)
        isChanged = false
    }
}
