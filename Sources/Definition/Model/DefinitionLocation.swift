import SluicePostgreSQL
import SluiceRecords
import SluiceStores

extension PipelineDefinition {
    /// Where its store is.
    package var location: StoreLocation { server.map { .server($0) } ?? .file(store) }

    /// Where the store is that a command uses: the one that it was given, a file or an address as libpq has it, or else
    /// the definition's.
    ///
    /// - Throws: `usage` where what it was given is neither.
    package func location(instead given: String?) throws(Failure) -> StoreLocation {
        guard let given else { return location }
        guard ServerAddress.isMeant(by: given) else { return .file(given) }
        let address: ServerAddress
        do throws(ServerAddress.Mistake) {
            address = try ServerAddress(given)
        } catch {
            throw Failure(.usage, "what --store names \(error.message)")
        }
        var location = ServerLocation(address: address, schema: server?.schema ?? name)
        location.declaresForeignKeys = server?.declaresForeignKeys ?? true
        // What the definition knows of its own server says nothing of another.
        if let own = server?.address, own.host == address.host {
            location.address.password = own.password
            location.address.certificates = own.certificates
            location.address.tls = location.address.tls ?? own.tls
        }
        try ServerLocation.refuse(schema: location.schema)
        return .server(location)
    }
}
