import SluiceRecords

/// What a view reads that shows all that the objects of an entity have been.
package struct PastRelations {
    /// What the view is called.
    package var view: String
    /// The versions of the objects, in parentheses, with the columns of their table, and when each was true.
    package var versions: String
    /// By the name of a table: what identified its objects that are gone, with `objectID`: queries of one table each, in
    /// parentheses.
    package var gone: [FoldedName: [String]]

    package init(view: String, versions: String, gone: [FoldedName: [String]]) {
        self.view = view
        self.versions = versions
        self.gone = gone
    }

    /// The columns of `versions` that say from which run on each was true, and which run ended it.
    package static let from = "sluice_from"
    package static let to = "sluice_to"

    /// The columns that say when each version was true.
    ///
    /// - Parameter isFree: whether a name is that of no other column, from now on.
    func columns(_ isFree: (String) -> Bool) -> [(name: String, value: String)] {
        let (from, to) = ("t.\(PastRelations.from)", "t.\(PastRelations.to)")
        let time = { (run: String) in "(SELECT r.finished FROM sluice_run r WHERE r.run = \(run))" }
        return [("from_run", from), ("to_run", to), ("from_time", time(from)), ("to_time", time(to))].map {
            // Names of users are theirs.
            (isFree($0) ? $0 : "sluice_" + $0, $1)
        }
    }
}
