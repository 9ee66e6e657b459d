import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The table `sluice_stub`: objects of which only the identifier is known, because a reference named them.
final class StubList {
    private let connection: Connection
    private var insertion = PreparedStatement()
    private var deletion = PreparedStatement()

    init(_ connection: Connection) throws(Failure) {
        self.connection = connection
        try connection.create(.stub)
    }

    func forgetStatements() { (insertion, deletion) = (PreparedStatement(), PreparedStatement()) }

    func objects(_ entity: String) throws(Failure) -> ObjectIDSet {
        let objects = ObjectIDSet()
        let statement = try connection.prepare("SELECT objectID FROM sluice_stub WHERE entity = ?")
        statement.bind(1, entity)
        while try statement.step() { _ = objects.insert(try statement.objectID(0)) }
        return objects
    }

    func mark(_ objectID: Int64, _ entity: String, _ isStub: Bool) throws(Failure) {
        let statement =
            isStub
            ? try insertion.get(connection, "INSERT OR IGNORE INTO sluice_stub (entity, objectID) VALUES (?, ?)")
            : try deletion.get(connection, "DELETE FROM sluice_stub WHERE entity = ? AND objectID = ?")
        statement.bind(1, entity)
        statement.bind(2, objectID)
        try statement.run()
    }
}
