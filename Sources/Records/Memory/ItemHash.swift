/// A hash of 128 bits with a secret key: nobody who does not know the key can make two texts with the same hash.
///
/// Blocks of 1,024 bytes are compressed to 32 each by NH, as UMAC has it (Krovetz, RFC 4418), with 64-bit words and
/// two iterations by Toeplitz: two different blocks of one length meet with a probability of 2^-128 over all keys. The
/// results, with the length, go through SipHash-2-4 of 128 bits (Aumasson, Bernstein: SipHash, a fast short-input PRF).
@safe
package struct ItemHash {
    package struct Value: BitwiseCopyable, Hashable, Sendable {
        package var low: UInt64
        package var high: UInt64

        @inlinable package init(low: UInt64, high: UInt64) {
            self.low = low
            self.high = high
        }

        @inlinable package static func == (one: Value, other: Value) -> Bool {
            one.low == other.low && one.high == other.high
        }

        /// The hash of an item that means this only together with something else, of which the other is the hash.
        @inlinable package func mixed(with other: Value) -> Value {
            Value(low: low ^ other.low, high: high ^ other.high)
        }
    }

    /// Bytes of the secret.
    package static let secretBytes = 32

    private static let blockWords = 128
    /// Of the second iteration, the key begins two words further on.
    private static let shift = 2

    /// The key of NH, as long as a block, and of its second iteration.
    private let words: UnsafeMutablePointer<UInt64>
    private let siphash: (UInt64, UInt64)

    /// - Parameter secret: `secretBytes` of it, of no one's choice.
    package init(secret: [UInt8]) {
        precondition(secret.count == ItemHash.secretBytes, "a secret of another length")
        var parts: [UInt64] = [0, 0, 0, 0]
        for (index, byte) in secret.enumerated() { parts[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8) }
        siphash = (parts[0], parts[1])
        let count = ItemHash.blockWords + ItemHash.shift
        unsafe words = .allocate(capacity: count)
        for word in 0..<count {
            var state = SipState(parts[2], parts[3])
            state.add(UInt64(word))
            unsafe words.advanced(by: word).initialize(to: state.finish().low)
        }
    }

    package func deallocate() { unsafe words.deallocate() }

    package func value(of bytes: UnsafePointer<UInt8>, count: Int) -> Value {
        var state = SipState(siphash.0, siphash.1)
        var at = 0
        repeat {
            let length = min(count - at, ItemHash.blockWords * 8)
            let (one, other) = unsafe compress(UnsafeRawPointer(bytes + at), length)
            state.add(one.low)
            state.add(one.high)
            state.add(other.low)
            state.add(other.high)
            at += length
        } while at < count
        state.add(UInt64(count))
        return state.finish()
    }

    /// NH of a block: the sum of the products of neighbouring words, each with a word of the key added.
    @inline(__always)
    private func compress(_ bytes: UnsafeRawPointer, _ count: Int) -> (Value, Value) {
        var (one, other) = (Value(low: 0, high: 0), Value(low: 0, high: 0))
        var (at, key) = unsafe (0, words)
        while at &+ 16 <= count {
            let first = unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            let second = unsafe bytes.loadUnaligned(fromByteOffset: at &+ 8, as: UInt64.self)
            unsafe add(first, second, key, &one, &other)
            at &+= 16
            unsafe key += 2
        }
        guard at < count else { return (one, other) }
        // What is left, with what was before it: of one length, two blocks that differ do so there, too.
        if count >= 16 {
            let first = unsafe bytes.loadUnaligned(fromByteOffset: count &- 16, as: UInt64.self)
            let second = unsafe bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            unsafe add(first, second, key, &one, &other)
            return (one, other)
        }
        var tail: (UInt64, UInt64) = (0, 0)
        for index in 0..<count {
            let byte = UInt64(unsafe bytes.load(fromByteOffset: index, as: UInt8.self))
            if index < 8 { tail.0 |= byte << UInt64(8 &* index) } else { tail.1 |= byte << UInt64(8 &* (index &- 8)) }
        }
        unsafe add(tail.0, tail.1, key, &one, &other)
        return (one, other)
    }

    @inline(__always)
    private func add(
        _ first: UInt64, _ second: UInt64, _ key: UnsafeMutablePointer<UInt64>, _ one: inout Value, _ other: inout Value
    ) {
        unsafe ItemHash.accumulate(first &+ key[0], second &+ key[1], &one)
        unsafe ItemHash.accumulate(first &+ key[ItemHash.shift], second &+ key[ItemHash.shift + 1], &other)
    }

    @inline(__always)
    private static func accumulate(_ one: UInt64, _ other: UInt64, _ sum: inout Value) {
        let product = one.multipliedFullWidth(by: other)
        let (low, carries) = sum.low.addingReportingOverflow(product.low)
        sum.low = low
        sum.high = sum.high &+ product.high &+ (carries ? 1 : 0)
    }
}

/// SipHash-2-4 with a result of 128 bits, over whole words: those who call it say where they end.
private struct SipState {
    private var (v0, v1, v2, v3): (UInt64, UInt64, UInt64, UInt64)

    @inline(__always)
    init(_ key0: UInt64, _ key1: UInt64) {
        (v0, v1) = (key0 ^ 0x736f_6d65_7073_6575, key1 ^ 0x646f_7261_6e64_6f6d ^ 0xee)
        (v2, v3) = (key0 ^ 0x6c79_6765_6e65_7261, key1 ^ 0x7465_6462_7974_6573)
    }

    @inline(__always)
    mutating func add(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    @inline(__always)
    mutating func finish() -> ItemHash.Value {
        v2 ^= 0xee
        for _ in 0..<4 { round() }
        let low = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xdd
        for _ in 0..<4 { round() }
        return ItemHash.Value(low: low, high: v0 ^ v1 ^ v2 ^ v3)
    }

    @inline(__always)
    private mutating func round() {
        v0 = v0 &+ v1
        v1 = (v1 << 13 | v1 >> 51) ^ v0
        v0 = v0 << 32 | v0 >> 32
        v2 = v2 &+ v3
        v3 = (v3 << 16 | v3 >> 48) ^ v2
        v0 = v0 &+ v3
        v3 = (v3 << 21 | v3 >> 43) ^ v0
        v2 = v2 &+ v1
        v1 = (v1 << 17 | v1 >> 47) ^ v2
        v2 = v2 << 32 | v2 >> 32
    }
}
