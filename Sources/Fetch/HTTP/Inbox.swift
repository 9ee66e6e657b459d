/// Bytes that have come and are not read yet.
@safe
struct Inbox: ~Copyable {
    private let bytes: UnsafeMutableRawBufferPointer
    private var taken = 0
    private var filled = 0

    /// More than libcurl hands over at once (`CURLOPT_BUFFERSIZE`).
    private static let size = 1 << 18

    init() { unsafe bytes = .allocate(byteCount: Inbox.size, alignment: 16) }

    deinit { unsafe bytes.deallocate() }

    var isEmpty: Bool { taken == filled }

    /// False: there is no room until what is there has been taken.
    mutating func put(_ more: UnsafeRawBufferPointer) -> Bool {
        guard more.count <= Inbox.size - filled else { return false }
        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[filled..<filled + more.count]).copyMemory(from: more)
        filled += more.count
        return true
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(filled - taken, buffer.count)
        unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[taken..<taken + count]))
        taken += count
        if isEmpty { (taken, filled) = (0, 0) }
        return count
    }
}
