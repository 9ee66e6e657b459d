import SluiceLoad
import SluiceRecords
import SluiceSchema

/// A store in a file that keeps its history, to be read.
package struct SQLiteHistoryReader: HistoryReader {
    package let name: String
    private let reader: StoreReader

    /// - Throws: `missing` where there is no store; `definition` where it keeps no history.
    package init(_ path: String) throws(Failure) {
        guard try StoreFile.exists(path) else {
            throw Failure(.missing, "the store \(path) does not exist: the first run makes it")
        }
        name = path
        reader = try StoreReader(path, patience: SQLiteStore.lockPatience)
        guard try read({ source throws(Failure) in try source.keepsPast() }) else { throw Self.noHistory(path) }
    }

    package func read<Result>(_ body: (any HistorySource) throws(Failure) -> Result) throws(Failure) -> Result {
        try reader.read { connection throws(Failure) in try body(SQLiteHistory(connection)) }
    }
}

/// Reads the past by a connection.
final class SQLiteHistory: HistorySource {
    let connection: Connection
    /// By their SQL: prepared statements that are not in use.
    private var prepared: [ExactText: Statement] = [:]

    private let schema: String
    /// Which objects the run under way has written; nil: that is not known.
    var written: WrittenObjects?

    /// - Parameters:
    ///   - name: what messages call the store; nil: by its path.
    ///   - schema: what the connection calls it.
    init(_ connection: Connection, name: String? = nil, schema: String = "main") {
        self.connection = connection
        self.name = name ?? connection.path
        self.schema = schema
    }

    let name: String
    var dialect: any Dialect { SQLiteDialect() }

    func keepsPast() throws(Failure) -> Bool { try connection.hasTable("sluice_history", in: schema) }

    func descriptions() throws(Failure) -> [EntityDescription] {
        try ModelTable(connection: connection, schema: schema).rows().map(\.description)
    }

    func table(_ name: String) throws(Failure) -> StoredTable? { try StoredTable(connection, name) }

    func rows(
        _ sql: String, _ values: [PastValue], each: (any PastRow) throws(Failure) -> Void
    ) throws(Failure) {
        let statement = try take(sql)
        statement.bind(values)
        let row = Row(statement: statement)
        while try statement.step() { try each(row) }
        prepared[ExactText(sql)] = statement
    }

    private func take(_ sql: String) throws(Failure) -> Statement {
        if let statement = prepared.removeValue(forKey: ExactText(sql)) { return statement }
        return try connection.prepare(sql)
    }

    func condition(_ column: String, type: String?, is text: String, _ values: inout [PastValue]) -> String {
        let part = IdentifierText(text: text)
        defer { values += part.values }
        return part.condition(column, first: values.count + 1)
    }

    /// The row at which a statement is.
    private struct Row: PastRow {
        let statement: Statement

        func integer(_ column: Int) -> Int64 { statement.integer(column) }
        func isNull(_ column: Int) -> Bool { statement.isNull(column) }
        func text(_ column: Int) -> String { statement.text(column) }
        func list(_ column: Int) -> String {
            let text = statement.text(column)
            return StoredJSON(text)?.listText ?? text
        }

        func json(_ column: Int, _ form: StoredForm?) -> String {
            var arena = Arena()
            defer { arena.deallocate() }
            return arena.json(of: statement.cell(column, in: &arena))
        }
    }
}

extension Statement {
    func bind(_ values: [PastValue]) {
        for (place, value) in values.enumerated() {
            switch value {
            case .integer(let number): bind(place + 1, number)
            case .real(let number): bind(place + 1, number)
            case .text(let text): bind(place + 1, text)
            }
        }
    }
}
