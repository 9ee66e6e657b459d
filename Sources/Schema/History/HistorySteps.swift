import SluiceRecords

/// The past of a store's objects over the life of a run: what all stores do, step by step. A store says when it takes
/// each step, as others may write to it meanwhile or not.
///
/// | step | when | what |
/// | --- | --- | --- |
/// | `change` | before tables change | forgets the past that is not kept any more; keeps the rows of tables that get another shape; records new names |
/// | `number` | all tables are there | numbers those whose past is kept, and makes what keeps where records stood |
/// | `follow` | the tables have their shape | lets triggers keep what changes from now on |
/// | `settle` | the data are about to be saved | records what the run has made, and forgets what is too old |
package struct HistorySteps {
    package let scope: HistoryScope
    package let run: Int
    private let model: Model
    private let check: SchemaCheck
    private let use: HistoryUse?

    package init(_ schema: Schema, _ check: SchemaCheck, _ use: HistoryUse?, run: Int) {
        scope = HistoryScope(schema, check, use)
        model = schema.model
        self.check = check
        self.use = use
        self.run = run
    }

    /// The entities whose past is kept, or is to be.
    package func followed(
        _ past: HistoryKeeper
    ) throws(Failure) -> [(index: Int, entity: HistoryKeeper.FollowedTable)] {
        try scope.followed(past.store.keepsPast() ? past.objectTables().map(\.name) : [])
    }

    /// - Parameters:
    ///   - closing: the tables that get another shape, or have got one by others; nil: they are looked for.
    ///   - removesViews: whether the views of the past go now; otherwise the store removes them before it changes a
    ///     table.
    package func change(
        _ past: HistoryKeeper, closing: [HistoryTable]? = nil, removesViews: Bool = true
    ) throws(Failure) {
        try past.forget(scope.forgotten)
        try past.begin(run: run, check)
        try past.store.beginRun()
        let changing: [HistoryTable]
        if let closing { changing = closing } else { changing = try past.closing(check, model) }
        if removesViews, !changing.isEmpty { try past.removeViews() }
        try past.close(changing, run: run)
        // Tables that are closed have names, too.
        try past.rename(check.renaming)
    }

    /// What a run knows of the tables that are numbered.
    package struct NumberedTables {
        package var entities: [HistoryKeeper.FollowedTable]
        /// By entity: the highest objectID that any object has had.
        package var highestEver: [Int: Int64] = [:]
        /// By entity with records: the number of its table, for where these stood.
        package var places: [Int: Int64] = [:]
        /// The numbers of tables that the run has made.
        package var made: [Int64]
    }

    /// - Parameter hasKeys: whether what keeps where records stood has its key from the beginning, for new tables.
    package func number(_ past: HistoryKeeper, hasKeys: Bool = true) throws(Failure) -> NumberedTables {
        let entities = try followed(past)
        let made = try past.number(entities.map(\.entity), run: run, isNew: scope.isNew, hasKeys: hasKeys)
        var numbered = NumberedTables(entities: entities.map(\.entity), made: made)
        let tables = try past.objectTables()
        for (index, entity) in entities {
            guard let table = tables.first(where: { past.dialect.isSame($0.name, entity.table) }) else { continue }
            numbered.highestEver[index] = table.highest
            if !model.entities[index].isOfPrograms { numbered.places[index] = table.number }
        }
        return numbered
    }

    /// - Parameter hasTriggers: whether new tables have triggers from the beginning, as others can see them.
    package func follow(
        _ past: HistoryKeeper, _ entities: [HistoryKeeper.FollowedTable], hasTriggers: Bool
    ) throws(Failure) {
        try past.follow(entities, run: run, isNew: scope.isNew, hasTriggers: hasTriggers)
    }

    /// - Parameter started: when the run started: RFC 3339, UTC.
    package func settle(_ past: HistoryKeeper, started: String) throws(Failure) {
        try past.settle(run: run)
        guard case .kept(let keep?) = use else { return }
        try past.trim(keep, run: run, now: started)
        if past.store.dropsForgottenShapes { try makeViews(past) }
    }

    package func makeViews(_ past: HistoryKeeper) throws(Failure) {
        try past.makeViews(check.modelRows.descriptions)
    }
}
