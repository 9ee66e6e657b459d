import SluiceRecords
import SluiceSchema

/// A piece of SQL with the values of its parameters.
struct Fragment: Sendable {
    enum Piece: Sendable {
        case sql(String)
        case value(SQLValue)
        /// A list of values, none of them null, in parentheses.
        case list([SQLValue])
        /// A table of the store, or of the seed that the query is about.
        case table(String)
    }

    private(set) var pieces: [Piece]
    /// What keeps it from being run.
    private(set) var error: StoreError?

    init(_ pieces: [Piece]) { self.pieces = pieces }

    init(_ sql: String) { pieces = [.sql(sql)] }

    init(value: SQLValue) { pieces = [.value(value)] }

    init(column name: String, of table: String) { self.init("\(quoted(table)).\(quoted(name))") }

    init(error: StoreError) {
        pieces = []
        self.error = error
    }

    init(joining parts: [Fragment], _ separator: String) {
        self.init([])
        for (index, part) in parts.enumerated() {
            if index > 0 { append(separator) }
            append(part)
        }
    }

    mutating func append(_ sql: String) { pieces.append(.sql(sql)) }

    mutating func append(_ other: Fragment) {
        pieces += other.pieces
        error = error ?? other.error
    }

    static func + (left: Fragment, right: Fragment) -> Fragment { Fragment(joining: [left, right], "") }

    static func + (left: Fragment, right: String) -> Fragment { left + Fragment(right) }

    static func + (left: String, right: Fragment) -> Fragment { Fragment(left) + right }
}

/// A statement as text, and what its parameters get.
struct Rendered: Sendable {
    /// Lists up to this length are parameters; longer ones a table.
    private static let shortList = 64

    private(set) var sql = ""
    private(set) var values: [StatementValue] = []

    /// - Parameter schema: what the seed that the query is about is called; nil: the store itself.
    init(_ fragment: Fragment, schema: String?) throws(StoreError) {
        if let error = fragment.error { throw error }
        for piece in fragment.pieces {
            switch piece {
            case .sql(let text): sql += text
            case .value(let value):
                sql += "?"
                values.append(.value(value))
            case .table(let name): sql += quoted(schema ?? "main") + "." + quoted(name)
            case .list(let list): append(list)
            }
        }
    }

    /// The number of parameters is that of few shapes, so that statements are prepared once: the last value stands for
    /// what is left over.
    private mutating func append(_ list: [SQLValue]) {
        guard let last = list.last, list.count <= Rendered.shortList else {
            sql += "\(ValueList.name)(?)"
            values.append(.list(ValueList(list)))
            return
        }
        var count = 1
        while count < list.count { count *= 2 }
        sql += "(" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
        values += (0..<count).map { .value($0 < list.count ? list[$0] : last) }
    }
}
