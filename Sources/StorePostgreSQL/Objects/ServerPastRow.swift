import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// A row that a query has given.
struct ServerPastRow: PastRow {
    let rows: ServerRows
    let place: Int

    func integer(_ column: Int) -> Int64 { rows.integer(place, column) }
    func isNull(_ column: Int) -> Bool { rows.isNull(place, column) }

    func text(_ column: Int) -> String { rows.text(place, column) }

    /// As SQLite writes it.
    func list(_ column: Int) -> String {
        let text = rows.text(place, column)
        return StoredJSON(text)?.listText ?? text
    }

    func json(_ column: Int, _ form: StoredForm?) -> String {
        if isNull(column) { return "null" }
        let type = rows.type(column)
        if let form, ServerType(form).oid == type { return text(column, form) }
        if let form, type == ServerType.text.oid, let number = number(column, form) { return number }
        guard let known = ServerType.allCases.first(where: { $0.oid == type }), known != .json else {
            return list(column)
        }
        return cell(column, CellForm(ServerPastRow.form(known)))
    }

    /// A value of an attribute that is a number today, and had another type once: then all are texts. nil: it is no
    /// such number.
    private func number(_ column: Int, _ form: StoredForm) -> String? {
        let text = text(column)
        let type = ServerType(form)
        // What is no number in SQLite is a text here, too.
        guard type == .bigint || type == .boolean || type == .double else { return nil }
        // An integer of a time before stays what it was, though no real can be it.
        if Int64(text).map(String.init) == text { return text }
        guard type == .double, text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil,
            let number = Double(text)
        else { return nil }
        return Arena().json(of: .real(number))
    }

    /// A value of a form. A time that was written when the attribute had more digits has these.
    private func text(_ column: Int, _ form: StoredForm) -> String {
        let text = cell(column, CellForm(form))
        guard form.type == .datetime, let fraction = form.fraction, fraction < StoredForm.defaultFraction else {
            return text
        }
        let whole = cell(column, CellForm(StoredForm(.datetime)))
        let extra = whole.split(separator: ".").last?.prefix { $0.isNumber }.dropFirst(fraction) ?? ""
        return extra.allSatisfy { $0 == "0" } ? text : whole
    }

    /// Whether values of a type are written as those of SQLite are.
    static func isKnown(_ type: UInt32) -> Bool { ServerType.allCases.contains { $0.oid == type && $0 != .json } }

    private func cell(_ column: Int, _ form: CellForm) -> String {
        var arena = Arena()
        defer { arena.deallocate() }
        let cell = unsafe form.cell(rows.bytes(place, column), in: &arena)
        return arena.json(of: cell ?? .null)
    }

    private static func form(_ type: ServerType) -> StoredForm {
        switch type {
        case .text: StoredForm(.text)
        case .bigint: StoredForm(.integer)
        case .double: StoredForm(.real)
        case .boolean: StoredForm(.boolean)
        case .numeric: StoredForm(.decimal)
        case .date: StoredForm(.date)
        case .timestamp: StoredForm(.datetime)
        case .json: StoredForm(.json)
        case .bytea: StoredForm(.bytes)
        }
    }
}
