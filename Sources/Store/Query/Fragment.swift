import SluiceRecords
import SluiceSchema

/// A piece of SQL with the values of its parameters: for SQLite, and for a server.
package struct Fragment: Sendable {
    package enum Piece: Sendable {
        case sql(String)
        /// A value as a column of the form has it; nil: whatever form such a value usually has.
        case value(SQLValue, StoredForm?)
        /// A list of such values, none of them null, in parentheses.
        case list([SQLValue], StoredForm?)
        /// A table of the store, or of the seed that the query is about.
        case table(String)
        /// What SQLite and a server have different words for.
        case either(file: [Piece], server: [Piece])
        /// What keeps it from being run.
        case refused(StoreError)
    }

    package private(set) var pieces: [Piece]

    package init(_ pieces: [Piece]) { self.pieces = pieces }

    package init(_ sql: String) { pieces = [.sql(sql)] }

    init(file: String, server: String) { pieces = [.either(file: [.sql(file)], server: [.sql(server)])] }

    init(value: SQLValue, _ form: StoredForm? = nil) { pieces = [.value(value, form)] }

    init(list: [SQLValue], _ form: StoredForm? = nil) { pieces = [.list(list, form)] }

    init(objectIDs: some Sequence<Int64>) { self.init(list: objectIDs.map { .integer($0) }, StoredForm(.integer)) }

    init(table: String) { pieces = [.table(table)] }

    init(column name: String, of table: String) { self.init("\(quoted(table)).\(quoted(name))") }

    init(error: StoreError) { pieces = [.refused(error)] }

    init(joining parts: [Fragment], _ separator: String) {
        self.init([])
        for (index, part) in parts.enumerated() {
            if index > 0 { append(separator) }
            append(part)
        }
    }

    mutating func append(_ sql: String) { pieces.append(.sql(sql)) }

    mutating func append(_ other: Fragment) { pieces += other.pieces }

    /// What is true of nothing.
    static var never: Fragment { Fragment(file: "0", server: "false") }

    /// What is so on files, and on no server.
    static func onFiles(_ fragment: Fragment) -> Fragment {
        Fragment([.either(file: fragment.pieces, server: [.sql("false")])])
    }

    /// Whether two are the same; null is the same as null.
    static var isSame: Fragment { Fragment(file: " IS ", server: " IS NOT DISTINCT FROM ") }

    /// Whether they are not.
    static var isOther: Fragment { Fragment(file: " IS NOT ", server: " IS DISTINCT FROM ") }

    package static func + (left: Fragment, right: Fragment) -> Fragment { Fragment(joining: [left, right], "") }

    package static func + (left: Fragment, right: String) -> Fragment { left + Fragment(right) }

    package static func + (left: String, right: Fragment) -> Fragment { Fragment(left) + right }
}

extension Fragment.Piece {
    /// With the tables of a seed for those of the store.
    func inSeed(_ seed: String) -> Fragment.Piece {
        switch self {
        case .table(let name): .sql("\(quoted(seed)).\(quoted(name))")
        case .either(let file, let server): .either(file: file.map { $0.inSeed(seed) }, server: server)
        default: self
        }
    }

    /// How many times a table occurs in it.
    var tables: Int {
        switch self {
        case .table: 1
        case .either(let file, _): file.reduce(0) { $0 + $1.tables }
        default: 0
        }
    }
}

/// A statement of SQLite's as text, and what its parameters get.
struct StatementText: Sendable {
    /// Lists up to this length are parameters; longer ones a table.
    private static let shortList = 64

    private(set) var sql = ""
    private(set) var values: [StatementValue] = []

    /// - Parameter schema: what the seed that the query is about is called; nil: the store itself.
    init(_ fragment: Fragment, schema: String?) throws(StoreError) {
        try append(fragment.pieces, schema)
    }

    private mutating func append(_ pieces: [Fragment.Piece], _ schema: String?) throws(StoreError) {
        for piece in pieces {
            switch piece {
            case .sql(let text): sql += text
            case .value(let value, _):
                sql += "?"
                values.append(.value(value))
            case .table(let name): sql += quoted(schema ?? "main") + "." + quoted(name)
            case .list(let list, _): append(list)
            case .either(let pieces, _): try append(pieces, schema)
            case .refused(let error): throw error
            }
        }
    }

    /// The number of parameters is that of few shapes, so that statements are prepared once: the last value stands for
    /// what is left over.
    private mutating func append(_ list: [SQLValue]) {
        guard let last = list.last, list.count <= StatementText.shortList else {
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
