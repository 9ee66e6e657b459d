import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

extension ServerConnection {
    /// Objects that are read together.
    static let chunk = 50_000

    /// Reads the objectIDs that a query gives behind its last value, some at a time: there may be many.
    func objectIDSet(_ query: String, _ values: [ServerValue]) throws(Failure) -> ObjectIDSet {
        let objects = ObjectIDSet()
        var last: Int64 = 0
        while true {
            let found = try self.query(
                query + " ORDER BY \"objectID\" LIMIT \(ServerConnection.chunk)", values: values + [.integer(last)])
            for row in 0..<found.count {
                last = try found.objectID(row, 0, self)
                _ = objects.insert(last)
            }
            if found.count < ServerConnection.chunk { return objects }
        }
    }
}
