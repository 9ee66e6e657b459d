import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The past of a store's objects, over the life of a run.
final class ServerRunHistory {
    private let store: PostgreSQLStore
    /// The number of the run.
    private let run: Int
    /// By entity: the number of the table of which it is kept where records stood.
    private(set) var placeNumbers: [Int: Int64] = [:]
    /// By number: those of tables that the run has made, which get their keys at its end.
    var newPlaces: [Int64: NewPlaces] = [:]
    /// By entity: the highest objectID that any object has had, where the past is kept.
    private(set) var highestEver: [Int: Int64] = [:]

    init(_ store: PostgreSQLStore, run: Int) { (self.store, self.run) = (store, run) }

    private var model: Model { store.model }
    private var connection: ServerConnection { store.connection }
    private var check: SchemaCheck { store.check }
    private var use: StoreUse { store.use }
    private var isKept: Bool { store.keepsPast }

    private var life: HistorySteps { HistorySteps(store.schema, check, use.history, run: run) }
    private var scope: HistoryScope { life.scope }

    private var past: HistoryKeeper {
        HistoryKeeper(ServerHistory(connection, store.location.schema, grants: store.viewGrants))
    }

    /// The entities whose past is kept, or is to be.
    func followed() throws(Failure) -> [(index: Int, entity: HistoryKeeper.FollowedTable)] {
        try scope.followed(isKept ? past.objectTables().map(\.name) : [])
    }

    // MARK: The beginning of a run

    /// What a run does to the past of tables that are there, in the transaction in which these get another shape.
    struct Growth {
        var isForgotten = false
        /// The tables of which the past is forgotten, as they are called.
        var forgotten: [String] = []
        /// What gets another shape, and is not forgotten.
        var closing: [HistoryTable] = []
        /// What is there, and has no past yet.
        var beginning: [HistoryKeeper.FollowedTable] = []
        /// Whether views of the past show something else.
        var changesViews = false

        var isEmpty: Bool { !isForgotten && forgotten.isEmpty && closing.isEmpty && beginning.isEmpty && !changesViews }
    }

    func growth() throws(Failure) -> Growth {
        if use.history == .forgotten { return Growth(isForgotten: isKept) }
        let scope = scope
        guard isKept || scope.isWanted else { return Growth() }
        // This tells the triggers that objects which this session inserts are not made by programs.
        try connection.write(
            "SELECT set_config('\(ServerHistoryTriggers.setting)', \(store.location.schema.inQuotes("'")), false)")
        var growth = Growth()
        if isKept {
            try ServerHistory(connection, store.location.schema).enableTriggers()
            let forgotten = try past.objectTables().filter { scope.forgotten.containsExactly($0.name) }
            growth.forgotten = forgotten.map(\.name)
            growth.closing = try past.closing(check, model).filter { table in
                !forgotten.contains { $0.number == table.object }
            }
            growth.changesViews = check.modelRows.rows.contains(where: \.isChanged)
        }
        let isNew = scope.isNew
        let open = isKept ? try past.openTables().map(\.name) : []
        growth.beginning = try followed().map(\.entity).filter { entity in
            ([entity.table] + entity.linkTables).contains { !isNew($0) && !open.containsExactly($0) }
        }
        return growth
    }

    /// Before tables change: drops what the definition no longer keeps of the past, and closes the tables that get
    /// another shape.
    func close(_ growth: Growth) throws(Failure) {
        if growth.isForgotten {
            store.keepsPast = try !past.forget(ofPipeline: scope.own)
            return
        }
        if isKept { try life.change(past, closing: growth.closing) }
    }

    /// After tables have changed.
    func resume(_ growth: Growth) throws(Failure) {
        if growth.isEmpty || growth.isForgotten { return }
        let isNew = scope.isNew
        var entities = isKept ? try followed().map(\.entity) : growth.beginning
        // Tables that the run has still to make follow when they are there.
        entities = entities.filter { !isNew($0.table) }
        for index in entities.indices { entities[index].linkTables.removeAll(where: isNew) }
        try past.number(entities, run: run) { _ in false }
        store.keepsPast = true
        try past.follow(entities, run: run, isNew: { _ in false }, hasTriggers: true)
        try life.makeViews(past)
    }

    /// Within the transaction of the run, when all tables are there.
    func begin() throws(Failure) {
        let scope = scope
        guard isKept || scope.isWanted else { return }
        if isKept { try past.begin(run: run, check) }
        let numbered = try life.number(past, hasKeys: !use.savesAtEnd)
        newPlaces = use.savesAtEnd ? Dictionary(uniqueKeysWithValues: numbered.made.map { ($0, NewPlaces()) }) : [:]
        store.keepsPast = true
        try past.setBounds()
        if !scope.newTables.isEmpty { try life.follow(past, numbered.entities, hasTriggers: !use.savesAtEnd) }
        (highestEver, placeNumbers) = (numbered.highestEver, numbered.places)
    }

    // MARK: Questions

    /// Makes the views of the past of tables that the run makes, which others are to see at its end.
    func makeNewViews() throws(Failure) {
        if !store.isDry, isKept, !scope.newTables.isEmpty { try life.makeViews(past) }
    }

    /// Whether the past of the store begins with the run.
    var isFirst: Bool {
        scope.isWanted && !store.found.ownTables.contains("sluice_history") && use.history != .forgotten
    }

    /// Makes the views of a past that is to begin with the next run, for a dry run: its copies are the first of it.
    ///
    /// - Parameter schema: that of the copies.
    func makeFirst(in schema: String) throws(Failure) {
        if !isFirst { return }
        let first = HistoryKeeper(ServerHistory(connection, schema, namespace: store.namespace))
        let entities = try followed().map(\.entity)
        try first.number(entities, run: run) { _ in true }
        try first.follow(entities, run: run, isNew: { _ in true }, hasTriggers: false)
        try life.makeViews(first)
    }

    // MARK: The end of a run

    /// Ends a run whose data are about to be saved.
    ///
    /// - Returns: the condition for runs that the ledger may forget, as SQL; nil: there is no history.
    func settle(started: String) throws(Failure) -> String? {
        guard isKept else { return nil }
        let database = ServerHistory(connection, store.location.schema)
        for (object, places) in newPlaces { try database.keyPlace(object, mayRepeat: places.mayRepeat) }
        try life.settle(past, started: started)
        if !scope.newTables.isEmpty { try life.makeViews(past) }
        return database.forgettable
    }
}

/// The places of records that are kept for a table that the run has made; the table of places gets its key at the
/// end.
struct NewPlaces {
    private var last = Int64.min
    /// Whether an object may be recorded twice.
    private(set) var mayRepeat = false

    mutating func insert(_ objectID: Int64) {
        if objectID <= last { mayRepeat = true }
        last = objectID
    }
}
