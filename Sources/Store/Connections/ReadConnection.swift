import SluiceRecords
import Synchronization

/// A connection that reads a store, whatever keeps the store: used by one thread at a time.
package protocol ReadConnection: AnyObject {
    /// The store, for messages.
    var storeName: String { get }
    /// Another one for each connection of the process.
    var serial: Int { get }
    /// What the store is, if it is a seed.
    var seed: SeedVersion? { get }
    /// Likewise those beside it.
    var seedsBeside: [SeedBeside] { get }
    /// Whether another connection is to be opened in its place.
    var isOutdated: Bool { get }

    /// Ends statements once a flag is set.
    func listen(to flag: CancelFlag?)

    /// Does something that sees the store as it is at one moment.
    func reading<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result

    /// Runs a query, and hands out its rows until the closure says no.
    ///
    /// - Parameter seed: what the seed is called that the query is about; nil: the store itself.
    func run(
        _ query: Fragment, in seed: String?, each: (borrowing StoreRow) throws(StoreError) -> Bool
    ) throws(StoreError)

    /// Runs a query of the program's own, likewise.
    func query(
        _ sql: String, _ values: [FormedValue], each: (borrowing StoreRow) throws(StoreError) -> Bool
    ) throws(StoreError)

    /// Finds the object that a key has, if there is one.
    ///
    /// - Parameter seed: as before.
    func look(
        up key: LookUps.Key, _ lookUps: LookUps, _ values: [SQLValue], in seed: String?,
        found: (borrowing StoreRow) throws(StoreError) -> Void
    ) throws(StoreError)

    /// Which of these tables the store has.
    func tables(among names: [String]) throws(StoreError) -> Set<ExactText>

    /// Another number once somebody has written; nil: only reading tells.
    func version() throws(StoreError) -> Int64?

    // MARK: Searches

    /// Statements that give the objects whose texts have words; nil: the store has nothing to find them by.
    func search(_ list: SearchedTable, _ text: String, limit: Int, in seed: String?) throws(StoreError) -> Fragment?

    /// The objects that are around a place, with their distances in metres, in any order; nil: likewise.
    func places(
        _ list: SearchedTable, around area: SurroundingArea, in seed: String?
    ) throws(StoreError) -> [ObjectPlace]?
}

/// What tells the connections of a process apart.
package enum ConnectionSerial {
    private static let last = Atomic<Int>(0)

    package static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

/// A value, and the form that a column has which can hold it.
package struct FormedValue: Sendable {
    package var value: SQLValue
    package var form: StoredForm

    package init(_ value: SQLValue, as form: StoredForm) {
        self.value = value
        self.form = form
    }

    package init(_ value: some StoreValue) throws(StoreError) {
        form = Swift.type(of: value).usualForm
        self.value = try value.stored(as: form)
    }
}

/// An entity whose objects are looked for.
package struct SearchedTable: Sendable {
    /// The name of the entity.
    package var entity: String
    /// Its table.
    package var table: String
    /// Its columns, for SELECT.
    package var selected: String

    init<Object: StoredObject>(_ type: Object.Type) {
        entity = type.entity
        table = type.columnList.table
        selected = type.columnList.selected
    }
}

/// An object, and how far it is from a place.
package struct ObjectPlace: Sendable {
    package var objectID: Int64
    /// In metres.
    package var distance: Double

    package init(objectID: Int64, distance: Double) {
        self.objectID = objectID
        self.distance = distance
    }
}

extension ReadConnection {
    /// Runs a query of the store itself.
    package func run(
        _ query: Fragment, each: (borrowing StoreRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try run(query, in: nil, each: each)
    }

    /// The whole number that a query gives in its first row; nil: there is none.
    package func number(_ query: Fragment, in seed: String? = nil) throws(StoreError) -> Int64? {
        var found: Int64?
        try run(query, in: seed) { row throws(StoreError) in
            found = (try row.value(0) as Int?).map(Int64.init)
            return false
        }
        return found
    }
}
