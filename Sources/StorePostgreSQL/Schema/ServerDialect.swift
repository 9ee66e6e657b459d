import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// Tables and views as PostgreSQL has them. Values in lists of views are written as in SQLite's, whatever the reader's
/// session sets for times and bytes.
struct ServerDialect: Dialect {
    /// The schema, as SQL has it.
    let namespace: ServerNamespace

    var server: String { "PostgreSQL" }
    var tellsCaseApart: Bool { true }
    /// A run that saved its first batches and then failed has made no foreign keys; and the server can refuse them.
    var mayLackForeignKeys: Bool { true }

    func type(_ form: StoredForm) -> String { ServerType(form).name }

    var objectID: String { ServerType.bigint.name }
    var text: String { ServerType.text.name }
    var mark: String { ServerType.timestamp.name }

    /// Those of the tool's own tables.
    static let ownTypes = OwnTypes(integer: "bigint", text: "text COLLATE \"C\"", note: "text", foldsCase: true)

    // MARK: Views

    func table(_ name: String) -> String { namespace.named(name) }

    /// A column has one type.
    func identifier(_ parts: [KeyPart]) -> String { "(\(value(parts)))::text" }

    func typedIdentifier(_ parts: [KeyPart]) -> String { element(parts) }

    func element(_ parts: [KeyPart]) -> String {
        parts.count == 1 ? json(parts[0]) : "json_build_array(\(parts.map(json).joined(separator: ", ")))"
    }

    /// A value as an element of a list. Of reals, SQLite writes the point also where nothing is behind it, and JSON is
    /// a text there.
    private func json(_ part: KeyPart) -> String {
        switch part.form.map(ServerType.init) {
        case .double:
            let text = "\(part.column)::text"
            return "CASE WHEN \(text) ~ '^-?[0-9]+(e|$)'"
                + " THEN regexp_replace(\(text), '^(-?[0-9]+)', '\\1.0')::json ELSE to_json(\(part.column)) END"
        case .json: return "to_json(\(part.column)::text)"
        default: return "to_json(\(value(part)))"
        }
    }

    func list(_ rows: String) -> String { gathered("y.value", rows) }

    func polymorphicList(_ rows: String) -> String {
        gathered("json_build_object('entity', y.entity, 'identifier', y.value)", rows)
    }

    private func gathered(_ value: String, _ rows: String) -> String {
        "(SELECT coalesce(json_agg(\(value) ORDER BY y.\"position\"), '[]'::json) FROM (\(rows)) y)"
    }

    private func value(_ parts: [KeyPart]) -> String {
        let values = parts.map(value)
        return values.count == 1 ? values[0] : "json_build_array(\(values.joined(separator: ", ")))"
    }

    private func value(_ part: KeyPart) -> String {
        guard let form = part.form else { return "\(part.column)::text" }
        return switch ServerType(form) {
        case .boolean: "\(part.column)::integer"
        case .bytea: "encode(\(part.column), 'hex')"
        case .numeric: "\(part.column)::text"
        case .date: "to_char(\(part.column), 'YYYY-MM-DD')"
        case .timestamp: Self.wholeTime(part.column, form.fraction ?? StoredForm.defaultFraction)
        default: part.column
        }
    }

    /// A time as SQLite has it, with more digits than asked for where it has such: it was written when the attribute
    /// had more.
    private static func wholeTime(_ column: String, _ fraction: Int) -> String {
        if fraction >= StoredForm.defaultFraction { return time(column, fraction) }
        let extra = "mod(extract(microseconds FROM \(column))::bigint, 1\(String(repeating: "0", count: 6 - fraction)))"
        return "CASE WHEN \(extra) = 0 THEN \(time(column, fraction)) ELSE \(time(column, 6)) END"
    }

    /// A time as SQLite has it.
    static func time(_ column: String, _ fraction: Int) -> String {
        let digits = fraction == 0 ? "" : ".FF\(min(fraction, 6))"
        let zeros = String(repeating: "0", count: max(0, fraction - 6))
        return "to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\(digits)\"\(zeros)Z\"')"
    }

    // MARK: The past

    func ownTable(_ table: String) -> String { "\(namespace).\(table)" }

    /// With an order and a limit, the server would read the index of the order backwards, and hope for the first row
    /// soon: through all that the run has kept already, for each object.
    func greatest(_ column: String, of table: String, where condition: String) -> String {
        "SELECT max(z.\(column)) FROM (SELECT \(column) FROM \(table) WHERE \(condition) OFFSET 0) z"
    }

    var greatest: String { "greatest" }

    /// The column may have been made with another collation.
    func compared(_ column: String, _ type: String?) -> String {
        type == ServerType.text.name ? column + " COLLATE \"C\"" : column
    }

    func null(_ type: String) -> String { "NULL::\(type)" }

    /// A value whose column has had several types is shown as a text.
    func converted(_ value: String, to type: String) -> String { value }

    func plainText(_ value: String, of type: String, _ form: StoredForm? = nil) -> String {
        switch ServerType(rawValue: type) {
        case .boolean: "\(value)::integer::text"
        case .bytea: "encode(\(value), 'hex')"
        case .date: "to_char(\(value), 'YYYY-MM-DD')"
        case .timestamp: Self.wholeTime(value, form?.fraction ?? StoredForm.defaultFraction)
        // As the same integer is written: the text of the real 2000000000000000 is 2e+15.
        case .double:
            "CASE WHEN abs(\(value)) >= 1e15 AND abs(\(value)) < 9.2e18 THEN \(value)::bigint::text ELSE \(value)::text END"
        default: "\(value)::text"
        }
    }

    func literal(_ value: String, _ type: String?) -> String {
        switch type.flatMap(ServerType.init(rawValue:)) {
        case .bigint: "coalesce(\(value)::text, 'NULL')"
        case .boolean: Self.literal("\(value)::integer::text")
        case .bytea: Self.literal("'\\x' || encode(\(value), 'hex')")
        case .date: Self.literal("to_char(\(value), 'YYYY-MM-DD')")
        case .timestamp: Self.literal(Self.time(value, StoredForm.defaultFraction))
        // As that of SQLite, since it may go there.
        default: "replace(\(Self.literal("\(value)::text")), chr(13) || chr(10), chr(13) || '''||''' || chr(10))"
        }
    }

    /// A text, or null, as a literal.
    private static func literal(_ text: String) -> String {
        "coalesce('''' || replace(\(text), '''', '''''') || '''', 'NULL')"
    }

    func parameter(_ number: Int) -> String { "$\(number)" }

    func dayBefore(_ days: Int) -> String {
        "to_char((now() AT TIME ZONE 'UTC')::date - \(days), 'YYYY-MM-DD')"
    }

    func precedes(_ time: String, _ other: String, days: Int) -> String {
        "\(time)::timestamptz <= \(other)::timestamptz - interval '\(days) days'"
    }
}
