import SluicePosix
import SluiceRecords

/// A temporary file of bytes at any offset, through one block of memory. It has no name: it goes when it is closed,
/// however the process ends.
@safe
final class BlockFile {
    private static let blockBytes = 1 << 16

    private let file: TemporaryFile
    private let block: UnsafeMutablePointer<UInt8>
    /// Which block is in memory; negative: none.
    private var index = -1
    private var isChanged = false
    /// Blocks from this one on have never been written.
    private var blockCount = 0

    init() throws(Failure) {
        file = try TemporaryFile()
        unsafe block = .allocate(capacity: BlockFile.blockBytes)
    }

    deinit { unsafe block.deallocate() }

    /// Forgets everything, and gives the disk back.
    func clear() throws(Failure) {
        index = -1
        isChanged = false
        blockCount = 0
        try file.clear()
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

    private var bytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: block, count: BlockFile.blockBytes)
    }

    private func load(_ wanted: Int) throws(Failure) {
        if isChanged { try save() }
        let isWritten = wanted < blockCount
        let filled = isWritten ? try unsafe file.read(into: bytes, at: wanted * BlockFile.blockBytes) : 0
        unsafe (block + filled).update(repeating: 0, count: BlockFile.blockBytes - filled)
        index = wanted
    }

    private func save() throws(Failure) {
        try unsafe file.write(UnsafeRawBufferPointer(bytes), at: index * BlockFile.blockBytes)
        blockCount = max(blockCount, index + 1)
        isChanged = false
    }
}
