import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

/// What is read of a store when a run begins: all of it is asked for before the first answer is waited for.
struct BeginningReads {
    /// The entities whose highest objectID has not been asked for yet.
    var untouched: Set<Int> = []
    /// The fetch marks: what is known of the feeds of web services.
    var marks: ServerAnswer?
    /// The last reports of runs that succeeded.
    var reports: ServerAnswer?
    var stubs: OwnList?
    var waiting: OwnList?

    /// Reports that are read together with all else: mostly, the last one will do.
    static let fewReports = 4
}

/// Objects on one of the tool's own lists, where these are few: all are read at once.
final class OwnList {
    private struct Owner: Hashable {
        var entity: ExactText
        var relationship: ExactText
    }

    private var objects: [Owner: [Int64]] = [:]
    private var taken: Set<Owner> = []

    /// More are read for each entity and relationship by itself.
    static let most = 10_000

    /// - Parameter rows: an entity, a relationship or an empty text, and an objectID.
    init?(_ rows: ServerRows, _ connection: ServerConnection) throws(Failure) {
        if rows.count == OwnList.most { return nil }
        for row in 0..<rows.count {
            let owner = Owner(entity: ExactText(rows.text(row, 0)), relationship: ExactText(rows.text(row, 1)))
            objects[owner, default: []].append(try rows.objectID(row, 2, connection))
        }
    }

    /// The objects of an entity; nil: they were taken before, and may have changed since.
    func take(_ entity: String, _ relationship: String = "") -> SeenObjects? {
        let owner = Owner(entity: ExactText(entity), relationship: ExactText(relationship))
        guard taken.insert(owner).inserted else { return nil }
        let seen = SeenObjects()
        for objectID in objects[owner] ?? [] { _ = seen.insert(objectID) }
        return seen
    }
}

extension PostgreSQLStore {
    /// Reads what a run needs to begin with.
    func readBeginning() throws(Failure) {
        try forgetGoneObjects()
        var highest: [ServerAnswer] = []
        for entity in model.entities.indices { highest.append(try askForHighest(entity)) }
        let names = model.entities.map(\.name)
        let stubs = try askForList("entity, ''", of: "sluice_stub", names)
        let waiting = try askForList("entity, relationship", of: "sluice_unresolved", names)
        if has("sluice_fetch") { beginning.marks = try askForMarks() }
        if existed { beginning.reports = try ledger.askForReports(BeginningReads.fewReports) }
        for (entity, answer) in highest.enumerated() {
            self.highest.append(try checkedHighest(connection.rows(of: answer), entity))
        }
        beginning.untouched = Set(model.entities.indices)
        beginning.stubs = try OwnList(connection.rows(of: stubs), connection)
        beginning.waiting = try OwnList(connection.rows(of: waiting), connection)
    }

    private func askForList(_ owner: String, of table: String, _ entities: [String]) throws(Failure) -> ServerAnswer {
        return try connection.ask(
            "SELECT \(owner), \"objectID\" FROM \(named(table)) WHERE entity = ANY($1) LIMIT \(OwnList.most)",
            .texts(entities))
    }

    private func askForHighest(_ entity: Int) throws(Failure) -> ServerAnswer {
        try connection.ask("SELECT coalesce(max(\"objectID\"), 0) FROM \(named(model.entities[entity].table))")
    }

    private func checkedHighest(_ rows: ServerRows, _ entity: Int) throws(Failure) -> Int64 {
        try Reference.checkedHighest(
            max(rows.integer(0, 0), runHistory.highestEver[entity] ?? 0), model.entities[entity].table,
            store: "\(location)")
    }

    package func highestObjectID(of entity: Int) throws(Failure) -> Int64 {
        // Nothing was written between the beginning and the first call.
        if beginning.untouched.remove(entity) != nil { return highest[entity] }
        return try checkedHighest(connection.rows(of: askForHighest(entity)), entity)
    }

    /// Asks for the fetch marks.
    func askForMarks() throws(Failure) -> ServerAnswer {
        return try connection.ask(
            "SELECT source, request, etag, last_modified FROM \(stored("sluice_fetch")) WHERE pipeline = $1",
            .text(pipeline)
        )
    }
}
