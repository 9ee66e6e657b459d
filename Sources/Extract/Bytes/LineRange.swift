import Glibc
import SluiceRecords

/// The lines of a file that begin within a range of its bytes: ranges side by side have each line once.
///
/// A file that is compressed has no ranges, as its bytes are not those of its lines.
package final class LineRange: ByteSource {
    private static let chunk = 1 << 16

    private let path: String
    private let descriptor: CInt
    private var next: Int
    private let end: Int
    /// The byte of the file at which the first line begins.
    package let start: Int

    /// - Parameter range: bytes of the file.
    package init(_ path: String, _ range: Range<Int>) throws(Failure) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileBytes.failure("opened", path, errno) }
        do throws(Failure) {
            let beginning = try LineRange.read(descriptor, 0, 16, path)
            if SluiceExtract.isCompressed(beginning) {
                throw Failure(.usage, "\(path) is compressed, and so has no ranges: extract it whole")
            }
            start = try LineRange.lineStart(descriptor, at: range.lowerBound, path)
            end = max(start, try LineRange.lineStart(descriptor, at: range.upperBound, path))
        } catch {
            close(descriptor)
            throw error
        }
        next = start
    }

    deinit { close(descriptor) }

    package var consumed: Int { next - start }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let wanted = min(buffer.count, end - next)
        guard wanted > 0 else { return 0 }
        while true {
            let got = unsafe pread(descriptor, buffer.baseAddress, wanted, next)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw FileBytes.failure("read", path, errno) }
            next += got
            return got
        }
    }

    /// How many lines of the file come before the first one: all before is read once more.
    package func countLinesBefore() throws(Failure) -> UInt64 {
        var (count, at) = (UInt64(0), 0)
        while at < start {
            let bytes = try LineRange.read(descriptor, at, min(LineRange.chunk, start - at), path)
            guard !bytes.isEmpty else { break }
            count += UInt64(bytes.count { $0 == UInt8(ascii: "\n") })
            at += bytes.count
        }
        return count
    }

    /// Where the first line begins that begins at a byte, or after it.
    private static func lineStart(_ descriptor: CInt, at byte: Int, _ path: String) throws(Failure) -> Int {
        guard byte > 0 else { return 0 }
        var at = byte - 1
        while true {
            let bytes = try read(descriptor, at, chunk, path)
            guard !bytes.isEmpty else { return at }
            if let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) { return at + newline + 1 }
            at += bytes.count
        }
    }

    private static func read(
        _ descriptor: CInt, _ offset: Int, _ count: Int, _ path: String
    ) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, count, offset) }
        guard got >= 0 else { throw FileBytes.failure("read", path, errno) }
        return Array(bytes.prefix(got))
    }
}
