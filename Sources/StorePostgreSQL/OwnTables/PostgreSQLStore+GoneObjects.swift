import SluiceRecords

extension PostgreSQLStore {
    /// Forgets what sluice's own tables say of objects that programs have deleted since the last run: nothing waits for a
    /// target any more, and whoever gets an objectID anew is no stub.
    func forgetGoneObjects() throws(Failure) {
        for (index, entity) in model.entities.enumerated() where !check.missing.tables.contains(index) {
            for own in ["sluice_unresolved", "sluice_stub"] {
                parameters.removeAll()
                parameters.add(entity.name)
                try connection.write(
                    """
                    DELETE FROM \(named(own)) w WHERE w.entity = $1 AND NOT EXISTS (
                      SELECT 1 FROM \(named(entity.table)) t WHERE t."objectID" = w."objectID")
                    """, parameters)
            }
        }
    }
}
