import SluiceRecords
import StoreMirror

@testable import SluiceSchema
@testable import SluiceStores

/// A store to which nights happen, with the copies of it that nights leave, and the stores that are made again from it.
protocol NightShelf {
    var location: StoreLocation { get }

    /// Copies the store as it is.
    mutating func copy(_ run: Int) throws

    /// Makes the store again as it was when a run had ended.
    func makePast(_ run: Int) throws(Failure)

    /// By table: how it was made, and its rows; of sluice's own, what it says of entities.
    func contents(of place: NightPlace) throws -> [String: [[String]]]

    /// Likewise, what a script makes of the store of a run.
    func contents(of run: Int, after script: String) throws -> [String: [[String]]]

    /// Whether the store that was made again is one whose parts fit.
    func isSound(_ run: Int) throws -> Bool

    /// The rows of a query, with `@` for the place: texts, and `∅` for null.
    func rows(_ sql: String, in place: NightPlace) throws -> [[String]]

    /// What a program does to the store, with `@` for it.
    func write(_ sql: String) throws

    /// The columns that may be null, each with its table and the column that names the object.
    func freeColumns() throws -> [(table: String, column: String, owner: String)]

    /// Makes the view of an entity in the copy of a night; returns its columns, or nil: there is no such table.
    func makeView(_ entity: EntityDescription, among all: [EntityDescription], _ run: Int) throws -> [String]?

    /// Makes all of it go.
    func drop()
}

/// One of the stores on a shelf.
enum NightPlace {
    case store
    /// The copy that was made of the store that a run had left.
    case night(Int)
    /// The store of a run, made again.
    case past(Int)
}
