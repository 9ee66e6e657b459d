/// What a run loads: its entities, which refer to one another by index.
public struct Model: Sendable {
    /// In the order of the definition.
    public var entities: [Entity]
    /// Whether the store has a view for each entity.
    public var hasViews = false
    /// Whether the store has a view of the past for each entity.
    public var hasPastViews = false

    /// A model of these entities, without views.
    public init(entities: [Entity]) { self.entities = entities }
}

/// A type of object; one table.
public struct Entity: Sendable {
    /// Which records become objects.
    public enum Mode: String, CaseIterable, Sendable { case upsert, insert, update }
    /// What counts when a feed holds one identifier twice.
    public enum Duplicates: String, CaseIterable, Sendable { case last, first, reject }
    /// What becomes of objects that the feed does not hold.
    public enum Absent: String, CaseIterable, Sendable { case keep, delete, mark }
    /// What values do to an object that its record does not have, where an attribute or a relationship says nothing
    /// itself.
    public enum AbsentValues: String, CaseIterable, Sendable { case keep, clear }
    /// What becomes of stubs that nothing refers to any more.
    public enum Orphans: String, CaseIterable, Sendable { case keep, delete }
    /// What becomes of attributes that programs have changed, where the feed says something else than before as well.
    public enum Edits: String, CaseIterable, Sendable { case replace, keep, reject }

    /// What it is called.
    public var name: String
    /// The name of its table.
    public var table: String
    /// Earlier names of the entity.
    public var was: [String] = []
    /// The indices of its sources in the definition.
    public var sources: [Int]
    /// Each starts at the top of a value of the feed.
    public var records: [Path]
    /// What the reader looks for in each record.
    public var slots: [Slot]
    /// What a record must meet to count.
    public var conditions: [RecordCondition] = []
    /// Conditions that say that a record's object is gone.
    public var deletions: [RecordCondition] = []
    /// The indices of the attributes that name an object, in their order.
    public var identifier: [Int]
    /// Its columns, in their order.
    public var attributes: [Attribute]
    /// Its references, in the order of the definition.
    public var relationships: [Relationship]
    /// Which records become objects.
    public var mode = Mode.upsert
    /// Which copy of an object counts.
    public var duplicates = Duplicates.last
    /// What becomes of objects that the feeds lack.
    public var absence = AbsenceRule()
    /// What becomes of attributes that programs have changed.
    public var edits = Edits.replace
    /// Whether the store keeps its past; nil: as for all entities.
    package var keepsPast: Bool?
    /// How its objects are found by words; nil: they are not.
    package var search: SearchIndex?
    /// How its objects are found by where they are; nil: they are not.
    package var place: PlaceIndex?
    /// Whether feeds repeat objects as a rule, so that identical copies are not reported.
    public var repeats = false
    /// Fields that records may have though nothing uses them, they and what is in them; paths from the record.
    public var ignored: [Path] = []
    /// Whether its records are rows of tables: all their values are texts.
    public var isOfTables = false
    /// Whether its objects are those of programs: runs create and extend its table, and no record makes any.
    public var isOfPrograms = false

    /// An entity; its table has its name if nothing else is said.
    public init(
        name: String, table: String? = nil, sources: [Int] = [0], records: [Path], slots: [Slot], identifier: [Int],
        attributes: [Attribute], relationships: [Relationship] = []
    ) {
        self.name = name
        self.table = table ?? name
        self.sources = sources
        self.records = records
        self.slots = slots
        self.identifier = identifier
        self.attributes = attributes
        self.relationships = relationships
    }

    /// Whether a value of its records is something of where they stand: `line` or `fileName`.
    package func takes(_ place: ValueRule.Origin) -> Bool {
        attributes.contains { $0.value.takes(place) }
            || relationships.contains { relationship in
                let values = relationship.key + (relationship.values + relationship.stub).map(\.value)
                return (values + [relationship.selector].compactMap(\.self)).contains { $0.takes(place) }
            }
    }

    /// Replaces such a part wherever a value is that.
    package mutating func replace(_ place: ValueRule.Origin, with other: ValueRule.Origin) {
        for index in attributes.indices {
            attributes[index].value = attributes[index].value.exchanging(place, for: other)
        }
        for index in relationships.indices {
            relationships[index].key = relationships[index].key.map { $0.exchanging(place, for: other) }
            relationships[index].selector = relationships[index].selector?.exchanging(place, for: other)
            for value in relationships[index].values.indices {
                relationships[index].values[value].value =
                    relationships[index].values[value].value.exchanging(place, for: other)
            }
            for value in relationships[index].stub.indices {
                relationships[index].stub[value].value =
                    relationships[index].stub[value].value.exchanging(place, for: other)
            }
        }
    }

    /// The layout of its rows.
    public var layout: RowLayout { RowLayout(self) }

    /// The column that `absent: mark` sets: when the object was first missed.
    public static let deletedAt = "deleted_at"

    /// So many columns more than a table has, the table of its past has: from which run to which one a version was
    /// true, and whether the object went.
    package static let pastColumns = 3

    /// What the view of a table is called.
    public static func view(of table: String) -> String { table + "_view" }

    /// What the view is called that shows all that the objects of a table have been.
    public static func pastView(of table: String) -> String { table + "_history" }

    /// The name of the table that holds the links of a to-many relationship.
    public func linkTable(of relationship: Relationship) -> String { Entity.linkTable(of: table, relationship.name) }

    /// What the table is called that holds the links of a to-many relationship of the objects in a table.
    public static func linkTable(of table: String, _ relationship: String) -> String { "\(table)_\(relationship)" }
}
