import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// A store on a server that keeps its history, to be read: as it is at one moment.
package struct ServerHistoryReader: HistoryReader {
    private let source: ServerHistory

    package var name: String { source.name }

    /// - Throws: `definition` where the store keeps no history.
    package init(_ location: ServerLocation) throws(Failure) {
        let connection = try location.connectForReading(nil)
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        source = ServerHistory(connection, location.schema)
        guard try source.keepsPast() else { throw ServerHistoryReader.noHistory(source.name) }
    }

    package func read<Result>(_ body: (any HistorySource) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(source)
    }
}

/// Reads the past by a connection that is in a transaction.
final class ServerHistory: HistorySource {
    let connection: ServerConnection
    private let catalog: ServerCatalog
    /// The name of the schema, and as SQL has it.
    let schema: String
    let namespace: ServerNamespace
    /// Of the views that a run removes; nil: it is none that does.
    let grants: ViewGrants?
    /// How many queries have been begun.
    private var count = 0

    /// Rows that are read together.
    private static let chunk = 1000

    /// - Parameter namespace: the schema, as SQL has it, where its name is not.
    init(
        _ connection: ServerConnection, _ schema: String, namespace: ServerNamespace? = nil, grants: ViewGrants? = nil
    ) {
        self.grants = grants
        self.connection = connection
        catalog = ServerCatalog(connection, schema)
        self.schema = schema
        self.namespace = namespace ?? ServerNamespace(schema)
    }

    var name: String { connection.name }
    var dialect: any Dialect { ServerDialect(namespace: namespace) }

    func keepsPast() throws(Failure) -> Bool {
        try connection.query("SELECT to_regclass($1) IS NOT NULL", .text(dialect.ownTable("sluice_history"))).boolean(
            0, 0)
    }

    func descriptions() throws(Failure) -> [EntityDescription] { try catalog.modelRows().map(\.description) }

    func table(_ name: String) throws(Failure) -> StoredTable? { try catalog.table(name) }

    func rows(
        _ sql: String, _ values: [PastValue], each: (any PastRow) throws(Failure) -> Void
    ) throws(Failure) {
        if !values.isEmpty {
            return try hand(out: connection.query(sql, values: values.map { ServerValue($0) }), to: each)
        }
        // Queries without parameters may give many rows.
        count += 1
        let cursor = "past\(count)"
        try connection.execute("DECLARE \(cursor) NO SCROLL CURSOR FOR \(sql)")
        while true {
            let found = try connection.query("FETCH \(ServerHistory.chunk) FROM \(cursor)")
            try hand(out: found, to: each)
            if found.count < ServerHistory.chunk { break }
        }
        try connection.execute("CLOSE \(cursor)")
    }

    func hand(
        out found: ServerRows, to each: (any PastRow) throws(Failure) -> Void
    ) throws(Failure) {
        for place in 0..<found.count { try each(ServerPastRow(rows: found, place: place)) }
    }

    func condition(_ column: String, type: String?, is text: String, _ values: inout [PastValue]) -> String {
        let type = type ?? ServerType.text.name
        guard ServerHistory.isValue(text, of: type) else { return "false" }
        values.append(.text(text))
        let parameter = dialect.parameter(values.count)
        switch ServerType(rawValue: type) {
        case .text: return "\(column) = \(parameter) COLLATE \"C\""
        case .bytea: return "\(column) = decode(\(parameter), 'hex')"
        case .boolean: return "\(column)::integer::text = \(parameter)"
        default: return "\(column) = \(parameter)::text::\(type)"
        }
    }

    /// Whether a text is a value of a type: otherwise the server would refuse it.
    private static func isValue(_ text: String, of type: String) -> Bool {
        switch ServerType(rawValue: type) {
        case .bigint: Int64(text) != nil
        case .double: Double(text).map(\.isFinite) ?? false
        case .bytea: text.utf8.count % 2 == 0 && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        case .timestamp:
            StoredTime(text) != nil
                && CellForm(StoredForm(.datetime, fraction: fraction(of: text))).isPlausible(text)
        case .date: StoredTime.isDay(text) && CellForm(StoredForm(.date)).isPlausible(text)
        case .numeric: CellForm(StoredForm(.decimal)).isPlausible(text)
        default: !text.utf8.contains(0)
        }
    }

    /// The digits of a second that a time has.
    private static func fraction(of text: String) -> Int {
        text.split(separator: ".", maxSplits: 1).dropFirst().first.map { max(0, $0.utf8.count - 1) } ?? 0
    }
}

extension ServerValue {
    init(_ value: PastValue) {
        switch value {
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .text("\(number)")
        case .text(let text): self = .text(text)
        }
    }
}
