import SluiceRecords
import SluiceSeed

/// A type whose values are the objects of an entity: written by `sluice swift`, from a pipeline's definition.
public protocol StoredObject: Sendable {
    /// Its columns, by name.
    associatedtype Columns: Sendable
    /// What identifies an object in the outside world: the type of the identifying attribute, or a struct of several.
    associatedtype Identifier: Sendable & Hashable
    /// An object that is not in the store yet.
    associatedtype New: NewObject where New.Stored == Self

    /// The name of the entity.
    static var entity: String { get }
    /// Its columns, for conditions, orders and assignments.
    static var columns: Columns { get }
    /// Its columns in the order in which ``init(_:)`` reads them.
    static var columnList: ColumnList<Self> { get }
    /// The values that identify an object, in the order of the identifier.
    static func values(of identifier: Identifier) -> [any StoreValue]

    /// The store's own key of the object.
    var objectID: ObjectID<Self> { get }
    /// What identifies the object.
    var identifier: Identifier { get }
    /// Reads a row: the objectID, then the columns of ``columnList``.
    init(_ row: borrowing StoreRow) throws(StoreError)
}

/// An object that is not in the store yet: written by `sluice swift` beside each ``StoredObject``.
public protocol NewObject: Sendable {
    /// What it becomes.
    associatedtype Stored: StoredObject

    /// A value for each column of ``StoredObject/columnList``.
    var values: [any StoreValue] { get }
}

extension StoredObject {
    /// All objects.
    public static var all: Query<Self> { Query() }

    /// The objects that meet a condition.
    public static func filter(_ condition: (Columns) -> Condition<Self>) -> Query<Self> { all.filter(condition) }

    /// The object with an identifier.
    public static func with(_ identifier: Identifier) -> Query<Self> {
        var parts: [Fragment] = []
        for (column, value) in zip(columnList.identifier, values(of: identifier)) {
            parts.append(Fragment.equal(column.fragment(Self.self), value, column.form))
        }
        return Query(condition: Condition(Fragment(joining: parts, " AND ")))
    }

    /// What a store must have for the type to fit.
    static var seedEntity: SeedEntity {
        let list = columnList
        return SeedEntity(
            name: entity, table: list.table, identifier: list.identifier.map(\.name),
            attributes: list.columns.compactMap { column in
                column.isAttribute ? SeedEntity.Attribute(column.name, column.form) : nil
            },
            relationships: list.columns.compactMap { column in
                column.relationship.map { .init(name: $0.name, targets: $0.targets, isMany: false) }
            } + list.links.map { .init(name: $0.name, targets: $0.targets, isMany: true) })
    }
}
