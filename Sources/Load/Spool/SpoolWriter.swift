import SluicePosix
import SluiceRecords

/// Writes the blocks of long spools on a thread of its own, so that the loader need not wait until the system has
/// copied them: where records come in no order, that would take a sixth of the loader's time, and the reader waits for
/// the loader.
///
/// One writer serves all spools of the process; it has its thread and its memory only while some are long. A block is
/// copied when it is handed over. Where there is no thread to be had, the caller writes the blocks itself.
///
/// `monitor` guards all mutable state, except the bytes of the oldest block while it is written: no thread changes
/// those then.
@safe
final class SpoolWriter: @unchecked Sendable {
    static let shared = SpoolWriter()

    /// The most bytes of a block.
    private static let blockBytes = 1 << 18
    private static let mostBlocks = 4

    /// Bytes that are still to be written.
    @safe
    private struct Block {
        let target: SpoolTarget
        let offset: Int
        let start: UnsafeMutableRawPointer
        var count = 0

        func write() -> Failure? {
            do {
                try unsafe target.file.write(UnsafeRawBufferPointer(start: start, count: count), at: offset)
                return nil
            } catch {
                return error
            }
        }
    }

    private let monitor = Monitor()
    /// The memory of the blocks, one after the other; nil: there is no thread.
    private var memory: UnsafeMutableRawPointer?
    /// The blocks that wait, the oldest first.
    private var waiting: [Block] = []
    /// The blocks that were written, and so the number of the oldest that waits.
    private var writtenCount = 0
    /// Whether the oldest is being written.
    private var isWriting = false
    /// Long spools.
    private var users = 0

    // MARK: For those who write

    /// Says that a spool has become long.
    func addUser() {
        monitor.withLock {
            users += 1
            if unsafe memory == nil { startThread() }
        }
    }

    /// Says that a long spool goes.
    func removeUser() {
        monitor.withLock {
            users -= 1
            monitor.wake()
        }
    }

    /// Hands bytes over to be written, and returns how many blocks are written when these are; 0: they are already.
    ///
    /// - Throws: The failure of earlier blocks of the file.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, of target: SpoolTarget) throws(Failure) -> Int {
        let number = try monitor.withLock { () throws(Failure) in
            if let failure = target.failure { throw failure }
            return unsafe enqueue(bytes, offset, target)
        }
        if number == 0 { try unsafe target.file.write(bytes, at: offset) }
        return number
    }

    /// Waits until so many blocks are written.
    ///
    /// - Throws: The failure of blocks of the file.
    func waitUntilWritten(_ number: Int, of target: SpoolTarget) throws(Failure) {
        try monitor.withLock { () throws(Failure) in
            while writtenCount < number { monitor.wait() }
            if let failure = target.failure { throw failure }
        }
    }

    /// 0 where the caller is to write the bytes itself.
    private func enqueue(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ target: SpoolTarget) -> Int {
        guard let memory = unsafe memory, bytes.count <= SpoolWriter.blockBytes else { return 0 }
        if !isRoom(for: bytes.count, offset, target) {
            while waiting.count == SpoolWriter.mostBlocks { monitor.wait() }
            let place = (writtenCount + waiting.count) % SpoolWriter.mostBlocks
            let start = unsafe memory + place * SpoolWriter.blockBytes
            waiting.append(unsafe Block(target: target, offset: offset, start: start))
        }
        let last = waiting.count - 1
        if let source = bytes.baseAddress {
            unsafe (waiting[last].start + waiting[last].count).copyMemory(from: source, byteCount: bytes.count)
        }
        waiting[last].count += bytes.count
        monitor.wake()
        return writtenCount + waiting.count
    }

    /// Whether the block that came last takes bytes that follow it in the file.
    private func isRoom(for bytes: Int, _ offset: Int, _ target: SpoolTarget) -> Bool {
        guard let last = waiting.last, waiting.count > (isWriting ? 1 : 0) else { return false }
        let isFollowing = last.target === target && last.offset + last.count == offset
        return isFollowing && last.count + bytes <= SpoolWriter.blockBytes
    }

    // MARK: The thread

    private func startThread() {
        let bytes = SpoolWriter.mostBlocks * SpoolWriter.blockBytes
        unsafe memory = .allocate(byteCount: bytes, alignment: MemoryLayout<Int>.alignment)
        do {
            try WorkerThread.start("writes temporary files") { self.work() }
        } catch {
            endThread()
        }
    }

    private func endThread() {
        unsafe memory?.deallocate()
        unsafe memory = nil
    }

    /// Writes what comes, until no spool is long any more.
    private func work() {
        while let next = monitor.withLock({ nextBlock() }) {
            let failure = next.write()
            monitor.withLock {
                if let failure { next.target.failure = failure }
                waiting.removeFirst()
                writtenCount += 1
                isWriting = false
                monitor.wake()
            }
        }
    }

    /// The oldest block; nil where the thread is to end.
    private func nextBlock() -> Block? {
        while waiting.isEmpty, users > 0 { monitor.wait() }
        isWriting = !waiting.isEmpty
        if waiting.isEmpty { endThread() }
        return waiting.first
    }
}

/// The file of a spool, as its writer has it. The failure is guarded by the monitor of the writer.
final class SpoolTarget: @unchecked Sendable {
    let file: TemporaryFile
    /// The failure of an earlier write.
    fileprivate var failure: Failure?

    init(_ file: TemporaryFile) { self.file = file }
}
