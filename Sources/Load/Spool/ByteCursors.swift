/// Writes numbers and bytes one after the other; the writer has made sure that there is room.
@unsafe
struct ByteWriter {
    /// Ten bytes hold any 64-bit number at seven bits a byte.
    static let longestNumber = 10

    private(set) var next: UnsafeMutablePointer<UInt8>

    init(_ start: UnsafeMutablePointer<UInt8>) { unsafe next = start }

    @inline(__always)
    mutating func write(byte: UInt8) {
        unsafe next.pointee = byte
        unsafe next += 1
    }

    /// A number at seven bits a byte, the lowest first (LEB128).
    @inline(__always)
    mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            unsafe write(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        unsafe write(byte: UInt8(truncatingIfNeeded: rest))
    }

    /// Small numbers of either sign are short (zigzag).
    @inline(__always)
    mutating func write(signed number: Int64) {
        unsafe write(UInt64(bitPattern: (number << 1) ^ (number >> 63)))
    }

    /// A number in eight bytes, whatever it is.
    @inline(__always)
    mutating func write(word: UInt64) {
        unsafe UnsafeMutableRawPointer(next).storeBytes(of: word, as: UInt64.self)
        unsafe next += MemoryLayout<UInt64>.size
    }

    @inline(__always)
    mutating func write(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        unsafe next.update(from: bytes, count: count)
        unsafe next += count
    }
}

/// Reads what a `ByteWriter` wrote.
@unsafe
struct ByteReader {
    private(set) var next: UnsafePointer<UInt8>

    init(_ start: UnsafePointer<UInt8>) { unsafe next = start }

    @inline(__always)
    mutating func readByte() -> UInt8 {
        let byte = unsafe next.pointee
        unsafe next += 1
        return byte
    }

    @inline(__always)
    mutating func readNumber() -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = unsafe readByte()
            number |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 == 0 { return number }
            shift += 7
        }
    }

    @inline(__always)
    mutating func readSigned() -> Int64 {
        let number = unsafe readNumber()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    @inline(__always)
    mutating func readWord() -> UInt64 {
        let word = unsafe UnsafeRawPointer(next).loadUnaligned(as: UInt64.self)
        unsafe next += MemoryLayout<UInt64>.size
        return word
    }

    /// The next bytes, where they are.
    @inline(__always)
    mutating func readBytes(_ count: Int) -> UnsafePointer<UInt8> {
        let bytes = unsafe next
        unsafe next += count
        return unsafe bytes
    }
}
