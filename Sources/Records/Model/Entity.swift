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

    /// What the view of a table is called.
    public static func view(of table: String) -> String { table + "_view" }

    /// What the view is called that shows all that the objects of a table have been.
    public static func pastView(of table: String) -> String { table + "_history" }

    /// The name of the table that holds the links of a to-many relationship.
    public func linkTable(of relationship: Relationship) -> String { Entity.linkTable(of: table, relationship.name) }

    /// What the table is called that holds the links of a to-many relationship of the objects in a table.
    public static func linkTable(of table: String, _ relationship: String) -> String { "\(table)_\(relationship)" }
}

/// A typed column.
public struct Attribute: Sendable {
    /// What an absent value does to an existing object.
    public enum OnAbsent: String, CaseIterable, Sendable { case keep, null }

    /// Which values it may have; null is none of them, and always may be. Each is written as the feed writes values.
    public struct Bounds: Hashable, Sendable {
        /// The least.
        public var min: Literal?
        /// The greatest.
        public var max: Literal?
        /// All that there are; nil: any.
        public var oneOf: [Literal]?

        /// Any value.
        public init() {}

        /// Whether any value will do.
        public var isEmpty: Bool { self == Bounds() }
    }

    /// What it is called; the name of the column.
    public var name: String
    /// What the definition calls it, where that is something else.
    package var written: String?
    /// Earlier names.
    public var was: [String] = []
    /// How its value is made.
    public var value: ValueRule
    /// What the value is converted to.
    public var conversion: Conversion
    /// Which values it may have: a record with another one is rejected.
    public var bounds = Bounds()
    /// Whether a record without it is rejected.
    public var required = false
    /// Whether its column has an index.
    public var isIndexed = false
    /// What an absent value does to an existing object.
    public var onAbsent = OnAbsent.keep

    /// What the definition calls it.
    package var writtenName: String { written ?? name }

    /// An attribute that may be null.
    public init(name: String, value: ValueRule, conversion: Conversion) {
        self.name = name
        self.value = value
        self.conversion = conversion
    }
}

/// A reference to another entity, or to several.
public struct Relationship: Sendable {
    /// What an absent target means, once all feeds are read.
    public enum Missing: String, CaseIterable, Sendable { case null, stub, reject }
    /// What the deletion of the target does.
    public enum OnDelete: String, CaseIterable, Sendable { case nullify, cascade }
    /// What an absent value does to the references of an existing object.
    public enum OnAbsent: String, CaseIterable, Sendable { case keep, clear }

    /// What it is called; the name of the column, or of the links' table behind the entity's.
    public var name: String
    /// What the definition calls it, where that is something else.
    package var written: String?
    /// Earlier names.
    public var was: [String] = []
    /// The possible targets.
    public var targets: [Target]
    /// The value of each identifying attribute of the target, in their order: one list of values for all targets. Where
    /// there are `ways`, those of each way, one after the other.
    public var key: [ValueRule]
    /// How the target is looked for: the first way that finds one counts. Empty: by its identifier, in one target after
    /// the other.
    public var ways: [Way] = []
    /// Whether an object may have several targets.
    public var isMany = false
    /// To-many: whether a target counts once; else the links are a list, which may name one several times.
    public var isSet = true
    /// To-many: what each link has of its own, columns of the links' table.
    public var values: [Attribute] = []
    /// With `missing: stub`: attributes of the only target, with what the record says of them that names it.
    public var stub: [Attribute] = []
    /// To-many: key, selector and values are evaluated for each of these; nil: they are lists, side by side.
    public var elements: Elements?
    /// Polymorphic: a value that names the target's entity; nil: search the targets in order.
    public var selector: ValueRule?
    /// What an absent target means.
    public var missing = Missing.null
    /// What the deletion of the target does.
    public var onDelete = OnDelete.nullify
    /// What an absent value does to an existing object.
    public var onAbsent = OnAbsent.keep

    /// What the definition calls it.
    package var writtenName: String { written ?? name }

    /// A to-one relationship that may be null.
    public init(name: String, targets: [Target], key: [ValueRule]) {
        self.name = name
        self.targets = targets
        self.key = key
    }

    /// Whether it may refer to objects of several entities.
    public var isPolymorphic: Bool { targets.count > 1 }

    /// Whether a record does not say which object it means, but what is looked for: whatever has it is the target.
    public var isSearched: Bool { !ways.isEmpty || selector == nil && isPolymorphic }

    /// How many values make a key. All ways have as many.
    public var keyWidth: Int { ways.first?.attributes.count ?? key.count }

    /// All ways in which the target is looked for, in their order; with a selector, one for each target.
    public func searches(in model: Model) -> [Way] {
        ways.isEmpty
            ? targets.enumerated().map { index, target in
                Way(
                    target: index, attributes: model.entities[target.entity].identifier, isByIdentifier: true,
                    conversions: target.conversions)
            } : ways
    }

    /// How many these are.
    public var searchCount: Int { ways.isEmpty ? targets.count : ways.count }

    /// The column beside a polymorphic to-one reference: the name of the target's entity.
    public var entityColumn: String { name + "_entity" }

    /// What the columns of a to-one relationship are called in the view, where such attributes identify the target.
    public static func viewColumns(of name: String, _ identifier: [String]) -> [String] {
        identifier.count == 1 ? [name] : identifier.map { "\(name)_\($0)" }
    }

    /// A target entity, with the conversions of its identifier: the referring value takes the type of what it refers
    /// to.
    public struct Target: Sendable {
        /// The entity's index in the model.
        public var entity: Int
        /// Of its identifying attributes, in their order.
        public var conversions: [Conversion]

        /// An entity that a reference may lead to.
        public init(entity: Int, conversions: [Conversion]) {
            self.entity = entity
            self.conversions = conversions
        }
    }

    /// A way to find the target: the object of an entity that has certain values in certain attributes. Where several
    /// have them, it finds none.
    public struct Way: Sendable {
        /// Which of the relationship's targets it leads to.
        public var target: Int
        /// Attributes of this entity.
        public var attributes: [Int]
        /// Whether these are its identifier.
        public var isByIdentifier: Bool
        /// Of these attributes, in their order.
        public var conversions: [Conversion]

        /// A way to find the target.
        public init(target: Int, attributes: [Int], isByIdentifier: Bool, conversions: [Conversion]) {
            self.target = target
            self.attributes = attributes
            self.isByIdentifier = isByIdentifier
            self.conversions = conversions
        }
    }
}
