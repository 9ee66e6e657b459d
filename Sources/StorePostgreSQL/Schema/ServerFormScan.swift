import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// Looks at the values of a table on a server whose form changes: each is converted as SQLite's are.
@safe
struct ServerFormScan {
    let connection: ServerConnection
    /// As SQL has it.
    let table: String
    let columns: [FormColumn]

    /// Rows that are asked for at a time.
    private static let chunk = 10_000

    func run() throws(Failure) -> FormScan {
        var scan = FormScan(counts: columns.map { _ in 0 })
        let looked = columns.indices.filter { !columns[$0].conversion.changesNothing }
        guard !looked.isEmpty else { return scan }
        let names = looked.map { quoted(columns[$0].name) }.joined(separator: ", ")
        var arena = Arena()
        defer { arena.deallocate() }
        var last: Int64?
        repeat {
            let rows = try rows(names, after: last ?? 0)
            for row in 0..<rows.count {
                for (place, column) in looked.enumerated() where !rows.isNull(row, place + 1) {
                    arena.reset()
                    let value = try unsafe value(rows.bytes(row, place + 1), column, in: &arena)
                    guard let converted = convert(value, column, in: &arena) else {
                        scan.misfit = .init(column: column, objectID: rows.integer(row, 0), value: value)
                        return scan
                    }
                    if converted != value { scan.counts[column] += 1 }
                }
            }
            last = rows.count < ServerFormScan.chunk ? nil : rows.integer(rows.count - 1, 0)
        } while last != nil
        return scan
    }

    private func rows(_ names: String, after last: Int64) throws(Failure) -> ServerRows {
        return try connection.query(
            """
            SELECT "objectID", \(names) FROM \(table) WHERE "objectID" > $1 ORDER BY "objectID"
            LIMIT \(ServerFormScan.chunk)
            """, .integer(last))
    }

    private func value(
        _ field: UnsafeBufferPointer<UInt8>, _ column: Int, in arena: inout Arena
    ) throws(Failure) -> StoredValue {
        guard let value = unsafe columns[column].conversion.from.storedValue(field, in: &arena) else {
            throw connection.damage("\(table) holds a value in \(columns[column].name) that is none of its type")
        }
        return value
    }

    /// Nil where the value has no equal in the other form, or the server cannot hold it.
    private func convert(_ value: StoredValue, _ column: Int, in arena: inout Arena) -> StoredValue? {
        let conversion = columns[column].conversion
        guard let converted = conversion.convert(value) else { return nil }
        guard case .text(let text) = converted else { return converted }
        let cell = arena.appendText(text)
        return unsafe CellForm(conversion.to).misfit(cell, UnsafePointer(arena.base)) == nil ? converted : nil
    }
}

extension StoredForm {
    /// The value of a field as the server sends it; nil: it is none of this form.
    func storedValue(_ field: UnsafeBufferPointer<UInt8>, in arena: inout Arena) -> StoredValue? {
        guard let cell = unsafe CellForm(self).cell(field, in: &arena) else { return nil }
        return switch cell.kind {
        case .integer: .integer(cell.integer)
        case .real: .real(cell.real)
        case .text: .text(arena.text(of: cell))
        default: .blob
        }
    }
}
