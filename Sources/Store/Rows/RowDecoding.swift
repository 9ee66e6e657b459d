import SluiceRecords

/// Rows as values of `Decodable` types, by the names of the columns. Where each is, is found out once for all rows.
final class RowDecoding {
    fileprivate var places: [ExactText: Int]?
    fileprivate var values: [SQLValue] = []

    /// A row as a value: a type with members, or what a single column has.
    func decode<Value: Decodable>(_ type: Value.Type, _ row: borrowing StoreRow) throws(StoreError) -> Value {
        let count = row.count
        if places == nil {
            var found: [ExactText: Int] = [:]
            for column in (0..<count).reversed() { found[ExactText(row.name(column))] = column }
            places = found
        }
        values.removeAll(keepingCapacity: true)
        for column in 0..<count { values.append(try row.any(column)) }
        do {
            return try Value(from: RowDecoder(row: self, codingPath: []))
        } catch let error as DecodingError {
            throw StoreError(.invalid, RowDecoding.message(error))
        } catch {
            throw error as? StoreError ?? StoreError(.invalid, "\(error)")
        }
    }

    private static func message(_ error: DecodingError) -> String {
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
            .dataCorrupted(let found):
            context = found
        @unknown default: return "\(error)"
        }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}

private struct RowDecoder: Decoder {
    let row: RowDecoding
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ColumnContainer(row: row, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DecodingError.typeMismatch(
            [Any].self, .init(codingPath: codingPath, debugDescription: "a row has columns with names, and is no list"))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        guard row.values.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath,
                    debugDescription: "one column is expected, and the row has \(row.values.count)"))
        }
        return ValueContainer(value: row.values[0], codingPath: codingPath)
    }
}

private struct ColumnContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let row: RowDecoding
    let codingPath: [any CodingKey]
    var allKeys: [Key] { row.places?.keys.compactMap { Key(stringValue: $0.string) } ?? [] }

    private func value(_ key: Key) throws -> SQLValue {
        guard let place = row.places?[ExactText(key.stringValue)] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath + [key], debugDescription: "the row has no such column"))
        }
        return row.values[place]
    }

    func contains(_ key: Key) -> Bool { row.places?[ExactText(key.stringValue)] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        if case .text(let text) = try value(key) { return text }
        return try container(key).decode(type)
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        if case .integer(let number) = try value(key) { return Int(number) }
        return try container(key).decode(type)
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        if case .real(let number) = try value(key) { return number }
        return try container(key).decode(type)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try container(key).decode(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try container(key).decode(type)
    }

    private func container(_ key: Key) throws -> ValueContainer {
        ValueContainer(value: try value(key), codingPath: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw isValue(key) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw isValue(key) }
    func superDecoder() throws -> any Decoder { RowDecoder(row: row, codingPath: codingPath) }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        ValueDecoder(value: try value(key), codingPath: codingPath + [key])
    }

    private func isValue(_ key: Key) -> DecodingError {
        .typeMismatch(
            [Any].self, .init(codingPath: codingPath + [key], debugDescription: "a column has one value"))
    }
}

private struct ValueDecoder: Decoder {
    let value: SQLValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw isValue }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .blob(let bytes) = value else { throw isValue }
        return ByteContainer(bytes: bytes, codingPath: codingPath)
    }
    func singleValueContainer() -> any SingleValueDecodingContainer {
        ValueContainer(value: value, codingPath: codingPath)
    }

    private var isValue: DecodingError {
        .typeMismatch([Any].self, .init(codingPath: codingPath, debugDescription: "a column has one value"))
    }
}

private struct ValueContainer: SingleValueDecodingContainer {
    let value: SQLValue
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .integer(let number) = value, number == 0 || number == 1 else { throw mismatch(type, "0 or 1") }
        return number == 1
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .text(let text) = value else { throw mismatch(type, "a text") }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .real(let number): return number
        case .integer(let number) where Int64(exactly: Double(number)) == number: return Double(number)
        default: throw mismatch(type, "a number")
        }
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try Value(from: ValueDecoder(value: value, codingPath: codingPath))
    }

    private func integer<Number: FixedWidthInteger>() throws -> Number {
        guard case .integer(let stored) = value, let number = Number(exactly: stored) else {
            throw mismatch(Number.self, "a whole number that fits \(Number.self)")
        }
        return number
    }

    private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
        let found =
            switch value {
            case .null: "null"
            case .integer(let number): "\(number)"
            case .real(let number): "\(number)"
            case .text(let text): "the text \"\(text.prefix(60))\""
            case .blob: "bytes"
            }
        return .typeMismatch(
            type, .init(codingPath: codingPath, debugDescription: "\(expected) expected, found \(found)"))
    }
}

/// The bytes of a blob, for `[UInt8]`.
private struct ByteContainer: UnkeyedDecodingContainer {
    let bytes: [UInt8]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0
    var count: Int? { bytes.count }
    var isAtEnd: Bool { currentIndex >= bytes.count }

    init(bytes: [UInt8], codingPath: [any CodingKey]) {
        self.bytes = bytes
        self.codingPath = codingPath
    }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type, .init(codingPath: codingPath, debugDescription: "there are no more bytes"))
        }
        defer { currentIndex += 1 }
        return try Value(from: ValueDecoder(value: .integer(Int64(bytes[currentIndex])), codingPath: codingPath))
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { throw isByte }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw isByte }
    mutating func superDecoder() throws -> any Decoder { throw isByte }

    private var isByte: DecodingError {
        .typeMismatch([Any].self, .init(codingPath: codingPath, debugDescription: "a byte has no parts"))
    }
}
