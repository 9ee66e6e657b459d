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
        let parts = parts(pairs)
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

    /// The entities that are new, and of each other one what it lacks, be it in several places of the draft.
    private func parts(_ pairs: [(DraftEntity, Entity?)]) -> [[String]] {
        var gaps: [(name: String, writer: EntityWriter, gap: EntityWriter.Gap?)] = []
        for (draft, entity) in pairs {
            guard let entity else {
                gaps.append((draft.name, writer(of: draft), nil))
                continue
            }
            let place = gaps.firstIndex { $0.gap != nil && $0.name.isIdentical(to: entity.name) }
            let found = place.flatMap { gaps[$0].gap } ?? EntityWriter.Gap()
            let (own, more) = gap(of: draft, in: entity, beside: found, pairs)
            if let place {
                gaps[place].gap = found + more
            } else {
                gaps.append((entity.name, own, more))
            }
        }
        return gaps.compactMap { _, writer, gap in
            guard let gap else { return writer.lines }
            return gap.isEmpty ? nil : writer.lines(of: gap)
        }
    }

    private func writer(of draft: DraftEntity, beside names: [String] = []) -> EntityWriter {
        let isOfOne = definition.sources.count == 1 && added.isEmpty
        let sources = isOfOne ? [] : draft.place.feeds.map { source(of: $0)?.name ?? added[$0] ?? "?" }
        return EntityWriter(draft, sources: sources, beside: names)
    }

    /// What an entity of the definition lacks of one of the draft.
    ///
    /// - Parameter found: what it lacks of others.
    private func gap(
        of draft: DraftEntity, in entity: Entity, beside found: EntityWriter.Gap, _ pairs: [(DraftEntity, Entity?)]
    ) -> (EntityWriter, EntityWriter.Gap) {
        var (used, ignored) = (KnownPaths(entity.records), KnownPaths(entity.records))
        // What another entity takes from around its records, or of the same ones, the definition has.
        for other in definition.model.entities where !Set(other.sources).isDisjoint(with: entity.sources) {
            var paths = KnownPaths(other.records)
            for slot in other.slots { for path in [slot.path, slot.otherPath].compactMap(\.self) { paths.add(path) } }
            used.add(paths)
        }
        for path in found.paths { used.add(path) }
        for path in entity.ignored { ignored.add(path) }
        let narrow = narrow(draft, entity, pairs)
        let kept = entity.relationships.filter { relationship in !isOf(relationship, entity, narrow) }
        let writer = writer(of: draft, beside: entity.attributes.map(\.name) + kept.map(\.name) + found.names)
        return (writer, writer.gap(where: { used.contains($0) || ignored.contain(inner: $0) }, narrow: narrow))
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
