import SluiceDefinition

/// What stands for a value where values are counted and compared: 64 bits. A number and a text that holds it are the
/// same, as references are converted to the type of what they refer to.
enum ValueFingerprint {
    /// Stands for no value.
    static let none: UInt64 = 0

    package static func of(_ integer: Int64) -> UInt64 { nonzero(mix(UInt64(bitPattern: integer) &+ offset)) }

    /// The integer whose hash this is, if it is that of one.
    package static func integer(_ hash: UInt64) -> Int64 { Int64(bitPattern: unmix(hash) &- offset) }

    package static func of(_ text: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: length) &* 0x9e37_79b9_7f4a_7c15 ^ 0x6a09_e667_f3bc_c908
        let memory = unsafe UnsafeRawPointer(text)
        var at = 0
        while at &+ 8 <= length {
            hash = step(hash, unsafe memory.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            at &+= 8
        }
        if at < length {
            var rest: UInt64 = 0
            while at < length {
                rest = rest << 8 | UInt64(unsafe text[at])
                at &+= 1
            }
            hash = step(hash, rest)
        }
        return nonzero(mix(hash))
    }

    /// Of a text, or of the number that it is.
    package static func of(value text: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        if let integer = unsafe wholeNumber(text, length) { return of(integer) }
        return unsafe of(text, length)
    }

    static func of(text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return none }
            return unsafe of(value: base, bytes.count)
        }
    }

    /// Of several values in their order.
    static func joined(_ first: UInt64, _ second: UInt64) -> UInt64 { nonzero(mix(step(first, second))) }

    @inline(__always)
    private static func step(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
        return product.high ^ product.low &+ hash &* 0xe703_7ed1_a0b4_28db
    }

    private static func nonzero(_ hash: UInt64) -> UInt64 { hash == none ? 1 : hash }

    /// So that no small integer has the hash 0.
    private static let offset: UInt64 = 0x5bd1_e995_9d1b_58d3

    // The last steps of MurmurHash3, which can be undone.
    private static func mix(_ value: UInt64) -> UInt64 {
        var word = value
        word = (word ^ word >> 33) &* 0xff51_afd7_ed55_8ccd
        word = (word ^ word >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return word ^ word >> 33
    }

    private static func unmix(_ value: UInt64) -> UInt64 {
        var word = value
        word = (word ^ word >> 33) &* 0x9cb4_b2f8_1293_37db
        word = (word ^ word >> 33) &* 0x4f74_430c_22a5_4005
        return word ^ word >> 33
    }
}
