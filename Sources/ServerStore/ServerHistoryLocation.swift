import SluicePostgreSQL
import SluiceRecords
import SluiceSchema
import SluiceStore
import SluiceStorePostgreSQL

/// The past of a store on a server.
struct ServerHistoryLocation: HistoryLocation {
    let location: ServerLocation

    func open() throws(Failure) -> any HistoryReader { try ServerHistoryReader(location) }

    func makeStore(asOf run: Int, at output: String) throws(StoreError) -> Store {
        var earlier = location
        earlier.schema = output
        try stored { () throws(Failure) in
            try ServerLocation.refuse(schema: output)
            try ServerEarlierStoreWriter.write(location, run: run, to: output)
        }
        return try Store(earlier)
    }
}
