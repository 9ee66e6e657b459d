import SluiceRecords

/// A reader of a store that keeps its past, as the store is at one moment.
package protocol HistorySource {
    /// The store, for messages.
    var name: String { get }
    var dialect: any Dialect { get }

    /// Whether it keeps a past.
    func keepsPast() throws(Failure) -> Bool

    /// What all pipelines say of their entities.
    func descriptions() throws(Failure) -> [EntityDescription]

    /// All tables whose past is kept, in all their shapes, the oldest first.
    func historyTables() throws(Failure) -> [HistoryTable]

    /// The table of that name, or nil.
    func table(_ name: String) throws(Failure) -> StoredTable?

    /// Hands out the rows of a query.
    func rows(
        _ sql: String, _ values: [PastValue], each: (any PastRow) throws(Failure) -> Void
    ) throws(Failure)

    /// A condition that a column holds what a text says.
    ///
    /// - Parameters:
    ///   - type: that of the column, as SQL has it.
    ///   - values: those of the query, to which it adds its own.
    func condition(_ column: String, type: String?, is text: String, _ values: inout [PastValue]) -> String
}

/// A parameter of a query.
package enum PastValue {
    case integer(Int64)
    case real(Double)
    case text(String)
}

/// A row that a query has given.
package protocol PastRow {
    func integer(_ column: Int) -> Int64
    func isNull(_ column: Int) -> Bool
    func text(_ column: Int) -> String
    /// JSON that the store has made.
    func list(_ column: Int) -> String
    /// A value as JSON.
    ///
    /// - Parameter form: how its column has the values, where that is known.
    func json(_ column: Int, _ form: StoredForm?) -> String
}

extension PastRow {
    /// The value of an identifier as JSON; of several attributes, a list.
    func key(_ columns: Range<Int>, _ forms: [StoredForm?]) -> String {
        let parts = zip(columns, forms).map { json($0, $1) }
        return JSONText.oneOrArray(parts)
    }

    /// The values of an object's own columns as JSON, from a column on, behind which the targets of its references
    /// stand.
    func values(_ columns: [EntityView.Column], from first: Int) -> [String] {
        var target = first + columns.count
        return columns.enumerated().map { place, column in
            defer { target += column.target == nil ? 0 : 1 }
            if isNull(first + place) {
                return column.target != nil && !isNull(target) ? PastVersion.unknown : "null"
            }
            return column.isList ? list(first + place) : json(first + place, column.form)
        }
    }
}

extension [EntityView.Column] {
    /// What a query reads so that `PastRow.values` finds it.
    var expressions: [String] { map(\.value) + compactMap(\.target) }
}

extension HistorySource {
    /// The only number that a query gives; nil: it gives none.
    func integer(_ sql: String, _ values: [PastValue] = []) throws(Failure) -> Int64? {
        var found: Int64?
        try rows(sql, values) { row in
            if found == nil, !row.isNull(0) { found = row.integer(0) }
        }
        return found
    }
}

/// A version of an object: its values from one run to another.
package struct PastVersion: Sendable {
    package var objectID: Int64
    /// The run that made it so.
    package var from: Int
    /// The run that ended it; nil: it is still true.
    package var to: Int?
    /// By the names in `VersionReader.names`: JSON; null is `null`, and a reference of which is no longer known where
    /// it led `unknown`.
    package var values: [String]
    /// Whether the object was created with this version. Otherwise it may have been there before: the history begins
    /// here, or has forgotten the earlier versions.
    package var isMade = false
    /// Whether the earlier versions of the object were erased on demand.
    package var isForgotten = false
    /// A reference to an object that is gone, and whose past was erased on demand, or never kept.
    package static let unknown = JSONText.object([("unknown", "true")])
    /// Where the record stood that made this version; nil: no record did, or that is not known.
    package var at: PastPlace?

    /// Whether it was true when a run had ended.
    package func isTrue(after run: Int) -> Bool { from <= run && run < to ?? .max }
}

/// A place in what a run has read.
package struct PastPlace: Sendable {
    package var source: Int
    package var file: Int
    package var line: UInt64
    package var column: UInt64
    package var offset: UInt64
}
