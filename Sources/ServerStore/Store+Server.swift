import SluicePosix
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema
import SluiceStore

/// What a program shows a server to be let in. It shows up in no message.
public struct ServerPassword: Sendable {
    let secret: Secret

    /// What a file holds, without the line's end after it: only its owner may have access to the file, and it is read
    /// each time that a connection is made.
    public static func file(_ path: String) -> ServerPassword { ServerPassword(secret: .file(path)) }

    /// The password itself.
    public static func text(_ text: String) -> ServerPassword { ServerPassword(secret: .text(text)) }
}

extension Store {
    /// Opens a store on a PostgreSQL server, to read it: with the types, queries and values of stores in files.
    ///
    /// ```swift
    /// let store = try Store(
    ///     server: "postgresql://reader@db.example.org/transit", schema: "transit", password: .file("db-password"),
    ///     objects: [Stop.self, StopTime.self])
    /// ```
    ///
    /// Objects are written by runs. Programs that write their own do it with SQL, as any other does on a server.
    ///
    /// - Parameters:
    ///   - database: a URI or libpq's keywords, without a password, as in the definition. Hosts need TLS with a
    ///     certificate that somebody vouches for, unless `sslmode` asks for less.
    ///   - schema: where the store is in the database: in a definition the pipeline's name, where nothing else is said.
    ///   - password: nil: libpq's own ways, such as `~/.pgpass`.
    ///   - certificates: the path of the certificates of those who vouch for the server's; nil: the system's.
    ///   - objects: types that must fit their tables.
    /// - Throws: `missing` where there is no such store; `incompatible` where it does not fit a type, with all that it
    ///   lacks; `unavailable`, `refused`, `busy` as the server has it; `statement` where `database` is no address.
    public convenience init(
        server database: String, schema: String, password: ServerPassword? = nil, certificates: String? = nil,
        objects: [any StoredObject.Type] = []
    ) throws(StoreError) {
        var address: ServerAddress
        do throws(ServerAddress.Mistake) {
            address = try ServerAddress(database)
        } catch {
            throw StoreError(.statement, "the address of a store \(error.message)")
        }
        address.password = password?.secret
        address.certificates = certificates
        let location = ServerLocation(address: address, schema: schema)
        try self.init(location, objects: objects)
    }

    convenience init(_ location: ServerLocation, objects: [any StoredObject.Type] = []) throws(StoreError) {
        try self.init(reading: location.description, past: ServerHistoryLocation(location: location)) {
            () throws(StoreError) in
            try ServerReadConnection(location, objects: objects)
        }
    }
}
