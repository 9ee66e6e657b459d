import SluiceLoad
import SluiceRecords
import SluiceSchema

/// Writes new objects into the table of one entity.
///
/// Mostly their objectIDs follow the highest one of the table, as SQLite itself would number them. Then SQLite numbers
/// them: for a given number it searches the table's tree to see whether the number is taken, which takes a quarter of
/// the time for a row.
final class ObjectInsertion {
    /// Where rows that follow one another come in shorter runs than this, on average, they are written together.
    private static let shortestRun = 16

    private let connection: Connection
    private let table: String
    private let identifier: [String]
    private let targetNames: [[String]]
    private let words: LateWords?
    /// The names of the columns, and what is written to them: objectID, attributes, references; a mark stays null.
    private let columns: [(name: String, content: BatchTable.Column)]

    private var statements: [Form: Statement] = [:]
    private var highest = PreparedStatement()
    private var isTriggering: Bool?

    /// What rows are of, and whether identifiers are indexed.
    struct Rows {
        var section: EntityRecords
        var arena: Arena
        var work: RowScratch
        var isIndexed: Bool
        var batchTable: BatchTable
    }

    private struct Form: Hashable {
        var isIndexed: Bool
        /// Whether SQLite numbers the rows.
        var isNumbered: Bool
    }

    init(
        _ connection: Connection, _ entity: Entity, _ columns: [Schema.Column], identifier: [String],
        targetNames: [[String]], _ words: LateWords?
    ) {
        self.connection = connection
        self.words = words
        table = entity.table
        self.identifier = identifier
        self.targetNames = targetNames
        let names = ["objectID"] + columns.map(\.name)
        self.columns = Array(zip(names, ObjectInsertion.contents(entity)))
    }

    private static func contents(_ entity: Entity) -> [BatchTable.Column] {
        var contents = [BatchTable.Column.objectID] + entity.attributes.indices.map { .attribute($0) }
        for (index, relationship) in entity.relationships.enumerated() where !relationship.isMany {
            contents.append(.reference(index))
            if relationship.isPolymorphic { contents.append(.targetName(index)) }
        }
        return entity.marksAbsent ? contents + [.null] : contents
    }

    /// Writes rows, without those whose identifier is taken, where identifiers are indexed. Returns how many were
    /// written.
    func write(_ rows: UnsafeBufferPointer<Int>, _ of: Rows) throws(Failure) -> Int {
        let objectIDs = of.work.objectIDs
        guard unsafe areRunsLong(rows, objectIDs), try !hasTriggers() else { return try unsafe writeGiven(rows, of) }
        var (rest, written) = unsafe (rows[...], 0)
        var highest = try highestObjectID()
        while let first = unsafe rest.first {
            let run = unsafe rest.prefix(ObjectInsertion.runLength(rest, objectIDs))
            let count = unsafe try write(run: UnsafeBufferPointer(rebasing: run), of, behind: highest)
            written += count
            let length = unsafe run.count
            let last = objectIDs[first] + Int64(length) - 1
            // A row that was not written has left its number free.
            highest = count == length ? max(highest, last) : try highestObjectID()
            unsafe rest = rest.dropFirst(length)
        }
        return written
    }

    /// Writes rows whose objectIDs follow one another. Behind a gap, the first row is written with its number, and
    /// SQLite goes on from there.
    private func write(
        run rows: UnsafeBufferPointer<Int>, _ of: Rows, behind highest: Int64
    ) throws(Failure) -> Int {
        let first = of.work.objectIDs[unsafe rows[0]]
        if first <= highest { return try unsafe writeGiven(rows, of) }
        let given = first == highest + 1 ? 0 : 1
        var written = unsafe try writeGiven(UnsafeBufferPointer(rebasing: rows[..<given]), of)
        if written < given { return try unsafe written + writeGiven(UnsafeBufferPointer(rebasing: rows[given...]), of) }
        let numbered = unsafe UnsafeBufferPointer(rebasing: rows[given...])
        if numbered.isEmpty { return written }
        let form = Form(isIndexed: of.isIndexed, isNumbered: true)
        let taken = unsafe try of.batchTable.append(
            try statement(form), contents(form), numbered, of.section, of.arena, of.work, targetNames: targetNames)
        written += connection.changes
        return try unsafe written + writeGiven(UnsafeBufferPointer(rebasing: numbered[taken...]), of)
    }

    /// Writes rows with the numbers that they have.
    private func writeGiven(_ rows: UnsafeBufferPointer<Int>, _ of: Rows) throws(Failure) -> Int {
        if rows.isEmpty { return 0 }
        let form = Form(isIndexed: of.isIndexed, isNumbered: false)
        try unsafe of.batchTable.run(
            try statement(form), contents(form), rows, of.section, of.arena, of.work, targetNames: targetNames)
        return connection.changes
    }

    // MARK: Numbers

    private func areRunsLong(_ rows: UnsafeBufferPointer<Int>, _ objectIDs: Table<Int64>) -> Bool {
        var runs = 1
        for place in stride(from: 1, to: rows.count, by: 1)
        where objectIDs[unsafe rows[place]] != objectIDs[unsafe rows[place - 1]] + 1 {
            runs += 1
        }
        return runs == 1 || runs * ObjectInsertion.shortestRun <= rows.count
    }

    /// How many of the first rows follow one another.
    private static func runLength(_ rows: Slice<UnsafeBufferPointer<Int>>, _ objectIDs: Table<Int64>) -> Int {
        let first = objectIDs[unsafe rows[rows.startIndex]]
        var length = 1
        while unsafe length < rows.count, objectIDs[unsafe rows[rows.startIndex + length]] == first + Int64(length) {
            length += 1
        }
        return length
    }

    private func highestObjectID() throws(Failure) -> Int64 {
        let statement = try highest.get(connection, "SELECT max(\"objectID\") FROM \(quoted(table))")
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Triggers of other programs may ask for the number of a row before the row is there.
    private func hasTriggers() throws(Failure) -> Bool {
        if let isTriggering { return isTriggering }
        let found = try connection.hasForeignTriggers(of: table)
        isTriggering = found
        return found
    }

    // MARK: SQL

    private func contents(_ form: Form) -> [BatchTable.Column] {
        columns.dropFirst(form.isNumbered ? 1 : 0).map(\.content)
    }

    /// Writes the rows of the batch table. A failure ends the run, so SQLite need not keep what undoes the statement
    /// alone.
    private func statement(_ form: Form) throws(Failure) -> Statement {
        if let statement = statements[form] { return statement }
        try words?.begin(table)
        let conflict =
            form.isIndexed ? "ON CONFLICT (\(identifier.map(quoted).joined(separator: ", "))) DO NOTHING" : ""
        let names = columns.dropFirst(form.isNumbered ? 1 : 0).map { quoted($0.name) }
        let statement = try connection.prepare(
            """
            INSERT OR FAIL INTO \(quoted(table)) (\(names.joined(separator: ", ")))
            SELECT \(BatchTable.columnList(names.count)) FROM \(BatchTable.name) WHERE true
            \(conflict)
            """)
        statements[form] = statement
        return statement
    }
}
