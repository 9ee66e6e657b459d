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

    /// Those of the tool's own tables.
    static let ownTypes = OwnTypes(integer: "INTEGER", text: "TEXT", note: "TEXT", foldsCase: false)

    // MARK: Views

    func table(_ name: String) -> String { quoted(name) }

    func identifier(_ parts: [KeyPart]) -> String {
        let values = parts.map { $0.form?.type == .bytes ? "lower(hex(\($0.column)))" : $0.column }
        return values.count == 1 ? values[0] : "json_array(\(values.joined(separator: ", ")))"
    }

    func typedIdentifier(_ parts: [KeyPart]) -> String { parts.count == 1 ? identifier(parts) : element(parts) }

    func element(_ parts: [KeyPart]) -> String {
        let values = parts.map(json)
        return values.count == 1 ? values[0] : "json_array(\(values.map { "json(\($0))" }.joined(separator: ", ")))"
    }

    /// A value as JSON. SQLite's own functions give a number 15 digits, which are not enough for some.
    private func json(_ part: KeyPart) -> String {
        let column = part.column
        switch part.form?.type {
        case .bytes: return "json_quote(CASE WHEN \(column) IS NOT NULL THEN lower(hex(\(column))) END)"
        case .real:
            let short = "printf('%!.15g', \(column))"
            return "CASE WHEN \(column) IS NULL THEN 'null' WHEN CAST(\(short) AS REAL) = \(column) THEN \(short)"
                + " ELSE printf('%!.17g', \(column)) END"
        default: return "json_quote(\(column))"
        }
    }

    func list(_ rows: String) -> String {
        "(SELECT json_group_array(json(y.value)) FROM (\(rows) ORDER BY l.\"position\") y)"
    }

    func polymorphicList(_ rows: String) -> String {
        "(SELECT json_group_array(json_object('entity', y.entity, 'identifier', json(y.value))) FROM"
            + " (\(rows) ORDER BY l.\"position\") y)"
    }

    // MARK: The past

    func ownTable(_ table: String) -> String { table }

    func greatest(_ column: String, of table: String, where condition: String) -> String {
        "SELECT \(column) FROM \(table) WHERE \(condition) ORDER BY \(column) DESC LIMIT 1"
    }

    var greatest: String { "max" }

    /// The plus removes the affinity of the column, which would keep SQLite from using the index.
    func compared(_ column: String, _ type: String?) -> String { "+" + column }

    func null(_ type: String) -> String { "NULL" }

    func plainText(_ value: String, of type: String, _ form: StoredForm?) -> String { value }

    func converted(_ value: String, to type: String) -> String {
        switch ColumnType(rawValue: type) {
        case .text:
            // A column of reals becomes one of texts by way of decimals.
            return "CASE typeof(\(value)) WHEN 'integer' THEN CAST(\(value) AS TEXT) WHEN 'real' THEN"
                + " \(decimal(value, nil)) ELSE \(value) END"
        case .integer:
            let number = "CAST(\(value) AS INTEGER)"
            return "CASE WHEN typeof(\(value)) = 'text' AND CAST(\(number) AS TEXT) = \(shortest(value))"
                + " OR typeof(\(value)) = 'real' AND \(number) = \(value) THEN \(number) ELSE \(value) END"
        case .real:
            let number = "CAST(\(value) AS REAL)"
            let text = "CAST(\(number) AS TEXT)"
            // A decimal is a text: of `1`, the text of its real is `1.0`.
            return "CASE WHEN typeof(\(value)) = 'integer' AND \(number) = \(value)"
                + " OR typeof(\(value)) = 'text' AND \(text) IN (\(shortest(value)), \(shortest(value)) || '.0')"
                + " THEN \(number) ELSE \(value) END"
        case .blob, nil: return value
        }
    }

    /// No statement can hold a NUL, and sqlite3, the program, takes a carriage return at the end of a line for a part
    /// of that end: so a literal ends before the line does.
    func literal(_ value: String, _ type: String?) -> String {
        let cast = "'CAST(X''' || hex(\(value)) || ''' AS TEXT)'"
        let hasNUL = "typeof(\(value)) = 'text' AND instr(\(value), char(0)) > 0"
        let whole = "replace(quote(\(value)), char(13, 10), char(13) || '''||''' || char(10))"
        return "CASE WHEN \(hasNUL) THEN \(cast) ELSE \(whole) END"
    }

    func parameter(_ number: Int) -> String { "?\(number)" }

    func dayBefore(_ days: Int) -> String { "date('now', '-\(days) days')" }

    func precedes(_ time: String, _ other: String, days: Int) -> String {
        "julianday(\(time)) <= julianday(\(other)) - \(days)"
    }
}
