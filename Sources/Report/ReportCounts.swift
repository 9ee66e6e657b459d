import SluiceRecords

// The counts of entities and relationships by the names that reports, metrics and their readers have for them.

/// A count, and what reports call it.
package typealias NamedCount<Counts> = (name: String, path: WritableKeyPath<Counts, Int> & Sendable)

/// A count of an entity as people see it: a column of the text's table, a part of the page's bar.
struct ShownCount {
    /// Of the column.
    var title: String
    /// Behind the number.
    var words: String
    /// Its colour; nil: it has none.
    var style: String?
    /// Whether objects are counted, and no records: then the bar has no part for it.
    var isOfObjects = false
    /// Whether the table has it where it says nothing of any entity, too.
    var always = false
    var count: (RunReport.EntityFacts) -> Int
}

extension RunReport {
    /// What is counted of entities, but the records.
    var shownCounts: [ShownCount] {
        func verb(_ verb: String, _ isUndone: Bool) -> (title: String, words: String) {
            isUndone ? ("To \(verb)", "to \(verb)") : ("\(verb.prefix(1).uppercased())\(verb.dropFirst())d", "\(verb)d")
        }
        let (create, update) = (verb("create", isUndone), verb("update", isUndone))
        return [
            ShownCount(title: create.title, words: create.words, style: "created", always: true) { $0.counts.created },
            ShownCount(title: update.title, words: update.words, style: "updated", always: true) { $0.counts.updated },
            ShownCount(title: "Unchanged", words: "unchanged", style: "unchanged", always: true) {
                $0.counts.unchanged
            },
            ShownCount(title: "Rejected", words: "rejected", style: "rejected", always: true) { $0.counts.rejected },
            ShownCount(title: "Skipped", words: "skipped", style: "skipped") { $0.counts.skipped },
            ShownCount(title: "Identical", words: "identical duplicates", style: "duplicate") { $0.counts.identical },
            ShownCount(title: "Conflicting", words: "conflicting duplicates", style: "conflict") {
                $0.counts.conflicting
            },
        ] + objectCounts
    }

    /// What is counted of objects.
    private var objectCounts: [ShownCount] {
        let isKept = deletesNothing
        return [
            ShownCount(
                title: isKept ? "To delete" : "Deleted", words: isKept ? "to delete" : "deleted", isOfObjects: true
            ) {
                $0.marks ? 0 : $0.counts.deleted
            },
            ShownCount(
                title: isKept ? "To mark" : "Marked", words: isKept ? "to mark as deleted" : "marked as deleted",
                isOfObjects: true
            ) { $0.marks ? $0.counts.deleted : 0 },
            ShownCount(title: "Absent, kept", words: "absent, kept", isOfObjects: true) { $0.counts.keptAbsent },
            ShownCount(title: "Stubs", words: "stubs", isOfObjects: true) { $0.counts.stubs },
            ShownCount(
                title: isUndone ? "Stubs to change" : "Changed stubs",
                words: isUndone ? "stubs to change" : "changed stubs", isOfObjects: true
            ) { $0.counts.changedStubs },
            ShownCount(title: "Conflicts", words: "conflicts with edits", style: "edited", isOfObjects: true) {
                $0.counts.conflicts
            },
        ]
    }
}

extension EntityCounts {
    /// As JSON has them in an entity.
    static let reported: [NamedCount<EntityCounts>] = [
        ("records", \.records), ("created", \.created), ("updated", \.updated), ("unchanged", \.unchanged),
        ("rejected", \.rejected), ("skipped", \.skipped), ("deleted", \.deleted), ("keptAbsent", \.keptAbsent),
        ("stubs", \.stubs), ("changedStubs", \.changedStubs), ("conflicts", \.conflicts),
    ]

    /// What a run has changed in the store, and undoes where it fails.
    static let changes: [NamedCount<EntityCounts>] = [
        ("created", \.created), ("updated", \.updated), ("deleted", \.deleted), ("stubs", \.stubs),
        ("changedStubs", \.changedStubs),
    ]

    /// As JSON has them in `duplicates`.
    static let duplicates: [NamedCount<EntityCounts>] = [("identical", \.identical), ("conflicting", \.conflicting)]
}

extension RelationshipCounts {
    /// What becomes of references.
    package static let reported: [NamedCount<RelationshipCounts>] = [
        ("resolved", \.resolved), ("unresolved", \.unresolved), ("null", \.null), ("late", \.late),
    ]
}
