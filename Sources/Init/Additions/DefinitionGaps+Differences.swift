import SluiceDefinition
import SluiceExtract
import SluiceRecords

// What a draft of the feeds would have or say besides, where no part of a definition shows it.
extension DefinitionGaps {
    /// Sentences for the user. They are to be asked for before entities of the draft take the names of the definition.
    var differences: [String] {
        survey.feeds.flatMap { feed -> [String] in
            guard let source = source(of: feed.index) else { return [] }
            return [formDifference(feed, source), unusedPlaces(of: feed)].compactMap { $0 }
        } + survey.entities.compactMap(condition) + survey.entities.flatMap(references)
    }

    /// References to new entities by what the definition has as an attribute.
    private func references(_ draft: DraftEntity) -> [String] {
        guard !draft.isDropped, let entity = definition.model.entities.first(where: { isSame($0, draft) }) else {
            return []
        }
        var used = KnownPaths(entity.records)
        for slot in entity.slots { used.add(slot.path) }
        return draft.relationships.compactMap { relationship in
            guard case .column = relationship.basis, let column = relationship.column, column.cut == nil,
                relationship.by == nil, relationship.separator == nil, relationship.targets.count == 1,
                let target = relationship.targets.first,
                !definition.model.entities.contains(where: { isSame($0, target) }),
                let path = try? Path.parse(DraftPaths.own(column)), used.contains(path)
            else { return nil }
            let members = [("to", quoted(target.name)), ("from", DraftText.quoted(DraftPaths.own(column)))]
            let many = relationship.isMany ? [("many", "true")] : []
            return "\(quoted(column.ownName)) of \(quoted(entity.name)) of \(definition.file.printable) leads to the"
                + " new entity \(quoted(target.name)), \(relationship.remark): a draft has \(JSONText.object(members + many))"
        }
    }

    /// How a feed is written otherwise than its source says; nil: it is not.
    private func formDifference(_ feed: SurveyedFeed, _ source: Source) -> String? {
        let own = FormKey.of(feed.form.options, feed.form.encoding)
        let other = FormKey.of(source.options(of: feed), source.encoding)
        // Whoever names the columns may pass over the header as well.
        let isNamed = source.table.names != nil
        let unlike = zip(own, other).filter { $0.text != $1.text && !(isNamed && $0.isOfColumns) }.map(\.0)
        guard !unlike.isEmpty else { return nil }
        let keys = unlike.map { "\(quoted($0.name)): \($0.text)" }
        return "\(feed.location.printable) is written otherwise than the source \(quoted(source.name)) says:"
            + " \(listed(keys))"
    }

    /// What neither the definition nor a draft takes of a feed; nil: nothing.
    private func unusedPlaces(of feed: SurveyedFeed) -> String? {
        let used = definition.model.entities.reduce(into: Set<Path>()) { all, entity in
            var known = KnownPaths(entity.records)
            for path in entity.slots.map(\.path) + entity.ignored + entity.records { known.add(path) }
            all.formUnion(known.all)
        }
        let unused = UnusedPlaces(feed, survey.entities)
        let places = (unused.inNoEntity + unused.inNoAttribute).filter { steps in
            (try? Path.parse(DraftPaths.text(steps))).map { !used.contains($0) } ?? true
        }
        if places.isEmpty { return nil }
        return "of \(feed.location.printable), these are in no entity, of a draft neither:"
            + " \(FeedRemarks.named(places, feed.tree))"
    }

    /// What tells records from what is none, where the definition says nothing of the kind; nil: it does, or need not.
    private func condition(_ draft: DraftEntity) -> String? {
        guard !draft.isDropped, let entity = definition.model.entities.first(where: { isSame($0, draft) }),
            entity.conditions.count == (draft.place.kind == nil ? 0 : 1)
        else { return nil }
        let conditions = EntityConditions(draft).ofRecords
        if conditions.isEmpty { return nil }
        return "\(quoted(entity.name)) of \(definition.file.printable) has no \"where\" for what is no record among its"
            + " records: a draft has \(JSONText.object(conditions))"
    }
}

/// A key of a source that says how its feed is written, with its value as JSON.
private struct FormKey {
    let name: String
    let text: String
    /// Whether it is about what the columns are called, and where the records begin.
    var isOfColumns: Bool { ["header", "names", "skip"].contains(name) }

    static func of(_ options: FeedOptions, _ encoding: String?) -> [FormKey] {
        let table = options.format.isTable ? options.table : TableForm()
        let names = table.names.map { "[\($0.map(DraftText.quoted).joined(separator: ", "))]" } ?? "null"
        return [
            FormKey(name: "format", text: DraftText.quoted(options.format.rawValue)),
            FormKey(name: "encoding", text: encoding.map { DraftText.quoted($0.lowercased()) } ?? "null"),
            FormKey(
                name: "delimiter",
                text: options.format.isTable ? DraftText.quoted(String(UnicodeScalar(table.delimiter))) : "null"),
            FormKey(name: "headerLine", text: table.headerLine.map { $0 == 1 ? "null" : String($0) } ?? "null"),
            FormKey(name: "skip", text: table.skip.text),
            FormKey(name: "header", text: String(table.hasHeader)),
            FormKey(name: "names", text: names),
        ]
    }
}

extension TableForm.Skipped {
    /// As a definition has it.
    fileprivate var text: String {
        switch self {
        case .count(let count): String(count)
        case .written(let rows):
            rows.count == 1
                ? DraftText.quoted(rows[0]) : "[\(rows.map(DraftText.quoted).joined(separator: ", "))]"
        }
    }
}

extension Source {
    /// How it has a feed read that is one of its own.
    fileprivate func options(of feed: SurveyedFeed) -> FeedOptions {
        var options = FeedOptions()
        options.format = format ?? Format(fileName: feed.location)
        options.table = table
        options.table.delimiter = delimiter ?? UInt8(ascii: options.format == .tsv ? "\t" : ",")
        return options
    }
}
