import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

/// What is read of a store when a run begins: all of it is asked for before the first answer is waited for.
struct BeginningReads {
    /// By entity: its highest objectID.
    let highest: [Int64]
    /// The entities whose highest objectID has not been asked for yet.
    private var untouched: Set<Int>
    var stubs: OwnList?
    var waiting: OwnList?

    /// Reads what a run needs to begin with.
    init(_ store: PostgreSQLStore, _ history: ServerRunHistory) throws(Failure) {
        let (connection, names) = (store.connection, store.model.entities.map(\.name))
        var answers: [ServerAnswer] = []
        for entity in store.model.entities.indices {
            answers.append(try BeginningReads.sendHighestQuery(entity, store))
        }
        let stubs = try BeginningReads.sendListQuery("entity, ''", of: "sluice_stub", names, store)
        let waiting = try BeginningReads.sendListQuery("entity, relationship", of: "sluice_unresolved", names, store)
        try store.sendLedgerQueries()
        var highest: [Int64] = []
        for (entity, answer) in answers.enumerated() {
            highest.append(try BeginningReads.highest(answer, entity, store, history))
        }
        self.highest = highest
        untouched = Set(highest.indices)
        self.stubs = try OwnList(connection.rows(of: stubs), connection)
        self.waiting = try OwnList(connection.rows(of: waiting), connection)
    }

    /// The highest objectID of an entity, when it is asked for the first time: nothing was written before that.
    mutating func takeHighest(of entity: Int) -> Int64? {
        untouched.remove(entity) != nil ? highest[entity] : nil
    }

    private static func sendListQuery(
        _ owner: String, of table: String, _ entities: [String], _ store: PostgreSQLStore
    ) throws(Failure) -> ServerAnswer {
        return try store.connection.sendQuery(
            "SELECT \(owner), \"objectID\" FROM \(store.named(table)) WHERE entity = ANY($1) LIMIT \(OwnList.most)",
            .texts(entities))
    }

    private static func sendHighestQuery(_ entity: Int, _ store: PostgreSQLStore) throws(Failure) -> ServerAnswer {
        try store.connection.sendQuery(
            "SELECT coalesce(max(\"objectID\"), 0) FROM \(store.named(store.model.entities[entity].table))")
    }

    private static func highest(
        _ answer: ServerAnswer, _ entity: Int, _ store: PostgreSQLStore, _ history: ServerRunHistory
    ) throws(Failure) -> Int64 {
        try Reference.checkedHighest(
            max(store.connection.rows(of: answer).integer(0, 0), history.highestEver[entity] ?? 0),
            store.model.entities[entity].table, store: "\(store.location)")
    }

    /// The highest objectID of an entity now.
    static func highest(
        of entity: Int, _ store: PostgreSQLStore, _ history: ServerRunHistory
    ) throws(Failure) -> Int64 {
        try highest(sendHighestQuery(entity, store), entity, store, history)
    }
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
    func take(_ entity: String, _ relationship: String = "") -> ObjectIDSet? {
        let owner = Owner(entity: ExactText(entity), relationship: ExactText(relationship))
        guard taken.insert(owner).inserted else { return nil }
        let seen = ObjectIDSet()
        for objectID in objects[owner] ?? [] { _ = seen.insert(objectID) }
        return seen
    }
}
