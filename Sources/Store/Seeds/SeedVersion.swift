import SluiceRecords
import SluiceSeed
import SluiceStoreSQLite

/// A seed that was opened beside a store.
package struct SeedBeside: Sendable, Hashable, Codable {
    /// What queries call it.
    package var name: String
    package var version: SeedVersion
}

/// Which seed a store is.
public struct SeedVersion: Sendable, Hashable, Codable {
    /// Its name.
    public var name: String
    /// From 1; each that is published has a higher one.
    public var version: Int
    /// The hash of what it promises to programs: entities with their attributes, identifiers and relationships.
    public var model: String
    /// The hash of what its tables hold.
    public var content: String
    /// When it was built: RFC 3339, UTC.
    public var created: String

    /// What a store says of itself; nil: it is none.
    static func read(_ connection: Connection, schema: String = "main") throws(Failure) -> SeedVersion? {
        guard let row = try SeedRow.read(connection, schema: schema) else { return nil }
        return SeedVersion(
            name: row.name, version: row.version, model: row.model, content: row.content, created: row.created)
    }
}
