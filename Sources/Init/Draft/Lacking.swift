import SluiceDefinition
import SluiceRecords

/// What a definition lacks of what feeds hold.
struct Lacking {
    let definition: PipelineDefinition
    let survey: FeedSurvey
    /// As the user named them.
    let locations: [String]

    /// As a part of a definition, for its author to put in; nil: it lacks nothing.
    var text: String? {
        let model = definition.model
        let drafts = survey.entities.filter { !$0.isDropped }
        let pairs = drafts.map { draft in (draft, model.entities.first { isSame($0, draft) }) }
        // References lead to what the definition calls its entities.
        for (draft, entity) in pairs { if let entity { draft.name = entity.name } }
        // What is new is called otherwise than what is there.
        for (draft, entity) in pairs where entity == nil {
            var (name, number) = (draft.name, 2)
            while isTaken(name, pairs.filter { $0.0 !== draft }.map(\.0)) {
                name = draft.name + String(number)
                number += 1
            }
            draft.name = name
        }
        let parts = pairs.compactMap { draft, entity -> [String]? in
            let sources = definition.sources.count > 1 ? draft.place.feeds.map { source(of: $0)?.name ?? "?" } : []
            let writer = EntityWriter(draft, sources: sources)
            guard let entity else { return writer.lines }
            let lines = writer.lines(lackingIn: Set(entity.slots.map(\.path)), ignoring: entity.ignored)
            return lines.isEmpty ? nil : lines
        }
        guard !parts.isEmpty else { return nil }
        var lines = ["// What \(definition.file.printable) lacks of these feeds; it has all that is not here.", "{"]
        lines.append("  \"entities\": {")
        for (index, part) in parts.enumerated() {
            var part = part
            if index < parts.count - 1 { part[part.count - 1] += "," }
            lines += part.map { "    " + $0 }
        }
        return (lines + ["  }", "}"]).map { $0 + "\n" }.joined()
    }

    private func isTaken(_ name: String, _ others: [DraftEntity]) -> Bool {
        definition.model.entities.contains { $0.name.isIdentical(to: name) }
            || others.contains { $0.name.isIdentical(to: name) }
    }

    /// Whether both take the same records.
    private func isSame(_ entity: Entity, _ draft: DraftEntity) -> Bool {
        guard let index = sourceIndex(of: draft.place.feed), entity.sources.contains(index) else { return false }
        // As paths, and not as texts: `.*` and `[*]` are one step.
        let paths = DraftPaths.records(of: draft).compactMap { try? Path.parse($0) }
        guard entity.records.contains(where: paths.contains) else { return false }
        guard let kind = draft.place.kind else { return true }
        return entity.conditions.compactMap(\.equality).contains { condition in
            entity.slots[condition.slot].path.description == DraftPaths.member(kind.member)
                && condition.values.contains(.text(kind.value))
        }
    }

    private func source(of feed: Int) -> Source? { sourceIndex(of: feed).map { definition.sources[$0] } }

    /// The source that a feed is of: the one with a file of that name, or the only one.
    private func sourceIndex(of feed: Int) -> Int? {
        if definition.sources.count == 1 { return 0 }
        return sourceIndex(of: feed, by: Names.file) ?? sourceIndex(of: feed, by: Names.ownFile)
    }

    private func sourceIndex(of feed: Int, by called: (String) -> String) -> Int? {
        let name = called(locations[feed])
        return definition.sources.firstIndex { source in
            guard case .file(let path) = source.location else { return false }
            return called(path) == name
        }
    }
}
