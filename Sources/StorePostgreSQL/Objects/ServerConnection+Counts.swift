import SluicePostgreSQL
import SluiceRecords

// Checks that a statement has written as many rows as it should: another session may have deleted rows while the
// statement waited for them, and a trigger or a rule may keep rows out.
extension ServerConnection {
    /// Looks whether some rows were written.
    func writing(_ count: Int, to table: String) -> Check {
        { [self] rows throws(Failure) in
            if rows.changed != count { throw lostRows(rows.changed, of: count, table) }
        }
    }

    /// Looks whether the rows of some objects were changed, each of which may be named twice.
    func changing(_ objectIDs: [Int64], in table: String) -> Check {
        { [self] rows throws(Failure) in
            if rows.changed == objectIDs.count { return }
            let count = Set(objectIDs).count
            if rows.changed != count { throw lostRows(rows.changed, of: count, table) }
        }
    }

    private func lostRows(_ written: Int, of count: Int, _ table: String) -> Failure {
        Failure(
            .io,
            "the table \(table) of the store \(name) let \(written) of \(count) rows be written: another program has taken"
                + " the others away meanwhile, or a trigger or a rule keeps them as they are")
    }
}
