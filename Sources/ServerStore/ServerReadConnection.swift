import SluicePostgreSQL
import SluiceRecords
import SluiceSchema
import SluiceStore

/// A connection that reads a store on a server: used by one thread at a time.
///
/// What may be long is read through a cursor: some rows at a time, in little memory, while other queries go on beside
/// it.
final class ServerReadConnection: ReadConnection {
    /// Rows that the server gives together, at first and at the most; and bytes, of rows such as those before.
    private static let (firstRows, rowsTogether, bytesTogether) = (100, 1000, 4 << 20)
    /// In the order of the store's own names: `pg_catalog` is before it, whatever is said.
    private static let settings =
        "SELECT set_config('search_path', $1, false), set_config('cursor_tuple_fraction', '1', false)"

    let storeName: String
    let serial = ConnectionSerial.next()
    let seed: SeedVersion? = nil
    let seedsBeside: [SeedBeside] = []

    private let connection: ServerConnection
    private let schema: String
    private let listener: Listener
    /// Cursors that there were.
    private var cursors = 0
    private var isReading = false
    /// Whether a statement was ended from outside: the server may end the next one for it.
    private var wasEnded = false

    /// What the connection looks at while it waits. One thread at a time has it: the one that uses the connection.
    private final class Listener: @unchecked Sendable {
        var flag: CancelFlag?
    }

    init(_ location: ServerLocation, objects: [any StoredObject.Type]) throws(StoreError) {
        storeName = location.description
        schema = location.schema
        let listener = Listener()
        self.listener = listener
        connection = try stored { () throws(Failure) in
            try location.connectForReading("reader") { listener.flag?.isSet ?? false }
        }
        connection.explanation = ServerReadConnection.explanation
        try answered { () throws(Failure) in
            _ = try connection.query(ServerReadConnection.settings, .text(quoted(location.schema)))
        }
        try check(objects)
    }

    var isOutdated: Bool { wasEnded || !connection.isStillAlive }

    func listen(to flag: CancelFlag?) { listener.flag = flag }

    // MARK: The model

    /// Refuses a schema that is no store, and a store that does not fit the types.
    private func check(_ objects: [any StoredObject.Type]) throws(StoreError) {
        guard try !tables(among: ["sluice_model"]).isEmpty else {
            throw StoreError(.missing, "there is no store \(storeName): no run has written to the schema")
        }
        let entities = try answered { () throws(Failure) in
            let table = "\(quoted(schema)).sluice_model"
            let rows = try connection.query(
                "SELECT pipeline, entity, description FROM \(table) ORDER BY pipeline, entity")
            var descriptions: [EntityDescription] = []
            for row in 0..<rows.count {
                let (pipeline, entity, json) = (rows.text(row, 0), rows.text(row, 1), rows.text(row, 2))
                descriptions.append(try ModelRow(pipeline, entity, json, in: storeName).description)
            }
            return StoredEntity.all(descriptions)
        }
        try StoreModel.check(entities, objects, of: storeName)
    }

    func tables(among names: [String]) throws(StoreError) -> Set<ExactText> {
        try existing(
            names,
            "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                + " WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND c.relname::text = ANY($2)")
    }

    private func functions(among names: [String]) throws(StoreError) -> Set<ExactText> {
        try existing(
            names,
            "SELECT p.proname::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
                + " WHERE n.nspname = $1 AND p.proname::text = ANY($2)")
    }

    private func existing(_ names: [String], _ sql: String) throws(StoreError) -> Set<ExactText> {
        try answered { () throws(Failure) in
            let rows = try connection.query(sql, .text(schema), .texts(names))
            return Set((0..<rows.count).map { ExactText(rows.text($0, 0)) })
        }
    }

    func version() -> Int64? { nil }

    // MARK: Queries

    func run(
        _ query: Fragment, in seed: String?, each: (borrowing StoreRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try refuse(seed)
        try rows(try ServerSQL(query, schema: schema), each)
    }

    func query(
        _ sql: String, _ values: [FormedValue], each: (borrowing StoreRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try rows(try ServerSQL(sql, values), each)
    }

    func look(
        up key: LookUps.Key, _ lookUps: LookUps, _ values: [SQLValue], in seed: String?,
        found: (borrowing StoreRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        try refuse(seed)
        let (columns, forms) =
            switch key {
            case .objectID: (["objectID"], [StoredForm(.integer)])
            case .identifier: (lookUps.identifier, lookUps.forms)
            }
        let formed = zip(values, forms).map { FormedValue($0, as: $1) }
        // What a server cannot have, nobody is called.
        guard formed.allSatisfy({ $0.value.fitsServer($0.form) }) else { return }
        let isKey = columns.enumerated().map { "\(quoted($1)) = $\($0 + 1)" }.joined(separator: " AND ")
        let table = "\(quoted(schema)).\(quoted(lookUps.table))"
        let statement = try ServerSQL("SELECT \(lookUps.selected) FROM \(table) WHERE \(isKey)", formed)
        let rows = try answered(statement.sql) { () throws(Failure) in
            var parameters = statement.parameters
            defer { parameters.deallocate() }
            return try connection.query(statement.sql, parameters)
        }
        _ = try hand(rows, statement.sql) { row throws(StoreError) in
            try found(row)
            return false
        }
    }

    private func refuse(_ seed: String?) throws(StoreError) {
        if let seed {
            throw StoreError(.missing, "the store \(storeName) is on a server: no seed \(seed) is beside it")
        }
    }

    // MARK: Rows

    func reading<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try answered { () throws(Failure) in
            try connection.write("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        }
        isReading = true
        defer { isReading = false }
        do throws(StoreError) {
            let result = try body()
            try answered { () throws(Failure) in try connection.execute("COMMIT") }
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Undoes nothing, since nothing was written: ends the transaction, unless nobody answers any more.
    private func rollBack() {
        listen(to: nil)
        if !wasEnded, connection.isAlive { try? connection.execute("ROLLBACK") }
    }

    private func rows(
        _ statement: ServerSQL, _ each: (borrowing StoreRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        guard isReading else { return try reading { () throws(StoreError) in try rows(statement, each) } }
        // One that somebody has left with an error is there until the end of the transaction.
        cursors += 1
        let cursor = "sluice_\(cursors)"
        try answered(statement.sql) { () throws(Failure) in
            var parameters = statement.parameters
            defer { parameters.deallocate() }
            try connection.writeOnce("DECLARE \(cursor) NO SCROLL CURSOR FOR \(statement.sql)", parameters)
        }
        var (goesOn, count) = (true, ServerReadConnection.firstRows)
        while goesOn {
            let rows = try answered(statement.sql) { () throws(Failure) in
                try connection.queryOnce("FETCH FORWARD \(count) FROM \(cursor)")
            }
            goesOn = try hand(rows, statement.sql, each) && rows.count == count
            let most = ServerReadConnection.bytesTogether * rows.count / max(1, rows.byteCount)
            count = min(max(1, most), ServerReadConnection.rowsTogether)
        }
        try answered { () throws(Failure) in try connection.write("CLOSE \(cursor)") }
    }

    /// Hands rows out. Returns whether there may be more.
    private func hand(
        _ rows: ServerRows, _ sql: String, _ each: (borrowing StoreRow) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        let row = GivenRow(names: (0..<rows.width).map(rows.name), sql: sql)
        for place in 0..<rows.count {
            row.values.removeAll(keepingCapacity: true)
            for column in 0..<rows.width { row.values.append(try ServerField(rows, place, column).value()) }
            if try !each(StoreRow(row)) { return false }
        }
        return true
    }

    // MARK: Searches

    func search(_ list: SearchedTable, _ text: String, limit: Int, in seed: String?) throws(StoreError) -> Fragment? {
        try refuse(seed)
        let function = Entity.searchTable(of: list.table)
        guard try !functions(among: [function]).isEmpty else { return nil }
        let words = SearchText(text).words.joined(separator: " ")
        let table = quoted(list.table)
        let limited = (words.isEmpty ? " AND false" : "") + " ORDER BY \(table).\"objectID\" LIMIT \(limit)"
        return Fragment([
            .sql("SELECT \(list.selected) FROM "), .table(list.table), .sql(" JOIN "), .table(function), .sql("("),
            .value(.text(words), nil),
            .sql(") sluice_found ON sluice_found.\"objectID\" = \(table).\"objectID\"" + limited),
        ])
    }

    func places(
        _ list: SearchedTable, around area: SurroundingArea, in seed: String?
    ) throws(StoreError) -> [ObjectPlace]? {
        try refuse(seed)
        let function = Entity.placeIndex(of: list.table)
        guard try !functions(among: [function]).isEmpty else { return nil }
        let numbers = [area.latitude, area.longitude, area.distance].map { Fragment.Piece.value(.real($0), nil) }
        let query = Fragment(
            [
                .sql("SELECT f.\"objectID\", f.distance FROM "), .table(function), .sql("("), numbers[0], .sql(", "),
                numbers[1], .sql(", "), numbers[2], .sql(") f"),
            ])
        var places: [ObjectPlace] = []
        try run(query) { row throws(StoreError) in
            places.append(ObjectPlace(objectID: Int64(try row.value(0) as Int), distance: try row.value(1)))
            return true
        }
        return places
    }

    // MARK: Errors

    /// What the server says against a statement is the program's own matter, or a defect.
    private static func explanation(_ complaint: ServerComplaint) -> Failure? {
        // Rights have a message of their own.
        if complaint.code == "42501" { return nil }
        if complaint.code == "25006" {
            return Failure(.usage, "this is no query: stores on servers are written by runs, or by other programs")
        }
        if complaint.code == "25P02" {
            return Failure(
                .usage, "an earlier query of the same read has failed, and the server runs no other one in it")
        }
        // 08P01: it has more parameters than there are values.
        guard complaint.code == "08P01" || ["42", "22", "0A"].contains(complaint.code.prefix(2)) else { return nil }
        return Failure(.usage, complaint.message + complaint.hint)
    }

    /// Does something that the server answers to.
    ///
    /// - Parameter sql: the statement, for errors that are its own.
    private func answered<Result>(
        _ sql: String? = nil, _ body: () throws(Failure) -> Result
    ) throws(StoreError) -> Result {
        do throws(Failure) {
            return try body()
        } catch {
            if error.kind == .cancelled { wasEnded = true }
            var found = StoreError(error)
            if found.kind == .cancelled { found.message = "the task was cancelled" }
            found.sql = sql
            throw found
        }
    }
}
