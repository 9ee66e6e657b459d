import SluiceRecords
import SluiceSchema

/// The columns of an entity, as ``StoredObject/init(_:)`` reads them behind the objectID.
public struct ColumnList<Object: StoredObject>: Sendable {
    /// A relationship of the entity.
    public struct Relationship: Sendable {
        /// Its name.
        public var name: String
        /// The entities that it may lead to.
        public var targets: [String]

        /// A relationship.
        public init(_ name: String, to targets: [String]) {
            self.name = name
            self.targets = targets
        }
    }

    /// A column.
    public struct Entry: Sendable {
        /// Its name.
        public var name: String
        /// How it has its values.
        public var form: StoredForm
        /// Which values it may have, or the elements of its lists.
        public var bounds: ValueBounds
        /// Of an attribute with `many`: how its lists have their elements.
        public var elements: StoredForm?
        /// The to-one relationship that it holds; nil: an attribute.
        public var relationship: Relationship?
        let value: @Sendable (Object) -> any StoreValue

        /// The column of an attribute, or of a reference.
        public init<Value: StoreValue>(
            _ column: Column<Object, Value>, bounds: ValueBounds = ValueBounds(), elements: StoredForm? = nil,
            references: Relationship? = nil, _ value: @escaping @Sendable (Object) -> Value
        ) {
            name = column.name
            form = column.form
            self.bounds = bounds
            self.elements = elements
            relationship = references
            self.value = value
        }

        /// One of the two columns of a reference to one of several entities: the objectID.
        public init(
            _ column: AnyReference<Object>, references: Relationship,
            _ value: @escaping @Sendable (Object) -> AnyObjectID?
        ) {
            name = column.name
            form = StoredForm(.integer)
            bounds = ValueBounds()
            relationship = references
            self.value = { value($0)?.number }
        }

        /// The other of the two: the name of the entity.
        public init(entityOf column: AnyReference<Object>, _ value: @escaping @Sendable (Object) -> AnyObjectID?) {
            name = column.entityName
            form = StoredForm(.text)
            bounds = ValueBounds()
            isEntityName = true
            self.value = { value($0)?.entity }
        }

        /// When the object was first missed (`absent` of the definition): a column that is no attribute.
        public init(mark column: Column<Object, Instant?>, _ value: @escaping @Sendable (Object) -> Instant?) {
            name = column.name
            form = column.form
            bounds = ValueBounds()
            isMark = true
            self.value = value
        }

        /// Whether it only says of which entity the reference beside it is.
        var isEntityName = false
        var isMark = false

        /// Whether it holds an attribute.
        var isAttribute: Bool { relationship == nil && !isEntityName && !isMark }
    }

    /// The name of the table.
    public var table: String { parts.table }
    /// The columns, without the objectID.
    public var columns: [Entry] { parts.columns }
    /// The to-many relationships.
    public var links: [Relationship] { parts.links }
    /// The identifying ones, in their order.
    var identifier: [Entry] { parts.identifier }
    /// All columns, for SELECT.
    var selected: String { parts.selected }
    /// What finds objects.
    var lookUps: LookUps { parts.lookUps }

    private let parts: Parts

    /// Behind one reference: a list is asked for at each look-up.
    private final class Parts: Sendable {
        let table: String
        let columns: [Entry]
        let links: [Relationship]
        let identifier: [Entry]
        let selected: String
        let lookUps: LookUps

        init(_ table: String, _ columns: [Entry], _ links: [Relationship], _ identifier: [Entry]) {
            self.table = table
            self.columns = columns
            self.links = links
            self.identifier = identifier
            let names = ["objectID"] + columns.map(\.name)
            selected = names.map { "\(quoted(table)).\(quoted($0))" }.joined(separator: ", ")
            lookUps = LookUps(table, selected, identifier.map(\.name), identifier.map(\.form))
        }
    }

    /// The columns of a table.
    ///
    /// - Parameters:
    ///   - identifier: the names of the identifying columns, in the order of the identifier.
    ///   - links: the to-many relationships.
    public init(table: String, identifier: [String], links: [Relationship] = [], _ columns: [Entry]) {
        let identifying = identifier.compactMap { name in columns.first { $0.name.isIdentical(to: name) } }
        parts = Parts(table, columns, links, identifying)
    }
}

/// The statements that find one object of a table.
package final class LookUps: Sendable {
    /// What an object is found by.
    package enum Key: Sendable {
        case objectID
        case identifier
    }

    /// Its table.
    package let table: String
    /// Its columns, for SELECT.
    package let selected: String
    /// The identifying columns.
    package let identifier: [String]
    /// What these have.
    package let forms: [StoredForm]
    private let byIdentifier: String
    private let byObjectID: String
    private let start: String
    private let end: String

    init(_ table: String, _ selected: String, _ identifier: [String], _ forms: [StoredForm]) {
        self.table = table
        self.selected = selected
        self.identifier = identifier
        self.forms = forms
        start = "SELECT \(selected) FROM "
        end = quoted(table) + " WHERE " + identifier.map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
        byIdentifier = start + "main." + end
        byObjectID = start + "main.\(quoted(table)) WHERE \"objectID\" = ?"
    }

    /// What SQLite is asked, in a seed or in the store.
    func sql(_ key: Key, in seed: String?) -> String {
        switch key {
        case .objectID: byObjectID
        case .identifier: seed.map { "\(start)\(quoted($0)).\(end)" } ?? byIdentifier
        }
    }
}

extension ColumnList.Entry {
    func fragment(_ type: Object.Type) -> Fragment { Fragment(column: name, of: Object.columnList.table) }
}
