import SluiceColumns

/// Rows of named, typed columns: a table, or a query.
package indirect enum Relation {
    /// A table of the plan by its name.
    case table(String, [Column])
    case selection(Selection)
    /// All rows of several relations, whose columns are the same; equal ones once if they are `distinct`.
    case union([Relation], distinct: Bool)
    /// No row.
    case empty([Column])
    /// The rows of a relation once for each element of its lists, which are side by side; and the element's place, from
    /// 0.
    case elements(Relation, kept: [ColumnName], lists: [ColumnName])

    package var columns: [Column] {
        switch self {
        case .table(_, let columns), .empty(let columns): columns
        case .selection(let selection): selection.values.map(\.column)
        case .union(let relations, _): relations[0].columns
        case .elements(let relation, let kept, let lists):
            relation.columns.filter { kept.contains($0.name) } + [Column(.position, .integer)]
                + relation.columns.filter { lists.contains($0.name) }.map { Column($0.name, $0.type.element) }
        }
    }

    static func union(_ relations: [Relation]) -> Relation { united(relations, distinct: false) }
    static func distinctUnion(_ relations: [Relation]) -> Relation { united(relations, distinct: true) }

    private static func united(_ relations: [Relation], distinct: Bool) -> Relation {
        guard relations.count > 1 else { return relations[0] }
        let columns = relations[0].columns
        for other in relations { precondition(other.columns == columns, "\(other.columns) beside \(columns)") }
        return .union(relations, distinct: distinct)
    }
}

/// A relation as a query reads it: the same one may be read twice.
final class Row {
    let relation: Relation
    private let types: [ColumnName: ColumnType]

    init(_ relation: Relation) {
        self.relation = relation
        types = Dictionary(relation.columns.map { ($0.name, $0.type) }) { _, _ in
            preconditionFailure("two columns of one name among \(relation.columns)")
        }
    }

    subscript(name: ColumnName) -> Expression {
        guard let type = types[name] else { preconditionFailure("\(relation.columns) lacks \(name)") }
        return Expression(.column(self, name), type)
    }

    /// Columns that keep their names.
    func columns(_ names: [ColumnName]) -> [NamedExpression] { names.map { self[$0].named($0) } }
    var columns: [NamedExpression] { columns(relation.columns.map(\.name)) }

    /// Whether two rows have the same in some columns.
    func equals(_ other: Row, in names: [ColumnName]) -> Expression { .all(names.map { self[$0] == other[$0] }) }
}

/// What a query reads.
struct Rows {
    enum Junction: String {
        case inner = "JOIN"
        case left = "LEFT JOIN"
        case cross = "CROSS JOIN"
    }

    let first: Row
    private(set) var joins: [(junction: Junction, row: Row, condition: Expression?)] = []
    private(set) var filter: Expression?

    init(_ first: Row) { self.first = first }

    func join(_ row: Row, on condition: Expression) -> Rows { joined(.inner, row, condition) }
    func leftJoin(_ row: Row, on condition: Expression) -> Rows { joined(.left, row, condition) }
    func crossJoin(_ row: Row) -> Rows { joined(.cross, row, nil) }

    private func joined(_ junction: Junction, _ row: Row, _ condition: Expression?) -> Rows {
        var rows = self
        rows.joins.append((junction, row, condition))
        return rows
    }

    /// Those that meet some conditions, too.
    func filter(_ conditions: Expression?...) -> Rows {
        var rows = self
        let all = [filter].compactMap(\.self) + conditions.compactMap(\.self)
        rows.filter = all.isEmpty ? nil : .all(all)
        return rows
    }

    func select(_ values: [NamedExpression]) -> Relation { .selection(Selection(rows: self, values: values)) }
    /// Columns of the first table, which keep their names.
    func select(_ names: [ColumnName]) -> Relation { select(first.columns(names)) }
    /// Equal ones once.
    func distinct(_ values: [NamedExpression]) -> Relation {
        .selection(Selection(rows: self, values: values, isDistinct: true))
    }
    /// A row for each group that is equal in some values; for all if there are none.
    func grouped(
        by keys: [NamedExpression], _ values: [NamedExpression] = [], having condition: Expression? = nil
    ) -> Relation {
        .selection(Selection(rows: self, values: keys + values, groups: keys.map(\.value), having: condition))
    }

    /// Whether there is one.
    var exist: Expression { Expression(.exists(select([NamedExpression]())), .boolean) }
    var areMissing: Expression { !exist }
    /// One value of all of them.
    func only(_ value: Expression) -> Expression {
        Expression(.only(select([value.named(.value)])), value.type)
    }
}

/// Values of rows, or of groups of them.
package struct Selection {
    let rows: Rows
    let values: [NamedExpression]
    let groups: [Expression]
    let having: Expression?
    let isDistinct: Bool

    init(
        rows: Rows, values: [NamedExpression], groups: [Expression] = [], having: Expression? = nil,
        isDistinct: Bool = false
    ) {
        precondition(Set(values.map(\.name.isOwn)).count < 2, "names of a user beside our own: \(values.map(\.name))")
        self.rows = rows
        self.values = values
        self.groups = groups
        self.having = having
        self.isDistinct = isDistinct
    }
}

extension ColumnName {
    /// The place of an element in its list.
    static let position = own("position")
    static let value = own("value")
}
