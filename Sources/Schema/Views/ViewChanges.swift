import SluiceRecords

/// The views that sluice has made in a store, and those that there are to be.
package struct ViewChanges {
    /// The names of those that sluice has made.
    package private(set) var before: [String] = []
    package private(set) var after: [String] = []
    package private(set) var contradictions: [SchemaContradiction] = []

    /// - Parameters:
    ///   - described: what all pipelines have said, under the names from now on.
    ///   - descriptions: what they say from now on.
    ///   - past: of which tables there are to be views of the past.
    init(
        before described: [EntityDescription], after descriptions: [EntityDescription], past: [String],
        _ catalog: any StoreCatalog, _ renaming: Renaming
    ) throws(Failure) {
        before = ViewChanges.names(described) { renaming.nameBefore(table: $0) }
        let marked = try catalog.markedViews()
        before += marked.filter { name in !before.contains { $0.isIdentical(to: name) } }
        after = ViewChanges.names(descriptions) { $0 }
        for name in added { try refuseTaken(name, catalog, "views") }
        let made = past.isEmpty ? [] : try catalog.pastViews().map { FoldedName($0) }
        for name in past.map(Entity.pastView) where !made.contains(FoldedName(name)) {
            try refuseTaken(name, catalog, "history")
        }
    }

    /// The names of those that sluice has not made yet.
    package var added: [String] { ViewChanges.difference(after, before) }

    /// The names of those that no pipeline wants any more.
    package var removed: [String] { ViewChanges.difference(before, after) }

    private static func difference(_ names: [String], _ others: [String]) -> [String] {
        let others = Set(others.map(FoldedName.init))
        return names.filter { !others.contains(FoldedName($0)) }
    }

    /// The names of views, each once.
    private static func names(_ descriptions: [EntityDescription], _ name: (String) -> String) -> [String] {
        var seen: Set<FoldedName> = []
        return descriptions.filter(\.isViewed).map { Entity.view(of: name($0.table)) }
            .filter { seen.insert(FoldedName($0)).inserted }
    }

    /// Refuses to make a view where something else has its name.
    private mutating func refuseTaken(
        _ name: String, _ catalog: any StoreCatalog, _ key: String
    ) throws(Failure) {
        guard let type = try catalog.kind(of: name) else { return }
        contradictions.append(
            SchemaContradiction(
                message:
                    "the store \(catalog.name) has a \(type) named \(name), which sluice has not made, and"
                    + " \(quoted(key)) needs the name",
                keys: [key]))
    }
}
