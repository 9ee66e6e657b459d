import SluiceRecords
import SluiceSchema

extension SchemaCheck {
    init(_ connection: Connection, _ model: Model, pipeline: String) throws(Failure) {
        try self.init(SQLiteCatalog(connection), model, pipeline: pipeline)
    }
}
