import SluiceDefinition
import SluiceRecords

/// What a definition lacks of what feeds hold.
struct DefinitionGaps {
    let definition: PipelineDefinition
    let survey: FeedSurvey
    /// As the user named them.
    let locations: [String]
    /// What writes a source, and as the draft calls them.
    let writer: DraftWriter

    /// What is told of the feeds that the definition reads already.
    var known: [String] {
        locations.compactMap { location in
            let own = definition.sources.first { KnownLocation.isOf($0, location) }
            return own.map {
                "\(location.printable) is the source \(quoted($0.name)) of \(definition.file.printable) already"
            }
        }
    }

    /// As a part of a definition, for its author to put in; nil: it lacks nothing.
    var text: String? {
        let (model, added) = (definition.model, added)
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
            let isOfOne = definition.sources.count == 1 && added.isEmpty
            let sources = isOfOne ? [] : draft.place.feeds.map { source(of: $0)?.name ?? added[$0] ?? "?" }
            let writer = EntityWriter(draft, sources: sources)
            guard let entity else { return writer.lines }
            let lines = writer.lines(
                lackingIn: Set(entity.slots.map(\.path)), ignoring: entity.ignored, narrow: narrow(draft, entity, pairs)
            )
            return lines.isEmpty ? nil : lines
        }
        guard !parts.isEmpty else { return nil }
        var lines = comment(
            "What \(definition.file.printable) lacks of these feeds, by its paths; types, identifiers and keys of what it"
                + " has were not compared.")
        lines += sourceLines(added)
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
    func isSame(_ entity: Entity, _ draft: DraftEntity) -> Bool {
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

    // MARK: Sources

    /// By feed that is none of its sources: what that is to be called.
    private var added: [Int: String] {
        var taken = Set(definition.sources.map { ExactText($0.name) })
        var added: [Int: String] = [:]
        for index in locations.indices where sourceIndex(of: index) == nil {
            let base = writer.sources[index].name
            var (name, number) = (base, 2)
            while !taken.insert(ExactText(name)).inserted { (name, number) = ("\(base)\(number)", number + 1) }
            added[index] = name
        }
        return added
    }

    /// The beginning of the part, with the sources that the definition does not have.
    private func sourceLines(_ added: [Int: String]) -> [String] {
        let indices = added.keys.sorted()
        if indices.isEmpty { return ["{"] }
        let names = listed(indices.map { locations[$0] })
        let one = definition.sources.count == 1 ? " (a \"source\" alone is \"sources\": { \"main\": … })" : ""
        let are = indices.count == 1 ? "is no source" : "are no sources"
        let lines = indices.map { "    \(JSONText.quoted(added[$0] ?? "")): \(writer.source($0))" }
        return comment("\(names) \(are) of it yet: what is in \"sources\" here is to be put beside the others\(one).")
            + ["{", "  \"sources\": {"] + lines.dropLast().map { $0 + "," } + lines.suffix(1) + ["  },"]
    }

    func source(of feed: Int) -> Source? { sourceIndex(of: feed).map { definition.sources[$0] } }

    /// The source that a feed is of: the one that reads it, or that has a file of its name; or the only one, where it
    /// has such records. Nil: it is of none.
    private func sourceIndex(of feed: Int) -> Int? {
        let location = locations[feed]
        if let exact = definition.sources.firstIndex(where: { KnownLocation.isOf($0, location) }) { return exact }
        // Several sources may differ by their parameters alone.
        let near = definition.sources.indices.filter { KnownLocation.isOfService(definition.sources[$0], location) }
        if near.count == 1 { return near[0] }
        if definition.sources.count == 1 { return hasRecords(of: 0, in: feed) ? 0 : nil }
        return sourceIndex(of: feed, by: Names.file) ?? sourceIndex(of: feed, by: Names.ownFile)
    }

    /// Whether a feed has records where entities of a source have them: it is another night of that source.
    private func hasRecords(of source: Int, in feed: Int) -> Bool {
        let drafts = survey.entities.filter { !$0.isDropped && $0.place.feeds.contains(feed) }
        let paths = Set(drafts.flatMap(DraftPaths.records).compactMap { try? Path.parse($0) })
        return definition.model.entities.contains { $0.sources.contains(source) && !paths.isDisjoint(with: $0.records) }
    }

    private func sourceIndex(of feed: Int, by called: (String) -> String) -> Int? {
        let name = called(locations[feed])
        return definition.sources.firstIndex { source in
            guard case .file(let path) = source.location else { return false }
            return called(path) == name
        }
    }
}
