import SluiceColumns
import SluiceRecords

/// An entity, its tables, and their columns.
struct PlannedEntity {
    let model: Model
    let index: Int
    let writer: PlanWriter

    var entity: Entity { model.entities[index] }
    var name: String { entity.name }
    var relations: [PlannedRelation] {
        entity.relationships.indices.map { PlannedRelation(owner: self, index: $0) }
    }
    var toOne: [PlannedRelation] { relations.filter { !$0.isMany } }
    var toMany: [PlannedRelation] { relations.filter(\.isMany) }
    var attributes: [PlanColumnName] { entity.attributes.indices.map(PlanColumnName.attribute) }
    var identifier: [PlanColumnName] { entity.identifier.map(PlanColumnName.attribute) }
    /// Attributes that are not of the identifier.
    var others: [Int] { entity.attributes.indices.filter { !entity.identifier.contains($0) } }

    func type(_ attribute: Int) -> PlanType { .value(.init(entity.attributes[attribute].conversion)) }

    // MARK: Tables

    func table(_ role: TableRole) -> String { "\(role.rawValue)/\(FolderName.escaped(entity.name))" }
    func rows(_ role: TableRole) -> Row { writer.rows(table(role)) }
    func has(_ role: TableRole) -> Bool { writer.has(table(role)) }
    /// Some columns of several tables.
    func union(_ roles: [TableRole], _ names: [PlanColumnName]) -> Relation {
        .union(roles.map { Rows(rows($0)).select(names) })
    }
    func add(_ kind: PlanStep.Kind, _ role: TableRole, view: Bool = false, _ relation: Relation) {
        writer.add(kind, table(role), view: view, relation)
    }

    // MARK: Conditions

    /// The rows of a table with the identifier of another row.
    func same(_ role: TableRole, as row: Row) -> Rows {
        let other = rows(role)
        return Rows(other).filter(row.equals(other, in: identifier))
    }

    /// The rows of a table with an object.
    func rows(_ role: TableRole, of objectID: PlanExpression) -> Rows {
        let row = rows(role)
        return Rows(row).filter(row[.objectID] == objectID)
    }

    /// The identifier as JSON.
    func json(ofIdentifier row: Row) -> PlanExpression { .jsonList(identifier.map { row[$0].json }) }

    /// Whether a copy states an attribute; nil: any does.
    func states(_ attribute: Int, _ copy: Row) -> PlanExpression? {
        entity.keepsAbsent(attribute) ? !copy[.isAbsent(.attribute(attribute))] : nil
    }
}

/// A relationship, its tables, and their columns.
struct PlannedRelation {
    /// A column of a key.
    struct Key {
        enum Part {
            case entity
            case target(Int, part: Int)
            case impossible
        }

        var name: PlanColumnName
        var kind: ParquetColumn.Kind
        var part: Part
    }

    let owner: PlannedEntity
    let index: Int

    var relationship: Relationship { owner.entity.relationships[index] }
    var name: String { relationship.name }
    var isMany: Bool { relationship.isMany }
    var targets: [PlannedEntity] {
        relationship.targets.map { PlannedEntity(model: owner.model, index: $0.entity, writer: owner.writer) }
    }

    // MARK: Tables

    func table(_ role: TableRole) -> String { owner.table(role) + "/" + FolderName.escaped(name) }
    func rows(_ role: TableRole) -> Row { owner.writer.rows(table(role)) }
    func add(_ kind: PlanStep.Kind, _ role: TableRole, view: Bool = false, _ relation: Relation) {
        owner.writer.add(kind, table(role), view: view, relation)
    }

    // MARK: Columns

    /// The columns of a reference that say what it is to. In parts and in waiting lists, these are in the same order.
    var keys: [Key] {
        var keys: [Key] = []
        if relationship.selector != nil { keys.append(Key(name: .keyEntity(index), kind: .text, part: .entity)) }
        for (target, value) in relationship.targets.enumerated() {
            for part in 0..<relationship.keyWidth {
                let name = PlanColumnName.key(index, target: target, part: part)
                keys.append(
                    Key(name: name, kind: .init(value.conversions[part]), part: .target(target, part: part)))
            }
        }
        return keys
            + (0..<relationship.keyWidth).map {
                Key(name: .impossible(index, part: $0), kind: .text, part: .impossible)
            }
    }
    var names: [PlanColumnName] { keys.map(\.name) }
    /// What the same columns are called in the waiting list, and whether one of them is not called as in parts, since a
    /// column of each waiting list has that name. It depends on nothing else of the entity, which may change.
    var waitingKeys: (names: [String], areOther: Bool) {
        let natural = RecordColumns.keys(of: relationship, at: 0, owner.model).map(\.column.name)
        var others = ColumnNames(SetPlan.waitingNames)
        let names = natural.map { others.unique($0) }
        return (names, !zip(natural, names).allSatisfy { $0.isIdentical(to: $1) })
    }
    /// What an object refers to, if to one: the columns.
    var held: [PlanColumn] {
        [PlanColumn(.target(of: index), .integer)]
            + (relationship.isPolymorphic ? [PlanColumn(.targetEntity(of: index), .text)] : [])
    }

    // MARK: Conditions

    /// Whether a row refers to anything.
    func refers(_ row: Row) -> PlanExpression { .any(names.map { row[$0].isNotNull }) }

    /// Whether a key is to an object of a target with this identifier.
    func leads(_ row: Row, to target: Int, _ object: Row) -> PlanExpression {
        let parts = targets[target].identifier.enumerated().map { part, column in
            row[.key(index, target: target, part: part)] == object[column]
        }
        return .all(selects(row, target) + parts)
    }

    /// Whether an object of a target may have what a key says.
    func isPossible(_ row: Row, _ target: Int) -> PlanExpression {
        let parts = (0..<relationship.keyWidth).map { row[.key(index, target: target, part: $0)].isNotNull }
        return .all(selects(row, target) + parts)
    }

    /// That a key names the entity of a target, if it names one.
    private func selects(_ row: Row, _ target: Int) -> [PlanExpression] {
        relationship.selector == nil ? [] : [row[.keyEntity(index)] == .text(targets[target].name)]
    }

    /// What a key says, as JSON: by the first target that may have it, else as it was given.
    func json(_ row: Row) -> PlanExpression {
        let targets = relationship.targets.indices
        func parts(_ target: Int, _ part: (PlanExpression, Int) -> PlanExpression) -> PlanExpression {
            .jsonList((0..<relationship.keyWidth).map { part(row[.key(index, target: target, part: $0)], $0) })
        }
        let possible = targets.map { (isPossible(row, $0), parts($0) { value, _ in value.json }) }
        // A part that is an identifier's is shown as one, of the first target, or the one that is said.
        let impossible = targets.map { target in
            (
                PlanExpression.all(selects(row, target)),
                parts(target) { value, part in
                    .when(value.isNotNull, value.json, else: row[.impossible(index, part: part)].quoted)
                }
            )
        }
        return .cases(possible + impossible)
    }
}
