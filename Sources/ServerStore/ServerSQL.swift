import SluicePostgreSQL
import SluiceRecords
import SluiceSchema
import SluiceStore

/// A statement of a server's as text, and what its parameters get.
struct ServerSQL {
    /// What a parameter gets.
    private enum Given {
        case one(SQLValue, StoredForm)
        case list([SQLValue], StoredForm)
    }

    private(set) var sql = ""
    private var given: [Given] = []

    /// - Parameter schema: where the tables are.
    init(_ fragment: Fragment, schema: String) throws(StoreError) {
        try append(fragment.pieces, schema)
    }

    /// A statement whose parameters are `$1`, `$2`, ….
    init(_ sql: String, _ values: [FormedValue]) throws(StoreError) {
        self.sql = sql
        for value in values { try give(value.value, value.form) }
    }

    private mutating func append(_ pieces: [Fragment.Piece], _ schema: String) throws(StoreError) {
        for piece in pieces {
            switch piece {
            case .sql(let text): sql += text
            case .table(let name): sql += quoted(schema) + "." + quoted(name)
            case .either(_, let pieces): try append(pieces, schema)
            case .refused(let error): throw error
            case .value(let value, let form):
                try give(value, form ?? ServerSQL.usualForm(of: value))
                sql += "$\(given.count)"
            case .list(let list, let form):
                // What a server cannot have, nothing equals.
                let form = form ?? list.first.map(ServerSQL.usualForm) ?? StoredForm(.text)
                given.append(.list(list.filter { $0.fitsServer(form) }, form))
                sql += "(SELECT unnest($\(given.count)))"
            }
        }
    }

    private mutating func give(_ value: SQLValue, _ form: StoredForm) throws(StoreError) {
        if case .text(let text) = value, text.utf8.contains(0) {
            throw StoreError(.invalid, "a text has a NUL in it, which no text of PostgreSQL has", sql: sql)
        }
        given.append(.one(value, form))
    }

    private static func usualForm(of value: SQLValue) -> StoredForm {
        switch value {
        case .integer: StoredForm(.integer)
        case .real: StoredForm(.real)
        case .text, .null: StoredForm(.text)
        case .blob: StoredForm(.bytes)
        }
    }

    // MARK: Parameters

    /// What the parameters get, in their order; to be deallocated.
    var parameters: Parameters {
        var (parameters, arena) = (Parameters(), Arena(capacity: 64))
        defer { arena.deallocate() }
        for given in given {
            switch given {
            case .one(.null, _): parameters.addLiteral(nil)
            case .one(.text(let text), let form) where [.text, .json].contains(ServerType(form)):
                parameters.addLiteral(text)
            case .one(let value, let form):
                let cell = ServerSQL.cell(of: value, in: &arena)
                unsafe parameters.add(cell, arena.base, as: CellForm(form))
            case .list(let list, let form):
                let form = CellForm(ServerType(form) == .json ? StoredForm(.text) : form)
                parameters.addList(of: form.type, list.count) { buffer, place in
                    arena.reset()
                    let cell = ServerSQL.cell(of: list[place], in: &arena)
                    unsafe form.append(cell, arena.base, to: &buffer)
                }
            }
        }
        return parameters
    }

    /// A value as a cell, whose bytes are in an arena.
    private static func cell(of value: SQLValue, in arena: inout Arena) -> Cell {
        switch value {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .text(let text): return arena.appendText(text)
        case .blob(let bytes):
            let offset = unsafe bytes.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return arena.reserve(0) }
                return unsafe arena.append(base, bytes.count)
            }
            return Cell(kind: .blob, payload: UInt64(offset), length: UInt32(bytes.count))
        }
    }
}
