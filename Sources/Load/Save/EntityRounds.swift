import SluiceRecords

/// Where rows come from.
enum RowOrigin {
    case feed
    /// Kept aside in the first pass, and still of it; they do not wait as a whole.
    case aside
    /// From a spool of the second pass: they have waited, and do not wait again.
    case spool
}

/// Takes the rows of one entity in a batch through their rounds: identify, resolve, save. Rows whose identifier stood in
/// the batch before have a round of their own, since they must find what the first one wrote.
final class EntityRounds {
    let loader: EntityLoader
    let relations: EntityRelations
    let duplicates: Duplicates
    let sink: any FindingSink
    private let mayDefer: Bool

    init(_ relations: EntityRelations, _ shortcuts: Shortcuts, _ sink: any FindingSink) {
        self.relations = relations
        self.sink = sink
        loader = relations.loader
        duplicates = Duplicates(relations, sink)
        mayDefer =
            shortcuts.contains(.deferral) && !loader.facts.isTarget && loader.facts.startsEmpty
            && !loader.facts.hasDeletions
        if shortcuts.contains(.promises) { relations.allowPromises() }
    }

    /// Whether the rows of a feed are identified before those of other entities are resolved: others refer to them.
    var isIdentifiedFirst: Bool { loader.facts.isTarget && loader.waitingRows.candidates == nil }

    func identify(_ rows: [Int], _ batch: RecordBatch) throws(Failure) {
        try loader.identify(rows, batch.sections[loader.index], batch.arena)
    }

    /// Saves rows, or lets them wait; those of an entity that others refer to are identified.
    func save(_ rows: [Int], _ batch: RecordBatch, from origin: RowOrigin) throws(Failure) {
        let section = batch.sections[loader.index]
        if origin == .feed, try wait(rows, section, batch) { return }
        if !loader.facts.isTarget { try identify(rows, batch) }
        try resolve(section, batch, from: origin)
        if origin == .feed, try deferRecords(rows, section, batch) { return }
        try keepAside(section, batch)
        try keepScattered(section, batch)
        try spoolKept(section, batch)
        try save(section, batch, from: origin)
        while !loader.round.later.isEmpty {
            try loader.identifyLater(section, batch.arena)
            try resolve(section, batch, from: origin)
            try save(section, batch, from: origin)
        }
    }

    /// Lets rows wait whose records wait as a whole; false where they do not.
    private func wait(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) -> Bool {
        if let spool = loader.waitingRows.candidates {
            for row in rows { try spool.append(row, section, batch) }
            try loader.notePresence(rows, section, batch.arena)
            return true
        }
        guard let spool = loader.waitingRows.records else { return false }
        for row in rows { try spool.append(row, section, batch) }
        return true
    }

    func resolve(
        _ section: EntityRecords, _ batch: RecordBatch, from origin: RowOrigin
    ) throws(Failure) {
        relations.startRound(section)
        let groups = [loader.round.new, loader.round.first, origin == .spool ? [] : loader.round.kept]
            .filter { !$0.isEmpty }
        let rows = groups.count == 1 ? groups[0] : groups.flatMap { $0 }
        try relations.resolve(rows, section, batch, among: .soFar)
        if origin == .spool { return }
        relations.postponeSearched(loader.round.kept)
        for rows in [loader.round.new, loader.round.first] { relations.postponeSearched(rows) }
        relations.promise(loader.round.new, section, batch.arena)
    }

    /// Whether the section's records, and all later ones of the entity, are to wait as a whole: where nothing refers to
    /// them, and most of this section have a pending reference.
    private func deferRecords(
        _ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) -> Bool {
        guard mayDefer else { return false }
        let pending = relations.pendingCount(loader.round.new)
        guard pending * 2 > loader.round.new.count else { return false }
        let spool = RowSpool(loader.entity, whole: true)
        for row in rows { try spool.append(row, section, batch) }
        loader.waitingRows.records = spool
        loader.takeBackObjectIDs()
        return true
    }
}
