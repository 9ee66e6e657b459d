import SluicePosix
import SluiceRecords

/// Hashes that are too many for memory, in a file without a name.
final class HashFile {
    private let file: TemporaryFile
    private(set) var count = 0

    init() throws(Failure) { file = try TemporaryFile() }

    func append(_ hashes: [UInt64]) throws(Failure) {
        let outcome = unsafe hashes.withUnsafeBytes { bytes in
            Result { () throws(Failure) in try unsafe file.write(bytes, at: 8 * count) }
        }
        try outcome.get()
        count += hashes.count
    }

    /// Reads them all, in their order.
    func read(_ body: (UInt64) -> Void) throws(Failure) {
        var buffer = [UInt64](repeating: 0, count: 1 << 14)
        var start = 0
        while start < count {
            let outcome = unsafe buffer.withUnsafeMutableBytes { memory in
                Result { () throws(Failure) in try unsafe file.read(into: memory, at: 8 * start) }
            }
            let whole = try outcome.get() / 8
            for index in 0..<min(whole, count - start) { body(buffer[index]) }
            if whole == 0 { return }
            start += whole
        }
    }
}
