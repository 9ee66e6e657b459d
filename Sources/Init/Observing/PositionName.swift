/// What the place of a list's element is called, where each position has its own: `[0]`.
@safe
struct PositionName {
    /// From the first to the last byte; no more than eight.
    private let bytes: UInt64
    private let length: Int

    /// - Parameter position: of those beyond the last one that counts, all are one.
    init(_ position: Int) {
        var bytes = UInt64(UInt8(ascii: "]"))
        var length = 1
        var rest = min(position, PositionLog.most)
        repeat {
            bytes = bytes << 8 | UInt64(UInt8(ascii: "0") + UInt8(rest % 10))
            length += 1
            rest /= 10
        } while rest > 0
        self.bytes = (bytes << 8 | UInt64(UInt8(ascii: "["))).littleEndian
        self.length = length + 1
    }

    func withBytes(_ use: (UnsafePointer<UInt8>, Int) -> Void) {
        unsafe withUnsafeBytes(of: bytes) { memory in
            unsafe use(memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self), length)
        }
    }
}
