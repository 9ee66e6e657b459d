import SluiceColumns
import SluiceRecords

/// The SQL of an engine, where engines differ.
package enum SQLDialect: String, CaseIterable, Sendable {
    case duckdb, spark

    /// A name of a table or a column.
    func name(_ name: String) -> String { name.inQuotes(self == .duckdb ? "\"" : "`") }

    func text(_ text: String) -> String {
        switch self {
        case .duckdb: text.inQuotes("'")
        case .spark: "'" + text.replacingExactly("\\", with: "\\\\").replacingExactly("'", with: "\\'") + "'"
        }
    }

    func type(_ type: PlanType) -> String {
        switch (type, self) {
        case (.value(let kind), _): name(of: kind)
        case (.list(let kind), .duckdb): name(of: kind) + "[]"
        case (.list(let kind), .spark): "ARRAY<\(name(of: kind))>"
        case (.row(let fields), .duckdb):
            "STRUCT(" + fields.map { "\(name($0.name.text)) \(self.type($0.type))" }.joined(separator: ", ") + ")"
        case (.row(let fields), .spark):
            "STRUCT<" + fields.map { "\(name($0.name.text)): \(self.type($0.type))" }.joined(separator: ", ") + ">"
        }
    }

    private func name(of kind: ParquetColumn.Kind) -> String {
        switch kind {
        case .boolean: "BOOLEAN"
        case .date: "DATE"
        case .integer: "BIGINT"
        case .real: "DOUBLE"
        case .text: self == .duckdb ? "VARCHAR" : "STRING"
        case .bytes: self == .duckdb ? "BLOB" : "BINARY"
        }
    }

    /// A value of several named ones.
    func row(_ fields: [(name: String, value: String)]) -> String {
        switch self {
        case .duckdb: "{" + fields.map { "\(text($0.name)): \($0.value)" }.joined(separator: ", ") + "}"
        case .spark: "named_struct(" + fields.map { "\(text($0.name)), \($0.value)" }.joined(separator: ", ") + ")"
        }
    }

    func list(_ values: [String]) -> String {
        let all = values.joined(separator: ", ")
        return self == .duckdb ? "[\(all)]" : "array(\(all))"
    }

    /// The last value that is not null, of a window.
    func lastValue(_ value: String, _ window: String) -> String {
        switch self {
        case .duckdb: "last_value(\(value) IGNORE NULLS) \(window)"
        case .spark: "last_value(\(value)) IGNORE NULLS \(window)"
        }
    }

    /// A text as JSON.
    func quoted(_ text: String) -> String {
        switch self {
        case .duckdb: "CAST(to_json(\(text)) AS VARCHAR)"
        case .spark: "substring(to_json(array(\(text))), 2, length(to_json(array(\(text)))) - 2)"
        }
    }

    /// The texts of a group with commas between them, in the order of some values.
    func listed(_ text: String, by order: [String]) -> String {
        switch self {
        case .duckdb: return "string_agg(\(text), ', ' ORDER BY \(order.joined(separator: ", ")))"
        case .spark:
            let fields = (order + [text]).enumerated().map { ("\($0)", $1) }
            let sorted = "array_sort(collect_list(\(row(fields))))"
            return "concat_ws(', ', transform(\(sorted), element -> element.\(name("\(order.count)"))))"
        }
    }

    /// A query of the rows of a table once for each element of lists, which are side by side.
    ///
    /// - Parameters: names in quotation marks; `position` is that of the element's place.
    func elements(of table: String, _ kept: [String], position: String, _ lists: [String]) -> String {
        switch self {
        case .duckdb:
            let elements = lists.map { "unnest(\($0)) AS \($0)" }
            let columns = kept + ["unnest(range(len(\(lists[0])))) AS \(position)"] + elements
            return "SELECT \(columns.joined(separator: ", ")) FROM \(table)"
        case .spark:
            // What is zipped is called as its columns are.
            let (zipped, element) = (name("zipped"), name("element"))
            let columns =
                kept + ["CAST(\(zipped).\(position) AS BIGINT) AS \(position)"]
                + lists.map { "\(zipped).\(element).\($0) AS \($0)" }
            return "SELECT \(columns.joined(separator: ", ")) FROM \(table) LATERAL VIEW "
                + "posexplode(arrays_zip(\(lists.joined(separator: ", ")))) \(zipped) AS \(position), \(element)"
        }
    }
}
