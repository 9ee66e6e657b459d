/// Rows for a table, as the server's binary COPY has them.
@safe
package struct CopyBuffer {
    package private(set) var buffer = ByteBuffer(capacity: 1 << 16)
    private var columns: Int16 = 0
    private static let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0x00]

    package init() {}

    package mutating func deallocate() { buffer.deallocate() }

    /// Forgets the rows before, and begins with others.
    package mutating func begin(columns: Int) {
        buffer.removeAll()
        self.columns = Int16(columns)
        for byte in CopyBuffer.signature { buffer.append(byte) }
        buffer.append(Int32(0))
        buffer.append(Int32(0))
    }

    /// Appends a row, whose fields `fields` appends.
    @inline(__always)
    package mutating func appendRow(_ fields: (inout ByteBuffer) -> Void) {
        buffer.append(columns)
        fields(&buffer)
    }

    package mutating func end() { buffer.append(Int16(-1)) }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        unsafe body(UnsafeBufferPointer(start: buffer.base, count: buffer.count))
    }
}
