import SluiceExtract
import SluiceRecords

/// The bytes of a file, however often the connection breaks off.
final class RemoteBytes: ByteSource {
    private let requests: RemoteRequests
    private let path: String
    private var backoff: Backoff
    private var received: UInt64 = 0
    /// What had been received when the last request began.
    private var mark: UInt64 = 0
    private var isBegun = false
    private var isAtEnd = false
    /// Of the file as it was when it was opened.
    private(set) var facts = (size: -1, changed: -1)

    init(_ requests: RemoteRequests, _ path: String) {
        self.requests = requests
        self.path = path
        backoff = requests.firstBackoff
    }

    /// Waits until the first bytes have come, which nobody gets: to see whether the file is there.
    func open() throws(Failure) {
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        let outcome = unsafe buffer.withUnsafeMutableBytes { memory in
            Result { () throws(Failure) in try unsafe next(into: memory) }
        }
        _ = try outcome.get()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int { try unsafe next(into: buffer) }

    private func next(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while !isAtEnd {
            if !isBegun {
                requests.begin(path, from: received)
                (isBegun, mark) = (true, received)
            }
            let count = unsafe requests.read(into: buffer)
            if received == mark { try compareFacts() }
            received += UInt64(count)
            if count > 0 { return count }
            isBegun = false
            isAtEnd = try requests.isDone(path, &backoff, hasProgress: received > mark)
            if isAtEnd { try checkUnchanged() }
        }
        return 0
    }

    /// Asks once more, behind the last byte: libcurl reads as much as there was when it began, whatever has become of
    /// the file since.
    private func checkUnchanged() throws(Failure) {
        guard facts.size >= 0, !path.hasSuffix("/") else { return }
        guard received == UInt64(facts.size) else { throw requests.changed(path) }
        mark = received
        var byte: [UInt8] = [0]
        var isDone = false
        while !isDone {
            requests.begin(path, from: received)
            let count = unsafe byte.withUnsafeMutableBytes { unsafe requests.read(into: $0) }
            try compareFacts()
            if count > 0 { throw requests.changed(path) }
            isDone = try requests.isDone(path, &backoff, hasProgress: false)
        }
    }

    /// Compares the file with the one that was begun.
    private func compareFacts() throws(Failure) {
        let now = requests.facts
        guard now.size >= 0, !path.hasSuffix("/") else { return }
        let whole = (size: now.size + Int(mark), changed: now.changed)
        if facts.size < 0 { facts = whole }
        guard facts == whole else { throw requests.changed(path) }
    }
}
