import SluiceRecords
import SluiceSchema

/// A typed value of a record.
package enum TestValue: Hashable, Sendable, CustomStringConvertible {
    case absent, null
    case integer(Int64)
    case text(Text)
    case real(Double)
    case bytes([UInt8])
    /// No identifier of the target's type.
    case impossible(Text)
    indirect case list([TestValue])

    /// As the tests have it from a store.
    package var description: String {
        switch self {
        case .absent, .null: "∅"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .bytes(let bytes): "x" + bytes.map { String(256 + Int($0), radix: 16).dropFirst().uppercased() }.joined()
        case .text(let text), .impossible(let text): text.description
        case .list(let values): "\(values)"
        }
    }
}

extension TestValue {
    /// As it would be in another form; nil where it has no equal there.
    func converted(from: StoredForm, to: StoredForm) -> TestValue? {
        if from == to || self == .null { return self }
        let value: StoredValue =
            switch self {
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .text(let text): .text(text.description)
            default: .blob
            }
        switch FormConversion(from: from, to: to)?.convert(value) {
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .text(let text): return .text(Text(text))
        case .blob, nil: return nil
        }
    }
}

/// A record: an entity, and a value per typed cell, as `RowLayout` has them.
package struct TestRecord: Hashable, Sendable {
    package var entity: Int
    package var values: [TestValue]
    /// `complete`; `gone`, a record that says that its object is gone; or `rejected`, of which only the identifier
    /// counts.
    package var status: RowStatus
    /// The record's place in its feed.
    package var number = 0
    /// Where it stands in all feeds: of several references to a stub, the first counts.
    package var place = 0

    package init(entity: Int, values: [TestValue], status: RowStatus = .complete) {
        self.entity = entity
        self.values = values
        self.status = status
    }
}
