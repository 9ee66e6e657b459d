import SluiceRecords

/// Bytes on disk, by number. Numbers that follow one another are quickest, to write and to read.
@safe
final class KeyedFile {
    private let bytes: BlockFile
    /// For each number the end of its bytes (0: there are none) and their count.
    private let index: BlockFile
    private static let entryBytes = 16
    private var first: UInt64 = 0
    private var end = 0
    private var buffer = Table<UInt8>(capacity: 1 << 12)

    init() throws(Failure) {
        bytes = try BlockFile()
        index = try BlockFile()
    }

    deinit { buffer.deallocate() }

    /// Whether there is nothing in it.
    var isEmpty: Bool { end == 0 }

    /// Forgets everything; the numbers that follow are not below `first`.
    func clear(first: UInt64) throws(Failure) {
        self.first = first
        guard end > 0 else { return }
        end = 0
        try bytes.clear()
        try index.clear()
    }

    /// Keeps the bytes of a number. None of them has no bytes.
    func put(_ number: UInt64, _ start: UnsafePointer<UInt8>, _ count: Int) throws(Failure) {
        try unsafe bytes.write(start, count, at: end)
        end += count
        var entry = (UInt64(end), UInt64(count))
        try writeEntry(&entry, of: number)
    }

    /// The bytes of a number, until the next call; nil: there are none.
    func get(_ number: UInt64) throws(Failure) -> UnsafePointer<UInt8>? {
        let entry = try readEntry(of: number)
        guard entry.0 > 0 else { return nil }
        buffer.ensure(Int(entry.1))
        try unsafe bytes.read(into: buffer.base, Int(entry.1), at: Int(entry.0 - entry.1))
        return unsafe UnsafePointer(buffer.base)
    }

    private func offset(of number: UInt64) -> Int { Int(number - first) * KeyedFile.entryBytes }

    private func writeEntry(_ entry: inout (UInt64, UInt64), of number: UInt64) throws(Failure) {
        let at = offset(of: number)
        let result = unsafe withUnsafeBytes(of: &entry) { raw -> Result<Void, Failure> in
            guard let base = raw.baseAddress else { return .success(()) }
            let start = unsafe base.assumingMemoryBound(to: UInt8.self)
            return Result { () throws(Failure) in try unsafe index.write(start, KeyedFile.entryBytes, at: at) }
        }
        try result.get()
    }

    private func readEntry(of number: UInt64) throws(Failure) -> (UInt64, UInt64) {
        let at = offset(of: number)
        var entry: (UInt64, UInt64) = (0, 0)
        let result = unsafe withUnsafeMutableBytes(of: &entry) { raw -> Result<Void, Failure> in
            guard let base = raw.baseAddress else { return .success(()) }
            let start = unsafe base.assumingMemoryBound(to: UInt8.self)
            return Result { () throws(Failure) in try unsafe index.read(into: start, KeyedFile.entryBytes, at: at) }
        }
        try result.get()
        return entry
    }
}
