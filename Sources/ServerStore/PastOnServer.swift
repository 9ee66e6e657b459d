import SluicePostgreSQL
import SluiceRecords
import SluiceSchema
import SluiceStore
import SluiceStorePostgreSQL

/// The past of a store on a server.
struct PastOnServer: KeptPast {
    let location: ServerLocation

    func open() throws(Failure) -> any StorePast { try ServerPast(location) }

    func makeStore(asOf run: Int, at output: String) throws(StoreError) -> Store {
        var earlier = location
        earlier.schema = output
        try stored { () throws(Failure) in
            try ServerLocation.refuse(schema: output)
            try ServerPastStore.write(location, run: run, to: output)
        }
        return try Store(earlier)
    }
}
