import SluicePostgreSQL
import SluiceRecords

extension ServerConnection {
    /// Changes tables when no row of theirs waits for its foreign keys to be checked: such a table takes no further key
    /// and no index, and loses none.
    func withoutPendingChecks(_ change: () throws(Failure) -> Void) throws(Failure) {
        try write("SET CONSTRAINTS ALL IMMEDIATE")
        try change()
        try write("SET CONSTRAINTS ALL DEFERRED")
    }
}
