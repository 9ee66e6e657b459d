/// Writes structures in Thrift's compact protocol, which Parquet's headers are in.
///
/// Source: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
struct ThriftWriter {
    /// The types of the protocol that Parquet's headers have.
    enum Kind: UInt8 {
        case i32 = 5
        case i64 = 6
        case binary = 8
        case list = 9
        case structure = 12
    }

    private(set) var bytes: [UInt8] = []
    /// Of the structures that are open: the number of the last field.
    private var fields: [Int16] = [0]

    mutating func write(_ number: Int16, _ value: Int32) {
        header(number, .i32)
        element(value)
    }

    mutating func write(_ number: Int16, _ value: Int64) {
        header(number, .i64)
        varint(Varint.zigzag(value))
    }

    mutating func write(_ number: Int16, _ text: String) {
        header(number, .binary)
        element(text)
    }

    /// A field that is a structure; the body writes its fields.
    mutating func write(_ number: Int16, _ body: (inout ThriftWriter) -> Void) {
        header(number, .structure)
        element(body)
    }

    /// A field that is a list; the body writes an element.
    mutating func write<Element>(
        _ number: Int16, _ elements: [Element], of kind: Kind, _ body: (inout ThriftWriter, Element) -> Void
    ) {
        header(number, .list)
        if elements.count < 15 {
            bytes.append(UInt8(elements.count) << 4 | kind.rawValue)
        } else {
            bytes.append(0xf0 | kind.rawValue)
            varint(UInt64(elements.count))
        }
        for element in elements { body(&self, element) }
    }

    /// An element of a list of structures, or the whole.
    mutating func element(_ body: (inout ThriftWriter) -> Void) {
        fields.append(0)
        body(&self)
        bytes.append(0)
        fields.removeLast()
    }

    mutating func element(_ text: String) {
        varint(UInt64(text.utf8.count))
        bytes += text.utf8
    }

    mutating func element(_ value: Int32) { varint(Varint.zigzag(Int64(value))) }

    private mutating func header(_ number: Int16, _ kind: Kind) {
        let step = number - (fields.last ?? 0)
        fields[fields.count - 1] = number
        // Parquet's fields are few: the short form always does.
        bytes.append(UInt8(step) << 4 | kind.rawValue)
    }

    private mutating func varint(_ value: UInt64) { Varint.write(value) { bytes.append($0) } }
}
