import SluiceRecords

/// A store that keeps its history: what each database does in its own way. What all do alike is in `HistoryKeeper`.
package protocol HistoryDatabase: HistorySource {
    // MARK: Statements

    /// Runs a statement of which nothing is read.
    func write(_ sql: String, _ values: [PastValue]) throws(Failure)

    /// Runs a statement, and returns how many rows it has changed.
    func change(_ sql: String, _ values: [PastValue]) throws(Failure) -> Int

    /// Hands out the rows of a query that gives few, or of a statement that returns some.
    func fewRows(
        _ sql: String, _ values: [PastValue], each: (any PastRow) throws(Failure) -> Void
    ) throws(Failure)

    // MARK: Tables

    /// Makes one of the tool's own tables.
    func create(_ table: OwnTable) throws(Failure)

    /// Whether `sluice_history_table` has the types of columns: no value says itself what it is.
    var keepsTypes: Bool { get }

    /// Names as one text, in a row of `sluice_history_table`.
    func joined(_ names: [String]) -> String
    func names(in text: String) -> [String]

    /// The ordinary tables of the store, as they are now.
    func shapes() throws(Failure) -> any TableShapes

    /// The tables of some names: nil where there is none.
    func tables(_ names: [String]) throws(Failure) -> [StoredTable?]

    /// What makes a table and its indexes again.
    func text(of table: String) throws(Failure) -> String

    /// Likewise, where it is recorded as soon as the past of the table is kept, as a program may change the table;
    /// empty: it is recorded when the table gets another shape.
    func earlyText(of table: String) throws(Failure) -> String

    /// Keeps others from writing to a table until the transaction ends.
    func lock(_ table: String) throws(Failure)

    /// Whether the past rows of a shape go with their table once all are forgotten: otherwise the table stays, empty.
    var dropsForgottenShapes: Bool { get }

    // MARK: Rows

    /// Prepares the tables whose past is kept for a run.
    func beginRun() throws(Failure)

    /// What keeps the past of a table.
    func triggers(of table: HistoryTable) -> any HistoryTriggers

    /// Makes those triggers that lack, for tables whose past is kept between runs, too.
    func createTriggers(of tables: [HistoryTable]) throws(Failure)

    /// Forgets the rows that a run has kept of objects that are in the end as they were before.
    func dropUnchanged(_ table: HistoryTable, run: Int) throws(Failure)

    // MARK: Views

    /// Removes a view that sluice has made; something else that a program has put in its place stays.
    func removeView(_ name: String) throws(Failure)

    /// Makes a view in place of an earlier one, where it lacks or is not in step.
    ///
    /// - Parameters:
    ///   - tables: those that it reads.
    ///   - earlier: what sluice's own view was called.
    /// - Returns: whether it is there: a table may lack, or another program may have given the name to something else.
    func makeView(
        _ name: String, _ sql: String, of tables: [String], insteadOf earlier: String?
    ) throws(Failure) -> Bool
}

/// Statements for the past rows of a table, in one shape, and for the triggers that keep them.
package protocol HistoryTriggers {
    /// What makes the table of past rows.
    var createPast: [String] { get }

    /// What makes the triggers.
    var create: [String] { get }

    /// What removes the triggers.
    ///
    /// - Parameter isThere: whether their table is still there.
    func drop(isThere: Bool) -> [String]

    /// What keeps all that the table holds, where that is not kept yet: it gets another shape.
    ///
    /// - Parameter present: the columns that the table has now: a program may have dropped some of those it had.
    func keepAll(columns present: [String]) -> [String]
}

/// The ordinary tables of a store: their columns that hold something, and the types of these.
package protocol TableShapes {
    /// Nil: there is no such table. Types only where the database needs them to keep a past.
    func columns(of table: String) throws(Failure) -> [(name: String, type: String?)]?
}

extension TableShapes {
    /// Whether a table still has the columns that it had, whatever the case of their names where the database folds it.
    func hasShape(_ table: HistoryTable, _ dialect: any Dialect) throws(Failure) -> Bool {
        guard let columns = try columns(of: table.name), columns.count == table.columns.count else { return false }
        return zip(columns.map(\.name), table.columns).allSatisfy { dialect.isSame($0, $1) }
            && zip(columns.compactMap(\.type), table.types).allSatisfy { $0.isIdentical(to: $1) }
    }
}

extension HistoryDatabase {
    package func write(_ sql: String) throws(Failure) { try write(sql, []) }

    package func write(_ statements: [String]) throws(Failure) {
        for statement in statements { try write(statement) }
    }

    /// The numbers that a query gives.
    func integers(_ sql: String, _ values: [PastValue] = []) throws(Failure) -> [Int64] {
        var numbers: [Int64] = []
        try fewRows(sql, values) { row in numbers.append(row.integer(0)) }
        return numbers
    }
}
