import SluiceRecords

/// Writes relations as queries of an engine. Each name is in quotation marks, and each row has a name of its own.
struct SQLPrinter {
    let dialect: SQLDialect
    /// The tables that are read.
    private(set) var tables: Set<ExactText> = []
    private var rows: [ObjectIdentifier: String] = [:]

    init(_ dialect: SQLDialect) { self.dialect = dialect }

    mutating func query(_ relation: Relation) -> String {
        switch relation {
        case .table: return "SELECT * FROM \(source(relation))"
        case .selection(let selection): return query(selection)
        case .union(let relations, let distinct):
            // A union within another is a query of its own.
            let queries = relations.map { other in
                if case .union = other { "SELECT * FROM \(source(other))" } else { query(other) }
            }
            return queries.joined(separator: distinct ? " UNION " : " UNION ALL ")
        case .empty(let columns):
            return "SELECT \(list(columns.map { PlanExpression.null($0.type).named($0.name) })) WHERE 1 = 0"
        case .elements(let relation, let kept, let lists):
            func names(_ wanted: [PlanColumnName]) -> [String] {
                relation.columns.map(\.name).filter(wanted.contains).map { dialect.name($0.text) }
            }
            let table = source(relation) + " " + dialect.name("all")
            return dialect.elements(
                of: table, names(kept), position: dialect.name(PlanColumnName.position.text), names(lists))
        }
    }

    /// A relation behind `FROM` or `JOIN`.
    private mutating func source(_ relation: Relation) -> String {
        guard case .table(let name, _) = relation else { return "(\(query(relation)))" }
        tables.insert(ExactText(name))
        return dialect.name(name)
    }

    private mutating func query(_ selection: Selection) -> String {
        let rows = selection.rows
        var from = "FROM \(source(rows.first.relation)) \(name(rows.first))"
        for (junction, row, condition) in rows.joins {
            from += " \(junction.rawValue) \(source(row.relation)) \(name(row))"
            if let condition { from += " ON \(text(condition))" }
        }
        if let filter = rows.filter { from += " WHERE \(text(filter))" }
        if !selection.groups.isEmpty { from += " GROUP BY \(texts(selection.groups))" }
        if let having = selection.having { from += " HAVING \(text(having))" }
        return "SELECT \(selection.isDistinct ? "DISTINCT " : "")\(list(selection.values)) \(from)"
    }

    private mutating func name(_ row: Row) -> String {
        let name = rows[ObjectIdentifier(row)] ?? "t\(rows.count + 1)"
        rows[ObjectIdentifier(row)] = name
        return dialect.name(name)
    }

    /// What is selected; a number that is written is as long as all others.
    private mutating func list(_ values: [NamedExpression]) -> String {
        guard !values.isEmpty else { return "1" }
        var texts: [String] = []
        var place = 0
        while place < values.count {
            let value = values[place]
            if let row = whole(values[place...]) {
                texts.append("\(name(row)).*")
                place += row.relation.columns.count
                continue
            }
            var exact = value.value
            if case .integer = exact.node { exact = exact.cast(.integer) }
            texts.append("\(text(exact)) AS \(dialect.name(value.name.text))")
            place += 1
        }
        return texts.joined(separator: ", ")
    }

    /// The row that values begin with all columns of.
    private func whole(_ values: ArraySlice<NamedExpression>) -> Row? {
        guard case .column(let row, _)? = values.first?.value.node else { return nil }
        let columns = row.relation.columns
        let isWhole =
            columns.count > 1 && columns.count <= values.count
            && zip(columns, values).allSatisfy { column, value in
                guard case .column(let other, let name) = value.value.node else { return false }
                return other === row && name == column.name && name == value.name
            }
        return isWhole ? row : nil
    }

    // MARK: Values

    private mutating func texts(_ values: [PlanExpression]) -> String {
        values.map { text($0) }.joined(separator: ", ")
    }

    mutating func text(_ value: PlanExpression) -> String {
        switch value.node {
        case .column(let row, let name): return "\(self.name(row)).\(dialect.name(name.text))"
        case .null: return "CAST(NULL AS \(dialect.type(value.type)))"
        case .truth(let truth): return truth ? "TRUE" : "FALSE"
        case .integer(let number): return "\(number)"
        case .real(let number): return "CAST(\(number) AS \(dialect.type(.real)))"
        case .text(let text): return dialect.text(text)
        case .row(let fields): return dialect.row(fields.map { ($0.name.text, text($0.value)) })
        case .field(let row, let name): return "\(text(row)).\(dialect.name(name.text))"
        case .list(let values): return dialect.list(values.map { text($0) })
        case .cast(let other): return "CAST(\(text(other)) AS \(dialect.type(value.type)))"
        case .call(let function, let arguments, let window): return call(function, arguments, window)
        case .only(let relation): return "(\(query(relation)))"
        default: return condition(value)
        }
    }

    private mutating func condition(_ value: PlanExpression) -> String {
        switch value.node {
        case .infix(let word, let left, let right): return "(\(text(left)) \(word) \(text(right)))"
        case .joined(let word, let conditions):
            return "(" + conditions.map { text($0) }.joined(separator: " \(word) ") + ")"
        case .not(let other): return "(NOT \(text(other)))"
        case .isNull(let other, let isNot): return "(\(text(other)) IS \(isNot ? "NOT " : "")NULL)"
        case .isIn(let other, let values): return "(\(text(other)) IN (\(texts(values))))"
        case .exists(let relation): return "EXISTS (\(query(relation)))"
        case .cases(let cases, let otherwise):
            let all = cases.map { "WHEN \(text($0.condition)) THEN \(text($0.value)) " }.joined()
            return "CASE \(all)\(otherwise.map { "ELSE \(text($0)) " } ?? "")END"
        default: preconditionFailure("\(value.node) has no text")
        }
    }

    private mutating func call(_ function: Function, _ arguments: [PlanExpression], _ window: PlanWindow?) -> String {
        let over = window.map { " OVER (\(text($0)))" } ?? ""
        switch function {
        case .count where arguments.isEmpty: return "count(*)" + over
        case .countDistinct: return "count(DISTINCT \(texts(arguments)))"
        // Engines add up to what is longer.
        case .sum: return "CAST(sum(\(texts(arguments)))\(over) AS \(dialect.type(.integer)))"
        case .lastValue: return dialect.lastValue(texts(arguments), String(over.dropFirst()))
        case .quoted: return dialect.quoted(texts(arguments))
        case .listed: return dialect.listed(text(arguments[0]), by: arguments.dropFirst().map { text($0) })
        default: return "\(function.rawValue)(\(texts(arguments)))" + over
        }
    }

    private mutating func text(_ window: PlanWindow) -> String {
        var parts: [String] = []
        if !window.partition.isEmpty { parts.append("PARTITION BY \(texts(window.partition))") }
        if !window.order.isEmpty { parts.append("ORDER BY \(texts(window.order))") }
        if window.isBefore { parts.append("ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING") }
        return parts.joined(separator: " ")
    }
}
