import Glibc
import SluiceColumns
import SluicePosix
import SluiceRecords

/// The files of a part that hold the records of one entity, and its rejects.
struct EntityOutput {
    let records: ParquetFile
    let rejects: ParquetFile
    private let rejectsPath: String
    private let columns: RecordColumns
    private let rejectColumns: RejectColumns

    init(_ model: Model, _ index: Int, _ folder: PartFolder) throws(Failure) {
        let entity = model.entities[index]
        columns = RecordColumns(entity, model: model)
        rejectColumns = RejectColumns(entity, model: model)
        records = try ParquetFile(folder.parquet(entity.name), columns.columns)
        rejectsPath = folder.rejects(entity.name)
        rejects = try ParquetFile(rejectsPath, rejectColumns.columns)
    }

    func add(_ section: EntityRecords, _ batch: RecordBatch, _ source: String, _ file: String, _ part: String) {
        columns.add(section, batch, source, file, part, to: records)
        rejectColumns.add(section, batch, source, file, part, to: rejects)
    }

    func finish() throws(Failure) {
        try records.finish()
        try rejects.finish()
    }

    /// Gives the files their names; that of the rejects only if there are any.
    func publish() throws(Failure) {
        try records.publish()
        if rejects.rowCount > 0 { return try rejects.publish() }
        // A call that was killed before its manifest may have left some.
        guard unsafe unlink(rejectsPath) == 0 || errno == ENOENT else {
            throw Failure(.io, "\(rejectsPath) cannot be removed", errno: errno)
        }
    }
}
