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
