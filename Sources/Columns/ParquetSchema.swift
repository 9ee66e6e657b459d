/// A column of a Parquet file.
///
/// Source: https://github.com/apache/parquet-format
package struct ParquetColumn: Sendable, Hashable {
    /// How its values are stored, and what they mean.
    package enum Kind: Sendable {
        case boolean
        /// Days since 1970, 32 bits.
        case date
        case integer
        case real
        case text
        case bytes

        /// `Type` of the format.
        var physical: Int32 {
            switch self {
            case .boolean: 0
            case .date: 1
            case .integer: 2
            case .real: 5
            case .text, .bytes: 6
            }
        }

        /// `ConvertedType` of the format.
        var converted: Int32? {
            switch self {
            case .text: 0
            case .date: 6
            default: nil
            }
        }
    }

    package var name: String
    package var kind: Kind
    /// Whether each value is a list; its elements may be null, and so may it.
    package var isList: Bool

    package init(_ name: String, _ kind: Kind, isList: Bool = false) {
        self.name = name
        self.kind = kind
        self.isList = isList
    }

    /// The path of its leaf.
    var path: [String] { isList ? [name, "list", "element"] : [name] }
    /// The level at which a value is there.
    var mostDefined: UInt8 { isList ? 3 : 1 }
}

extension ParquetColumn {
    /// Its elements of the schema.
    func write(to writer: inout SchemaWriter) {
        guard isList else { return writer.leaf(name, kind) }
        writer.group(name, repetition: .optional, converted: 3)
        writer.group("list", repetition: .repeated, converted: nil)
        writer.leaf("element", kind)
    }
}

/// Collects the elements of a schema, depth first.
struct SchemaWriter {
    enum Repetition: Int32 { case required, optional, repeated }

    private struct Element {
        var name: String
        var kind: ParquetColumn.Kind?
        var repetition: Repetition?
        var children: Int32?
        var converted: Int32?
    }

    private var elements: [Element]

    init(_ columns: [ParquetColumn]) {
        elements = [Element(name: "schema", children: Int32(columns.count))]
        for column in columns { column.write(to: &self) }
    }

    mutating func leaf(_ name: String, _ kind: ParquetColumn.Kind) {
        elements.append(Element(name: name, kind: kind, repetition: .optional, converted: kind.converted))
    }

    mutating func group(_ name: String, repetition: Repetition, converted: Int32?) {
        elements.append(Element(name: name, repetition: repetition, children: 1, converted: converted))
    }

    /// The list of elements, as a field of the file's description.
    func write(_ number: Int16, to thrift: inout ThriftWriter) {
        thrift.write(number, elements, of: .structure) { thrift, element in
            thrift.element { thrift in
                if let kind = element.kind { thrift.write(1, kind.physical) }
                if let repetition = element.repetition { thrift.write(3, repetition.rawValue) }
                thrift.write(4, element.name)
                if let children = element.children { thrift.write(5, children) }
                if let converted = element.converted { thrift.write(6, converted) }
            }
        }
    }
}
