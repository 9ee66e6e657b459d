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
