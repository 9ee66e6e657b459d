import SluiceRecords

/// What the steps of one entity are made of: the names of its tables and columns, and what is asked of them.
///
/// Within the plan columns have names of their own, so that none collides with another: `a0`, … are attributes, `x0`, …
/// whether they are absent; `y0`, … whether relationships are.
struct EntityTerms {
    let model: Model
    let index: Int
    let dialect: SQLDialect

    var entity: Entity { model.entities[index] }
    var relations: [RelationTerms] {
        entity.relationships.indices.map { RelationTerms(owner: self, index: $0) }
    }
    var toOne: [RelationTerms] { relations.filter { !$0.isMany } }
    /// The columns of all attributes.
    var attributes: [String] { entity.attributes.indices.map { "a\($0)" } }
    /// The columns of the identifier.
    var identifier: [String] { entity.identifier.map { "a\($0)" } }
    /// Attributes that are not of the identifier.
    var others: [Int] { entity.attributes.indices.filter { !entity.identifier.contains($0) } }
    var kinds: [ParquetColumn.Kind] { entity.attributes.map { ParquetColumn.Kind($0.conversion) } }

    /// A table of a step, in SQL.
    func table(_ step: String) -> String { dialect.name(name(step)) }
    /// A table of a step.
    func name(_ step: String) -> String { "\(step)/\(FolderName.of(entity.name))" }

    /// Whether two rows have the same identifier.
    func isSame(_ left: String, _ right: String) -> String {
        identifier.map { "\(left).\($0) = \(right).\($0)" }.joined(separator: " AND ")
    }

    func list(_ columns: [String], of row: String) -> String {
        columns.map { "\(row).\($0)" }.joined(separator: ", ")
    }

    /// The identifier as JSON.
    func json(ofIdentifier row: String) -> String {
        let parts = entity.identifier.map { dialect.json(of: "\(row).a\($0)", kinds[$0]) }
        return SQLText.jsonList(parts)
    }

    /// Whether a copy states an attribute.
    func states(_ attribute: Int, _ row: String) -> String {
        let keepsAbsent = entity.attributes[attribute].onAbsent == .keep && !entity.identifier.contains(attribute)
        return keepsAbsent ? "NOT \(row).x\(attribute)" : "TRUE"
    }
}

/// What the steps of one relationship are made of.
struct RelationTerms {
    let owner: EntityTerms
    let index: Int

    var relationship: Relationship { owner.entity.relationships[index] }
    var dialect: SQLDialect { owner.dialect }
    var targets: [EntityTerms] {
        relationship.targets.map { EntityTerms(model: owner.model, index: $0.entity, dialect: dialect) }
    }
    /// The columns of a reference that tell what it is to: `r0e` the entity, `r0t0p0` the parts of the identifier by
    /// target, `r0i0` what was given instead of one. In parts and in waiting lists, these are in the same order.
    var keys: [(name: String, kind: ParquetColumn.Kind)] {
        var keys: [(name: String, kind: ParquetColumn.Kind)] = []
        if relationship.selector != nil { keys.append(("r\(index)e", .text)) }
        for (target, value) in relationship.targets.enumerated() {
            for part in 0..<relationship.keyWidth { keys.append((key(target, part), .init(value.conversions[part]))) }
        }
        return keys + (0..<relationship.keyWidth).map { (impossible($0), .text) }
    }
    /// What the same columns are called in the waiting list, and whether one of them is not called as in parts, since a
    /// column of each waiting list has that name. It depends on nothing else of the entity, which may change.
    var waitingKeys: (names: [String], areOther: Bool) {
        let natural = RecordColumns.keys(of: relationship, at: 0, owner.model).map(\.column.name)
        var others = ColumnNames(SetPlan.waitingNames)
        let names = natural.map { others.own($0) }
        return (names, !zip(natural, names).allSatisfy { $0.isIdentical(to: $1) })
    }
    var names: [String] { keys.map(\.name) }
    var isMany: Bool { relationship.isMany }
    /// What an object refers to, if to one: the columns.
    var heldColumns: [String] { ["t\(index)"] + (relationship.isPolymorphic ? ["e\(index)"] : []) }

    func key(_ target: Int, _ part: Int) -> String { "r\(index)t\(target)p\(part)" }
    func impossible(_ part: Int) -> String { "r\(index)i\(part)" }
    func table(_ step: String) -> String { dialect.name(name(step)) }
    func name(_ step: String) -> String { owner.name(step) + "/" + FolderName.of(relationship.name) }

    /// Whether a row refers to anything.
    func refers(_ row: String) -> String {
        "(" + names.map { "\(row).\($0) IS NOT NULL" }.joined(separator: " OR ") + ")"
    }

    /// Whether a key is to an object of a target with this identifier.
    func leads(_ row: String, to target: Int, _ object: String) -> String {
        let parts = targets[target].identifier.enumerated().map { part, column in
            "\(row).\(key(target, part)) = \(object).\(column)"
        }
        let selected =
            relationship.selector == nil
            ? [] : ["\(row).r\(index)e = \(dialect.text(targets[target].entity.name))"]
        return (selected + parts).joined(separator: " AND ")
    }

    /// Whether an object of a target may have what a key says.
    func isPossible(_ row: String, _ target: Int) -> String {
        let parts = (0..<relationship.keyWidth).map { "\(row).\(key(target, $0)) IS NOT NULL" }
        let selected =
            relationship.selector == nil
            ? [] : ["\(row).r\(index)e = \(dialect.text(targets[target].entity.name))"]
        return (selected + parts).joined(separator: " AND ")
    }

    /// What a key says, as JSON: by the first target that may have it, else as it was given.
    func json(_ row: String) -> String {
        let count = relationship.keyWidth
        let cases = relationship.targets.enumerated().map { target, value in
            let parts = (0..<count).map { part in
                dialect.json(of: "\(row).\(key(target, part))", .init(value.conversions[part]))
            }
            return "WHEN \(isPossible(row, target)) THEN \(SQLText.jsonList(parts))"
        }
        return "CASE \((cases + impossibleCases(row)).joined(separator: " ")) END"
    }

    /// A part that is an identifier's is shown as one, of the first target, or the one that is said.
    private func impossibleCases(_ row: String) -> [String] {
        let count = relationship.keyWidth
        return relationship.targets.enumerated().map { target, value in
            let parts = (0..<count).map { part in
                let (column, given) = ("\(row).\(key(target, part))", "\(row).\(impossible(part))")
                let known = dialect.json(of: column, .init(value.conversions[part]))
                return "CASE WHEN \(column) IS NOT NULL THEN \(known) ELSE \(dialect.json(ofText: given)) END"
            }
            let condition =
                relationship.selector == nil
                ? "TRUE" : "\(row).r\(index)e = \(dialect.text(targets[target].entity.name))"
            return "WHEN \(condition) THEN \(SQLText.jsonList(parts))"
        }
    }
}

enum SQLText {
    /// A list of JSON values, or the only one.
    static func jsonList(_ parts: [String]) -> String {
        parts.count == 1 ? parts[0] : "concat('[', " + parts.joined(separator: ", ', ', ") + ", ']')"
    }

    /// What any of some conditions says; false where there is none.
    static func any(_ conditions: [String]) -> String {
        conditions.isEmpty ? "FALSE" : "(" + conditions.joined(separator: " OR ") + ")"
    }

    /// What all of some conditions say.
    static func all(_ conditions: [String]) -> String {
        conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
    }

    /// Two values that are not the same, null being one.
    static func differ(_ left: String, _ right: String) -> String { "\(left) IS DISTINCT FROM \(right)" }
}
