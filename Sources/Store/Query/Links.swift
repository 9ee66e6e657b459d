import SluiceRecords

/// A to-many relationship: the table of its links.
public struct Links<Object: StoredObject, Target: StoredObject>: Sendable {
    /// The name of the table.
    public let table: String

    /// The links in a table.
    public init(_ table: String) { self.table = table }

    /// Whether there are none.
    public var isEmpty: Condition<Object> { !links(Fragment([])) }

    /// Whether an object is among them.
    public func contains(_ target: ObjectID<Target>) -> Condition<Object> {
        links(" AND sluice_link.target = " + Fragment(value: .integer(target.number)))
    }

    /// Whether one of the objects of a query is among them.
    public func contains(_ query: Query<Target>) -> Condition<Object> {
        links(" AND sluice_link.target IN (" + query.objectIDs + ")")
    }

    private func links(_ condition: Fragment) -> Condition<Object> { LinkCondition.has(table, condition) }
}

/// A to-many relationship to objects of several entities.
public struct AnyLinks<Object: StoredObject>: Sendable {
    /// The name of the table.
    public let table: String

    /// The links in a table.
    public init(_ table: String) { self.table = table }

    /// Whether there are none.
    public var isEmpty: Condition<Object> { !links(Fragment([])) }

    /// Whether an object is among them.
    public func contains(_ target: AnyObjectID) -> Condition<Object> {
        links(
            " AND sluice_link.target = " + Fragment(value: .integer(target.number))
                + " AND sluice_link.target_entity = "
                + Fragment(value: .text(target.entity)))
    }

    private func links(_ condition: Fragment) -> Condition<Object> { LinkCondition.has(table, condition) }
}

/// A condition on the table of a to-many relationship, whatever its targets are.
private enum LinkCondition {
    /// Whether an object has a link that meets a condition, in which the link is called `sluice_link`.
    static func has<Object>(_ table: String, _ condition: Fragment) -> Condition<Object> {
        let objectID = Fragment(column: "objectID", of: Object.columnList.table)
        let table = Fragment(table: table)
        return Condition(
            "EXISTS (SELECT 1 FROM " + table + " sluice_link WHERE sluice_link.source = " + objectID + condition + ")")
    }
}

/// A reference to an object of one of several entities: two columns.
public struct AnyReference<Object: StoredObject>: Sendable {
    /// The column with the objectID.
    public let name: String
    /// The column with the name of the entity.
    public var entityName: String { name + "_entity" }

    /// The reference in the column of that name, and in the one beside it.
    public init(_ name: String) { self.name = name }

    /// Whether it is null.
    public var isNull: Condition<Object> { Condition("(" + column(name) + " IS NULL)") }

    /// Whether it refers to an object; nil: whether it is null.
    public static func == (left: Self, right: AnyObjectID?) -> Condition<Object> {
        guard let right else { return left.isNull }
        let number = left.column(left.name) + " = " + Fragment(value: .integer(right.number))
        let entity = left.column(left.entityName) + " = " + Fragment(value: .text(right.entity))
        return Condition("(" + number + " AND " + entity + ")")
    }

    /// Whether it refers to one of the objects of a query.
    public func isIn<Target>(_ query: Query<Target>) -> Condition<Object> {
        let entity = column(entityName) + " = " + Fragment(value: .text(Target.entity))
        return Condition("(" + entity + " AND " + column(name) + " IN (" + query.objectIDs + "))")
    }

    func column(_ name: String) -> Fragment { Fragment(column: name, of: Object.columnList.table) }
}
