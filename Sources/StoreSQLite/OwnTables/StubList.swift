import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The table `sluice_stub`: objects of which only the identifier is known, because a reference named them.
final class StubList {
    private let connection: Connection
    private let insertion: Statement
    private let deletion: Statement

    init(_ connection: Connection) throws(Failure) {
        self.connection = connection
        try connection.create(.stub)
        insertion = try connection.prepare("INSERT OR IGNORE INTO sluice_stub (entity, objectID) VALUES (?, ?)")
        deletion = try connection.prepare("DELETE FROM sluice_stub WHERE entity = ? AND objectID = ?")
    }

    func objects(_ entity: String) throws(Failure) -> SeenObjects {
        let objects = SeenObjects()
        let statement = try connection.prepare("SELECT objectID FROM sluice_stub WHERE entity = ?")
        statement.bind(1, entity)
        while try statement.step() { _ = objects.insert(try statement.objectID(0)) }
        return objects
    }

    func mark(_ objectID: Int64, _ entity: String, _ isStub: Bool) throws(Failure) {
        let statement = isStub ? insertion : deletion
        statement.bind(1, entity)
        statement.bind(2, objectID)
        try statement.run()
    }
}
