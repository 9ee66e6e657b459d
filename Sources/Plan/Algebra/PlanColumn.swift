import SluiceColumns
import SluiceRecords

/// The name of a column. A relation has names of one kind alone, so that no name of a user can meet one of ours.
package enum PlanColumnName: Hashable, Sendable {
    /// One of the plan's own, which says what the column is.
    case own(String)
    /// A column of a file: a definition gives these their names.
    case given(ExactText)

    /// As a query has it, without quotation marks.
    var text: String {
        switch self {
        case .own(let text): text
        case .given(let text): text.string
        }
    }
    var isOwn: Bool { if case .own = self { true } else { false } }

    static func given(_ text: String) -> PlanColumnName { .given(ExactText(text)) }
}

/// What the values of a column are; each may be null.
package indirect enum PlanType: Hashable, Sendable {
    case value(ParquetColumn.Kind)
    case list(ParquetColumn.Kind)
    /// Named values together.
    case row([PlanColumn])

    static let boolean = PlanType.value(.boolean)
    static let integer = PlanType.value(.integer)
    static let real = PlanType.value(.real)
    static let text = PlanType.value(.text)

    /// Of a list.
    var element: PlanType {
        guard case .list(let kind) = self else { preconditionFailure("\(self) is no list") }
        return .value(kind)
    }
}

/// A column of a relation.
package struct PlanColumn: Hashable, Sendable {
    package let name: PlanColumnName
    package let type: PlanType

    init(_ name: PlanColumnName, _ type: PlanType) {
        self.name = name
        self.type = type
    }

    /// As it is in a file.
    init(_ column: ParquetColumn) {
        self.init(.given(column.name), column.isList ? .list(column.kind) : .value(column.kind))
    }
}
