import SluiceRecords
import SluiceSchema

/// Tables and views as SQLite has them.
struct SQLiteDialect: Dialect {
    var server: String { "SQLite" }
    var tellsCaseApart: Bool { false }
    var mayLackForeignKeys: Bool { false }

    func type(_ form: StoredForm) -> String { form.column.rawValue }

    var objectID: String { ColumnType.integer.rawValue }
    var text: String { ColumnType.text.rawValue }
    var mark: String { ColumnType.text.rawValue }

    // MARK: Views

    func table(_ name: String) -> String { quoted(name) }

    func identifier(_ parts: [KeyPart]) -> String {
        let values = parts.map { $0.form?.type == .bytes ? "hex(\($0.column))" : $0.column }
        return values.count == 1 ? values[0] : "json_array(\(values.joined(separator: ", ")))"
    }

    func element(_ parts: [KeyPart]) -> String { identifier(parts) }

    func list(_ rows: String, isCompound: Bool) -> String {
        "(SELECT json_group_array(\(value(isCompound))) FROM (\(rows) ORDER BY l.\"position\") y)"
    }

    func polymorphicList(_ rows: String, isCompound: Bool) -> String {
        "(SELECT json_group_array(json_object('entity', y.entity, 'identifier', \(value(isCompound)))) FROM"
            + " (\(rows) ORDER BY l.\"position\") y)"
    }

    private func value(_ isCompound: Bool) -> String { isCompound ? "json(y.value)" : "y.value" }

    // MARK: The past

    func own(_ table: String) -> String { table }

    var greatest: String { "max" }

    /// The plus takes the type of the column away, which would keep SQLite from the index.
    func compared(_ column: String, _ type: String?) -> String { "+" + column }

    func null(_ type: String) -> String { "NULL" }

    func plainText(_ value: String, of type: String) -> String { value }

    /// No statement can hold a NUL, and sqlite3, the program, takes a carriage return at the end of a line for a part of
    /// that end: so a literal ends before the line does.
    func literal(_ value: String, _ type: String?) -> String {
        let cast = "'CAST(X''' || hex(\(value)) || ''' AS TEXT)'"
        let hasNUL = "typeof(\(value)) = 'text' AND instr(\(value), char(0)) > 0"
        let whole = "replace(quote(\(value)), char(13, 10), char(13) || '''||''' || char(10))"
        return "CASE WHEN \(hasNUL) THEN \(cast) ELSE \(whole) END"
    }

    func parameter(_ number: Int) -> String { "?\(number)" }

    func dayBefore(_ days: Int) -> String { "date('now', '-\(days) days')" }
}
