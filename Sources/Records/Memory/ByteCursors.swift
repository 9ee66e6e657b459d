/// Writes numbers and bytes one after the other; the writer has made sure that there is room.
@unsafe
package struct ByteWriter {
    /// Ten bytes hold any 64-bit number at seven bits a byte.
    @inlinable package static var longestNumber: Int { 10 }

    /// Where the next byte goes.
    @inlinable package var next: UnsafeMutablePointer<UInt8> { unsafe cursor }
    @usableFromInline var cursor: UnsafeMutablePointer<UInt8>

    @inlinable
    package init(_ start: UnsafeMutablePointer<UInt8>) { unsafe cursor = start }

    @inlinable @inline(__always)
    package mutating func write(byte: UInt8) {
        unsafe cursor.pointee = byte
        unsafe cursor += 1
    }

    /// A number at seven bits a byte, the lowest first (LEB128).
    @inlinable @inline(__always)
    package mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            unsafe write(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        unsafe write(byte: UInt8(truncatingIfNeeded: rest))
    }

    /// Small numbers of either sign are short (zigzag).
    @inlinable @inline(__always)
    package mutating func write(signed number: Int64) {
        unsafe write(UInt64(bitPattern: (number << 1) ^ (number >> 63)))
    }

    /// A number in eight bytes, whatever it is.
    @inlinable @inline(__always)
    package mutating func write(word: UInt64) {
        unsafe UnsafeMutableRawPointer(cursor).storeBytes(of: word, as: UInt64.self)
        unsafe cursor += MemoryLayout<UInt64>.size
    }

    @inlinable @inline(__always)
    package mutating func write(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        unsafe cursor.update(from: bytes, count: count)
        unsafe cursor += count
    }
}

/// Reads what a `ByteWriter` wrote.
@unsafe
package struct ByteReader {
    /// Where the next byte is.
    @inlinable package var next: UnsafePointer<UInt8> { unsafe cursor }
    @usableFromInline var cursor: UnsafePointer<UInt8>

    @inlinable
    package init(_ start: UnsafePointer<UInt8>) { unsafe cursor = start }

    @inlinable @inline(__always)
    package mutating func readByte() -> UInt8 {
        let byte = unsafe cursor.pointee
        unsafe cursor += 1
        return byte
    }

    @inlinable @inline(__always)
    package mutating func readNumber() -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = unsafe readByte()
            number |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 == 0 { return number }
            shift += 7
        }
    }

    @inlinable @inline(__always)
    package mutating func readSigned() -> Int64 {
        let number = unsafe readNumber()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    @inlinable @inline(__always)
    package mutating func readWord() -> UInt64 {
        let word = unsafe UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self)
        unsafe cursor += MemoryLayout<UInt64>.size
        return word
    }

    /// The next bytes, where they are.
    @inlinable @inline(__always)
    package mutating func readBytes(_ count: Int) -> UnsafePointer<UInt8> {
        let bytes = unsafe cursor
        unsafe cursor += count
        return unsafe bytes
    }
}
