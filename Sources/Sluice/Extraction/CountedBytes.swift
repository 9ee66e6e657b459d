import Glibc
import SluiceExtract
import SluiceRecords

/// Bytes whose newlines are counted while they are read.
final class CountedBytes: ByteSource {
    private let source: any ByteSource
    private(set) var newlines = 0

    init(_ source: any ByteSource) { self.source = source }

    var consumed: Int { source.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = try unsafe source.read(into: buffer)
        unsafe countNewlines(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return count
    }

    /// By the C library, which looks at 32 bytes at once.
    private func countNewlines(_ bytes: UnsafeRawBufferPointer) {
        guard var place = bytes.baseAddress else { return }
        let end = unsafe place + bytes.count
        while let newline = unsafe memchr(place, 0x0a, end - place) {
            newlines += 1
            unsafe place = UnsafeRawPointer(newline) + 1
        }
    }
}
