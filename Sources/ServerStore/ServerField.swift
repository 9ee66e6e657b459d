import SluicePostgreSQL
import SluiceRecords
import SluiceStore

/// A field of a row that a server has given, as SQLite would have the same value.
struct ServerField {
    private let rows: ServerRows
    private let row: Int
    private let column: Int

    init(_ rows: ServerRows, _ row: Int, _ column: Int) {
        self.rows = rows
        self.row = row
        self.column = column
    }

    /// The types of the server's catalogue, by their numbers there, `pg_type.oid`.
    private enum Kind: UInt32 {
        case bool = 16
        case bytea = 17
        case char = 18
        case name = 19
        case int8 = 20
        case int2 = 21
        case int4 = 23
        case text = 25
        case json = 114
        case xml = 142
        case float4 = 700
        case float8 = 701
        case unknown = 705
        case bpchar = 1042
        case varchar = 1043
        case date = 1082
        case timestamptz = 1184
        case numeric = 1700
        case uuid = 2950
        case jsonb = 3802
    }

    func value() throws(StoreError) -> SQLValue {
        if rows.isNull(row, column) { return .null }
        guard let kind = Kind(rawValue: rows.type(column)) else {
            throw misfit("has a type of the server's that no value here has: let the query cast it to text")
        }
        switch kind {
        case .bool: return .integer(rows.boolean(row, column) ? 1 : 0)
        case .int2, .int4, .int8: return .integer(rows.integer(row, column))
        case .float4: return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: rows.integer(row, column)))))
        case .float8: return .real(rows.real(row, column))
        case .bytea: return unsafe .blob(Array(rows.bytes(row, column)))
        case .jsonb: return .text(String(rows.text(row, column).dropFirst()))
        case .char, .name, .text, .json, .xml, .unknown, .bpchar, .varchar: return .text(rows.text(row, column))
        case .uuid: return .text(uuid)
        case .date: return .text(try canonical(StoredForm(.date), "a day of the years 0 to 9999"))
        case .numeric: return .text(try canonical(StoredForm(.decimal), "a finite number"))
        case .timestamptz:
            let time = try canonical(StoredForm(.datetime), "a moment of the years 0 to 9999")
            return .text(time.hasSuffix(".000000Z") ? time.dropLast(8) + "Z" : time)
        }
    }

    /// A value as the text that a store has for it.
    private func canonical(_ form: StoredForm, _ expected: String) throws(StoreError) -> String {
        var arena = Arena(capacity: 64)
        defer { arena.deallocate() }
        guard let cell = unsafe CellForm(form).cell(rows.bytes(row, column), in: &arena) else {
            throw misfit("is not \(expected)")
        }
        return unsafe String(
            decoding: UnsafeBufferPointer(start: arena.base + cell.offset, count: cell.count), as: UTF8.self)
    }

    private var uuid: String {
        var text = ""
        for (place, byte) in unsafe Array(rows.bytes(row, column)).enumerated() {
            if [4, 6, 8, 10].contains(place) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }

    private func misfit(_ what: String) -> StoreError {
        StoreError(.invalid, "the column \(rows.name(column)) \(what)")
    }
}
