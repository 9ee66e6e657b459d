import SluiceRecords
import SluiceSchema

/// What a link has of its own as a JSON object, as long as the link waits for its target: a member for each column, as
/// `Arena.json` writes it.
package enum LinkText {
    /// The members of such an object, by name: texts without their quotes, all else as it is written.
    package static func members(of text: String) -> [ExactText: String] {
        var members: [ExactText: String] = [:]
        for member in StoredJSON(text)?.members ?? [] { members[ExactText(member.key)] = member.value.scalarText }
        return members
    }

    /// A member as a cell of a column; null where there is none.
    package static func cell(_ value: String?, _ type: ColumnType, _ arena: inout Arena) -> Cell {
        guard let value else { return .null }
        switch type {
        case .integer: return Int64(value).map { .integer($0) } ?? .null
        case .real: return Double(value).map { .real($0) } ?? .null
        case .text: return arena.appendText(value)
        case .blob: return arena.appendBytes(hexadecimal: value) ?? .null
        }
    }
}

extension Arena {
    /// Appends bytes from their hexadecimal digits; nil: they are none.
    package mutating func appendBytes(hexadecimal text: String) -> Cell? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[start..<start + 2], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        let offset = reserve(bytes.count)
        for (index, byte) in bytes.enumerated() { unsafe base[offset + index] = byte }
        return Cell(kind: .blob, payload: UInt64(offset), length: UInt32(bytes.count))
    }
}
