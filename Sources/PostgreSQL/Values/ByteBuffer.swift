import Glibc
import SluiceRecords

/// Bytes in the order of the network, as the server's protocol has them: appended to, and used again.
@safe
package struct ByteBuffer {
    /// Of no use where the capacity is 0.
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    package private(set) var count = 0

    private let firstCapacity: Int

    /// An empty one, which has no memory yet.
    ///
    /// - Parameter capacity: bytes that it begins with once there are some.
    package init(capacity firstCapacity: Int = 4096) {
        self.firstCapacity = firstCapacity
        capacity = 0
        unsafe memory = UnsafeMutablePointer(bitPattern: MemoryLayout<Int>.alignment).unsafelyUnwrapped
    }

    package mutating func deallocate() {
        if capacity > 0 { unsafe free(memory) }
        (capacity, count) = (0, 0)
    }

    /// The first byte; valid until something is appended.
    package var base: UnsafePointer<UInt8> { unsafe UnsafePointer(memory) }

    package mutating func removeAll() { count = 0 }

    /// Gives back what was appended since there were `count` bytes.
    package mutating func truncate(to count: Int) { self.count = count }

    /// Room for some bytes, which count from now on.
    @inline(__always)
    private mutating func reserve(_ length: Int) -> UnsafeMutableRawPointer {
        let end = count &+ length
        if end > capacity { grow(to: end) }
        defer { count = end }
        return unsafe UnsafeMutableRawPointer(memory + count)
    }

    @inline(__always)
    package mutating func append(_ value: UInt8) { unsafe reserve(1).storeBytes(of: value, as: UInt8.self) }

    @inline(__always)
    package mutating func append(_ value: Int16) {
        unsafe reserve(2).storeBytes(of: value.bigEndian, as: Int16.self)
    }

    @inline(__always)
    package mutating func append(_ value: Int32) {
        unsafe reserve(4).storeBytes(of: value.bigEndian, as: Int32.self)
    }

    @inline(__always)
    package mutating func append(_ value: Int64) {
        unsafe reserve(8).storeBytes(of: value.bigEndian, as: Int64.self)
    }

    @inline(__always)
    package mutating func append(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
        unsafe reserve(length).copyMemory(from: bytes, byteCount: length)
    }

    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            if let base = bytes.baseAddress { unsafe append(base, bytes.count) }
        }
    }

    /// Writes a length of four bytes at a place where room was left for it.
    @inline(__always)
    package func setLength(at place: Int, _ length: Int) {
        unsafe UnsafeMutableRawPointer(memory + place).storeBytes(
            of: Int32(truncatingIfNeeded: length).bigEndian, as: Int32.self)
    }

    @inline(never)
    private mutating func grow(to needed: Int) {
        let old = unsafe capacity > 0 ? memory : nil
        capacity = max(needed, capacity * 2, firstCapacity)
        unsafe memory = ByteBuffer.allocate(old, capacity)
    }

    private static func allocate(_ old: UnsafeMutablePointer<UInt8>?, _ size: Int) -> UnsafeMutablePointer<UInt8> {
        guard let memory = unsafe realloc(old, size) else { OutOfMemory.end(for: "what goes to the server") }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }
}

extension ByteBuffer {
    // MARK: Fields: a length of four bytes, and so many bytes

    /// Null.
    @inline(__always)
    package mutating func appendNull() { append(Int32(-1)) }

    @inline(__always)
    package mutating func appendField(_ value: Int64) {
        append(Int32(8))
        append(value)
    }

    package mutating func appendField(_ value: Int32) {
        append(Int32(4))
        append(value)
    }

    package mutating func appendField(_ text: String?) {
        guard let text else { return appendNull() }
        append(Int32(text.utf8.count))
        append(text)
    }

    @inline(__always)
    package mutating func appendField(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
        append(Int32(truncatingIfNeeded: length))
        unsafe append(bytes, length)
    }
}
