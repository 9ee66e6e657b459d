/// A hash of bytes by folded 128-bit products, after wyhash (Wang Yi); fast on the short keys that identifiers are.
@inlinable @inline(__always)
package func hashBytes(_ bytes: UnsafePointer<UInt8>, _ count: Int, seed: UInt64) -> UInt64 {
    var state = seed ^ 0xa076_1d64_78bd_642f
    var rest = count
    var source = unsafe UnsafeRawPointer(bytes)
    while rest >= 16 {
        state = unsafe foldProduct(
            source.loadUnaligned(as: UInt64.self) ^ 0xe703_7ed1_a0b4_28db,
            source.loadUnaligned(fromByteOffset: 8, as: UInt64.self) ^ state)
        unsafe source += 16
        rest -= 16
    }
    var low: UInt64 = 0
    var high: UInt64 = 0
    if rest >= 8 {
        low = unsafe source.loadUnaligned(as: UInt64.self)
        unsafe source += 8
        rest -= 8
        high = unsafe tail(source, rest)
    } else {
        low = unsafe tail(source, rest)
    }
    return foldProduct(
        foldProduct(low ^ 0x8ebc_6af0_9c88_c6e3, high ^ state), 0x5896_6b3f_04f2_6b1d ^ UInt64(count))
}

/// Up to seven bytes as a number.
@inlinable @inline(__always)
func tail(_ source: UnsafeRawPointer, _ count: Int) -> UInt64 {
    if count >= 4 {
        let low = unsafe UInt64(source.loadUnaligned(as: UInt32.self))
        let high = unsafe UInt64(source.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
        return low | high << 32
    }
    var value: UInt64 = 0
    for index in 0..<count { value = value << 8 | UInt64(unsafe source.load(fromByteOffset: index, as: UInt8.self)) }
    return value
}

/// Both halves of a product in one: mixes the bits of two numbers.
@inlinable @inline(__always)
package func foldProduct(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
}
