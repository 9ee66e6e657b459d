import SluiceRecords

/// The SQL of an engine, where engines differ.
package enum SQLDialect: String, CaseIterable, Sendable {
    case duckdb, spark

    /// A name of a table or a column.
    func name(_ name: String) -> String {
        switch self {
        case .duckdb: name.inQuotes("\"")
        case .spark: name.inQuotes("`")
        }
    }

    /// The tables that a query reads: the quoted names behind `FROM` and `JOIN`. Columns have what names a definition
    /// gives, those of tables among them.
    func tables(in sql: String) -> [ExactText] {
        let mark: Unicode.Scalar = self == .duckdb ? "\"" : "`"
        let scalars = Array(sql.unicodeScalars)
        let words = ["FROM ", "JOIN "].map { Array($0.unicodeScalars) }
        var names: [String.UnicodeScalarView] = []
        var (open, closed, escaped, isTable): (Unicode.Scalar?, Bool, Bool, Bool) = (nil, false, false, false)
        for (index, scalar) in scalars.enumerated() {
            if escaped {
                escaped = false
            } else if self == .spark, open == "'", scalar == "\\" {
                escaped = true
            } else if scalar == open {
                (open, closed) = (nil, scalar == mark)
            } else if open != nil {
                if open == mark, isTable { names[names.count - 1].append(scalar) }
            } else if scalar == mark, closed {
                // A quotation mark in a name is doubled.
                if isTable { names[names.count - 1].append(scalar) }
                open = mark
            } else {
                if scalar == mark {
                    isTable = words.contains { scalars[..<index].suffix($0.count).elementsEqual($0) }
                    if isTable { names.append(.init()) }
                }
                if scalar == mark || scalar == "'" { open = scalar }
                closed = false
            }
        }
        return names.map { ExactText(String($0)) }
    }

    /// A text.
    func text(_ text: String) -> String {
        switch self {
        case .duckdb: text.inQuotes("'")
        case .spark: "'" + text.replacingExactly("\\", with: "\\\\").replacingExactly("'", with: "\\'") + "'"
        }
    }

    /// The type of a column.
    func type(_ kind: ParquetColumn.Kind, isList: Bool = false) -> String {
        let element =
            switch kind {
            case .boolean: "BOOLEAN"
            case .date: "DATE"
            case .integer: "BIGINT"
            case .real: "DOUBLE"
            case .text: self == .duckdb ? "VARCHAR" : "STRING"
            case .bytes: self == .duckdb ? "BLOB" : "BINARY"
            }
        guard isList else { return element }
        return self == .duckdb ? element + "[]" : "ARRAY<\(element)>"
    }

    var textType: String { type(.text) }

    /// A value of several named ones.
    func row(_ fields: [(name: String, value: String)]) -> String {
        switch self {
        case .duckdb: "struct_pack(" + fields.map { "\($0.name) := \($0.value)" }.joined(separator: ", ") + ")"
        case .spark: "named_struct(" + fields.map { "'\($0.name)', \($0.value)" }.joined(separator: ", ") + ")"
        }
    }

    /// A list of values.
    func list(_ values: [String]) -> String {
        let all = values.joined(separator: ", ")
        return self == .duckdb ? "[\(all)]" : "array(\(all))"
    }

    /// The last value before a row that is not null, in a window.
    func lastBefore(_ value: String, _ window: String) -> String {
        let frame = "OVER (\(window) ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
        return self == .duckdb
            ? "last_value(\(value) IGNORE NULLS) \(frame)" : "last_value(\(value)) IGNORE NULLS \(frame)"
    }

    /// The rows of a table once for each element of its lists, which are side by side: with `position`, from 0.
    ///
    /// - Parameters:
    ///   - kept: columns that stay as they are.
    ///   - lists: columns, and what their elements are called.
    func elements(of table: String, _ kept: [String], _ lists: [(column: String, name: String)]) -> String {
        let all = kept.joined(separator: ", ")
        switch self {
        case .duckdb:
            let elements = lists.map { "unnest(\($0.column)) AS \($0.name)" }.joined(separator: ", ")
            return "SELECT \(all), unnest(range(len(\(lists[0].column)))) AS position, \(elements) FROM \(table)"
        case .spark:
            // What is zipped is called as its columns are.
            let elements = lists.map { "zipped.z.\($0.column) AS \($0.name)" }
            let zipped = lists.map(\.column).joined(separator: ", ")
            return "SELECT \(all), zipped.position, \(elements.joined(separator: ", ")) FROM \(table) "
                + "LATERAL VIEW posexplode(arrays_zip(\(zipped))) zipped AS position, z"
        }
    }

    /// A text as JSON.
    func json(ofText text: String) -> String {
        switch self {
        case .duckdb: "CAST(to_json(\(text)) AS VARCHAR)"
        case .spark: "substring(to_json(array(\(text))), 2, length(to_json(array(\(text)))) - 2)"
        }
    }

    /// A value as JSON, as the store's identifiers are shown; null is `null`.
    func json(of value: String, _ kind: ParquetColumn.Kind) -> String {
        let shown =
            switch kind {
            case .boolean: "CASE WHEN \(value) THEN '1' ELSE '0' END"
            case .integer, .real: "CAST(\(value) AS \(textType))"
            case .date: "concat('\"', CAST(\(value) AS \(textType)), '\"')"
            case .text: json(ofText: value)
            case .bytes: "concat('\"', lower(hex(\(value))), '\"')"
            }
        return "CASE WHEN \(value) IS NULL THEN 'null' ELSE \(shown) END"
    }
}
