/// Statements for the rows that sluice's own tables have about objects, in SQL of any store.
package enum OwnRows {
    /// The tables that have such rows, those of edits aside.
    package static let tables = ["sluice_unresolved", "sluice_stub"]

    /// Deletes those of an entity's objects that are not there.
    ///
    /// - Parameters:
    ///   - own: the table that has the rows, as SQL has it.
    ///   - table: that of the objects, likewise.
    package static func deletionOfGone(from own: String, of entity: String, in table: String) -> String {
        """
        DELETE FROM \(own) AS w WHERE w.entity = \(quotedText(entity)) AND NOT EXISTS (
          SELECT 1 FROM \(table) t WHERE t."objectID" = w."objectID")
        """
    }

    /// Copies the rows that say which of an entity's objects are stubs, for those that the other store has as well. Two
    /// pipelines may describe one entity: rows that are there are left out.
    ///
    /// - Parameter now: what the entity is called in the old table.
    package static func copyOfStubs(
        from old: String, to new: String, of entity: String, now: String, in table: String
    ) -> String {
        """
        INSERT INTO \(new) (entity, "objectID") SELECT \(quotedText(entity)), s."objectID" FROM \(old) s
        JOIN \(table) t ON t."objectID" = s."objectID" WHERE s.entity = \(quotedText(now)) AND NOT EXISTS (
          SELECT 1 FROM \(new) n WHERE n.entity = \(quotedText(entity)) AND n."objectID" = s."objectID")
        """
    }
}
