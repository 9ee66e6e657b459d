import Glibc
import SluiceExtract
import SluicePosix
import SluiceRecords

/// A file of answers, one behind the other. It is nobody's but its owner's to read (mode 0600).
///
/// Each begins with a mark and the lengths of its head and its content, which is compressed, and a digest of both. What
/// a process that was killed has left at its end is no answer, and is written over.
final class AnswerFile {
    /// Where an answer is.
    struct Entry {
        var answer: KeptAnswer
        var offset: Int
        var headBytes: Int
        var bodyBytes: Int

        var count: Int { AnswerFile.prefixBytes + headBytes + bodyBytes }
    }

    let path: String
    private let descriptor: CInt
    private let isWritten: Bool
    /// Behind the last answer.
    private(set) var end = 0

    private static let mark = Array("SLA1".utf8)
    /// The mark, both lengths, and the digest.
    fileprivate static let prefixBytes = 4 + 8 + 8 + 16
    private static let mostHeadBytes = 1 << 20

    /// Opens a file that is there, and is private; nil where there is none.
    init?(existing path: String, isWritten: Bool) {
        self.path = path
        self.isWritten = isWritten
        descriptor = unsafe open(path, (isWritten ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_mode & 0o077 == 0
        else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
    }

    /// Makes a file, in place of any that is there.
    init(new path: String) throws(Failure) {
        self.path = path
        isWritten = true
        _ = unsafe unlink(path)
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(.uncreatable, "the answers of services cannot be kept in \(path)", errno: errno)
        }
    }

    deinit { close(descriptor) }

    /// The answers, in their order, up to the first that is not whole.
    func entries() -> [Entry] {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return [] }
        var entries: [Entry] = []
        end = 0
        while let entry = entry(at: end, fileSize: Int(status.st_size)) {
            entries.append(entry)
            end += entry.count
        }
        if isWritten { _ = ftruncate(descriptor, off_t(end)) }
        return entries
    }

    private func entry(at offset: Int, fileSize: Int) -> Entry? {
        guard let prefix = bytes(at: offset, AnswerFile.prefixBytes), Array(prefix[..<4]) == AnswerFile.mark else {
            return nil
        }
        let (headBytes, bodyBytes) = (AnswerFile.number(prefix[4..<12]), AnswerFile.number(prefix[12..<20]))
        guard headBytes <= AnswerFile.mostHeadBytes, bodyBytes <= fileSize, headBytes >= 0, bodyBytes >= 0,
            offset + AnswerFile.prefixBytes + headBytes + bodyBytes <= fileSize,
            let head = bytes(at: offset + AnswerFile.prefixBytes, headBytes), let answer = KeptAnswer(json: head)
        else { return nil }
        return Entry(answer: answer, offset: offset, headBytes: headBytes, bodyBytes: bodyBytes)
    }

    /// The content of an answer as it lies here, compressed; nil: it is damaged.
    func body(of entry: Entry) -> [UInt8]? {
        let start = entry.offset + AnswerFile.prefixBytes
        guard let prefix = bytes(at: entry.offset, AnswerFile.prefixBytes),
            let all = bytes(at: start, entry.headBytes + entry.bodyBytes),
            AnswerFile.digest(all) == Array(prefix[20...])
        else { return nil }
        return Array(all[entry.headBytes...])
    }

    /// A content as it lies in a file; nil: it cannot be compressed.
    static func body(of content: [UInt8]) -> [UInt8]? { content.isEmpty ? [] : ZstdBytes.compress(content) }

    /// Writes an answer behind the others; nil: that is not possible.
    ///
    /// - Parameter body: its content, compressed.
    func append(_ answer: KeptAnswer, _ body: [UInt8]) -> Entry? {
        let head = Array(answer.json.utf8)
        guard head.count <= AnswerFile.mostHeadBytes, let digest = AnswerFile.digest(head + body) else { return nil }
        let all =
            AnswerFile.mark + AnswerFile.bytes(of: head.count) + AnswerFile.bytes(of: body.count) + digest + head + body
        let isWritten = unsafe all.withUnsafeBytes { unsafe writeAll($0, to: descriptor, at: end) }
        guard isWritten else { return nil }
        defer { end += all.count }
        return Entry(answer: answer, offset: end, headBytes: head.count, bodyBytes: body.count)
    }

    /// Has what was written on the disk, and gives it another name.
    func publish(as path: String) -> Bool {
        guard fsync(descriptor) == 0 else { return false }
        return unsafe rename(self.path, path) == 0
    }

    // MARK: Bytes

    private func bytes(at offset: Int, _ count: Int) -> [UInt8]? {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = unsafe UnsafeMutableRawBufferPointer(buffer)[filled...]
                let got = unsafe pread(
                    descriptor, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count,
                    off_t(offset + filled))
                if got < 0, errno == EINTR { continue }
                if got <= 0 { return }
                filled += got
            }
        }
        return bytes.count == count ? bytes : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(clamping: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private static func bytes(of number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// Half of the SHA-256.
    private static func digest(_ bytes: [UInt8]) -> [UInt8]? {
        guard let digest = try? SHA256() else { return nil }
        unsafe bytes.withUnsafeBytes { unsafe digest.update($0) }
        guard let value = try? digest.value() else { return nil }
        return (0..<2).flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: value[word] >> UInt64(56 - 8 * $0)) }
        }
    }
}
