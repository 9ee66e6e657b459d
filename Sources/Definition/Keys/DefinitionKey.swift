/// A key of an object of a definition, and what is said of it wherever it is named: a row of ``KeyTable``.
package struct DefinitionKey: Sendable {
    /// What a plan does with a key.
    package enum Planned: Sendable, Hashable {
        /// What a run does; or it belongs to what `sluice extract` does.
        case asRuns
        /// It is refused, for this reason.
        case refused(String)
        /// Nobody has said: it is refused, so that a new key is never done differently from a run. Keys that occur only
        /// below refused ones need no more; of others, a test asks.
        case undecided
    }

    /// What depends on the value of a key.
    package enum Effect: Sendable, Hashable {
        /// What records become: where it is another, what was read before may lack something.
        case onRecords
        /// What the store makes of the records, and not what is taken of the feeds.
        case onStore
        /// Nothing that a run makes of a feed: where feeds and stores are, how much is done at once, what is written
        /// beside the store, and credentials.
        case none
    }

    /// Which objects a key of entities, attributes or relationships may be of.
    struct Holders: OptionSet, Sendable {
        let rawValue: Int

        /// An entity with records, its attributes and relationships.
        static let records = Holders(rawValue: 1 << 0)
        /// An entity whose objects belong to programs, its attributes and relationships.
        static let programs = Holders(rawValue: 1 << 1)
        /// An entity whose objects are stubs, and its attributes.
        static let stubs = Holders(rawValue: 1 << 2)
        /// A reference into another store, and the parts of the identifier of its target.
        static let across = Holders(rawValue: 1 << 3)
        /// A value that each link has.
        static let links = Holders(rawValue: 1 << 4)

        /// A base, of which entities take over what they do not say themselves.
        static let bases = Holders(rawValue: 1 << 5)
        /// A value of the type json.
        static let json = Holders(rawValue: 1 << 6)

        /// What is read of records.
        static let usual: Holders = [.records, .links, .bases]
        /// What says something of columns, and nothing of records.
        static let columns: Holders = [.records, .programs, .stubs]
        static let all: Holders = [.columns, .across, .links]
    }

    package let name: String
    package let form: KeyForm
    /// What editors show of it: the description in `pipeline.schema.json`.
    package let meaning: String
    /// What its absence means, where that is always one value.
    package let initial: KeyDefault?
    package let planned: Planned
    package let effect: Effect
    let holders: Holders

    init(
        _ name: String, _ form: KeyForm, _ meaning: String, default initial: KeyDefault? = nil,
        plan: Planned = .undecided, effect: Effect = .onRecords, of holders: Holders = .usual
    ) {
        self.name = name
        self.form = form
        self.meaning = meaning
        self.initial = initial
        planned = plan
        self.effect = effect
        self.holders = holders
    }

    /// This key where its value may be something else.
    func with(form: KeyForm) -> DefinitionKey {
        DefinitionKey(name, form, meaning, default: initial, plan: planned, effect: effect, of: holders)
    }
}

/// The keys of a definition's objects, in the order in which messages and the documentation name them.
///
/// `make schema` writes `pipeline.schema.json` from these rows and from `pipeline.schema.template.json` beside this
/// file, which has what is said of several keys together.
package enum KeyTable {
    /// All of them, by the name of their object in the documentation and in the schema.
    package static let all: [(object: String, keys: [DefinitionKey])] = [
        ("pipeline", pipeline), ("source", source), ("store", store), ("postgresql", postgresql), ("limits", limits),
        ("check", question), ("archive", archive), ("ledger", ledger), ("history", history), ("seed", seed),
        ("after", after),
        ("hook", hook), ("auth", auth),
        ("basic", basic), ("aws", aws), ("oauth2", oauth2), ("pages", pages), ("fails", fails), ("since", since),
        ("entity", entity), ("search", search), ("condition", condition), ("value", value), ("attribute", attribute),
        ("relationship", relationship),
    ]

    /// The keys of an object, by its name in `all`, that have one of some effects.
    package static func names(of object: String, with effects: Set<DefinitionKey.Effect>) -> Set<String> {
        let keys = all.filter { $0.object == object }.flatMap(\.keys)
        return Set(keys.filter { effects.contains($0.effect) }.map(\.name))
    }

    // Why plans refuse several keys.
    static let services = "feeds of a plan are files that all workers see: save them with sluice fetch first"
    static let renaming = "a plan renames nothing"
    /// Of what stands for attributes that the definition does not name.
    package static let attributesByName = "a plan needs all attributes by name"
    /// Of ways to a target other than its identifier.
    package static let identifiersOnly = "references are found by identifiers only"
}
