import SluiceColumns

/// Rows of named, typed columns: a table, or a query.
package indirect enum Relation {
    /// A table of the plan by its name.
    case table(String, [PlanColumn])
    case selection(Selection)
    /// All rows of several relations, whose columns are the same; equal ones once if they are `distinct`.
    case union([Relation], distinct: Bool)
    /// No row.
    case empty([PlanColumn])
    /// The rows of a relation once for each element of its lists, which are side by side; and the element's place, from
    /// 0.
    case elements(Relation, kept: [PlanColumnName], lists: [PlanColumnName])

    package var columns: [PlanColumn] {
        switch self {
        case .table(_, let columns), .empty(let columns): columns
        case .selection(let selection): selection.values.map(\.column)
        case .union(let relations, _): relations[0].columns
        case .elements(let relation, let kept, let lists):
            relation.columns.filter { kept.contains($0.name) } + [PlanColumn(.position, .integer)]
                + relation.columns.filter { lists.contains($0.name) }.map { PlanColumn($0.name, $0.type.element) }
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
    private let types: [PlanColumnName: PlanType]

    init(_ relation: Relation) {
        self.relation = relation
        types = Dictionary(relation.columns.map { ($0.name, $0.type) }) { _, _ in
            preconditionFailure("two columns of one name among \(relation.columns)")
        }
    }

    subscript(name: PlanColumnName) -> PlanExpression {
        guard let type = types[name] else { preconditionFailure("\(relation.columns) lacks \(name)") }
        return PlanExpression(.column(self, name), type)
    }

    /// Columns that keep their names.
    func columns(_ names: [PlanColumnName]) -> [NamedExpression] { names.map { self[$0].named($0) } }
    var columns: [NamedExpression] { columns(relation.columns.map(\.name)) }

    /// Whether two rows have the same in some columns.
    func equals(_ other: Row, in names: [PlanColumnName]) -> PlanExpression {
        .all(names.map { self[$0] == other[$0] })
    }
}

/// What a query reads.
struct Rows {
    enum Junction: String {
        case inner = "JOIN"
        case left = "LEFT JOIN"
        case cross = "CROSS JOIN"
    }

    let first: Row
    private(set) var joins: [(junction: Junction, row: Row, condition: PlanExpression?)] = []
    private(set) var filter: PlanExpression?

    init(_ first: Row) { self.first = first }

    func join(_ row: Row, on condition: PlanExpression) -> Rows { joined(.inner, row, condition) }
    func leftJoin(_ row: Row, on condition: PlanExpression) -> Rows { joined(.left, row, condition) }
    func crossJoin(_ row: Row) -> Rows { joined(.cross, row, nil) }

    private func joined(_ junction: Junction, _ row: Row, _ condition: PlanExpression?) -> Rows {
        var rows = self
        rows.joins.append((junction, row, condition))
        return rows
    }

    /// Those that meet some conditions, too.
    func filter(_ conditions: PlanExpression?...) -> Rows {
        var rows = self
        let all = [filter].compactMap(\.self) + conditions.compactMap(\.self)
        rows.filter = all.isEmpty ? nil : .all(all)
        return rows
    }

    func select(_ values: [NamedExpression]) -> Relation { .selection(Selection(rows: self, values: values)) }
    /// Columns of the first table, which keep their names.
    func select(_ names: [PlanColumnName]) -> Relation { select(first.columns(names)) }
    /// Equal ones once.
    func distinct(_ values: [NamedExpression]) -> Relation {
        .selection(Selection(rows: self, values: values, isDistinct: true))
    }
    /// A row for each group that is equal in some values; for all if there are none.
    func grouped(
        by keys: [NamedExpression], _ values: [NamedExpression] = [], having condition: PlanExpression? = nil
    ) -> Relation {
        .selection(Selection(rows: self, values: keys + values, groups: keys.map(\.value), having: condition))
    }

    /// Whether there is one.
    var exist: PlanExpression { PlanExpression(.exists(select([NamedExpression]())), .boolean) }
    var areMissing: PlanExpression { !exist }
    /// One value of all of them.
    func only(_ value: PlanExpression) -> PlanExpression {
        PlanExpression(.only(select([value.named(.value)])), value.type)
    }
}

/// Values of rows, or of groups of them.
package struct Selection {
    let rows: Rows
    let values: [NamedExpression]
    let groups: [PlanExpression]
    let having: PlanExpression?
    let isDistinct: Bool

    init(
        rows: Rows, values: [NamedExpression], groups: [PlanExpression] = [], having: PlanExpression? = nil,
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

extension PlanColumnName {
    /// The place of an element in its list.
    static let position = own("position")
    static let value = own("value")
}
