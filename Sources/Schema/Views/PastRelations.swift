import SluiceRecords

/// The relations that a view of all versions of an entity's objects reads.
package struct PastRelations {
    /// Where objects are found by their objectIDs: those that are there, and those that are gone.
    package struct Target {
        /// Queries of one table each, in parentheses, with `objectID` and what identifies the objects; or its table.
        package var relations: [String]
        /// The columns that are texts there, since their type has changed.
        package var texts: Set<FoldedName> = []

        package init(relations: [String], texts: Set<FoldedName> = []) {
            self.relations = relations
            self.texts = texts
        }
    }

    /// What the view is called.
    package var view: String
    /// The versions of the objects, in parentheses, with the columns of their table, and when each was true.
    package var versions: String
    /// By the name of a table: where its objects are found, and those that are gone.
    package var targets: [FoldedName: Target]

    package init(view: String, versions: String, targets: [FoldedName: Target]) {
        self.view = view
        self.versions = versions
        self.targets = targets
    }

    /// The columns of `versions` that say from which run on each was true, and which run ended it.
    package static let from = "sluice_from"
    package static let to = "sluice_to"

    /// The columns that say when each version was true.
    ///
    /// - Parameter isFree: whether a name is that of no other column, from now on.
    func columns(_ dialect: any Dialect, _ isFree: (String) -> Bool) -> [(name: String, value: String)] {
        let (from, to) = ("t.\(PastRelations.from)", "t.\(PastRelations.to)")
        let time = { (run: String) in
            "(SELECT r.finished FROM \(dialect.ownTable("sluice_run")) r WHERE r.run = \(run))"
        }
        return [("from_run", from), ("to_run", to), ("from_time", time(from)), ("to_time", time(to))].map {
            // Where users have such a name, it stays theirs.
            (isFree($0) ? $0 : "sluice_" + $0, $1)
        }
    }
}
