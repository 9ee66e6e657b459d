import SluiceDefinition
import SluiceRecords

/// Writes what was found as a definition.
struct DraftWriter {
    let feeds: [SurveyedFeed]
    let entities: [DraftEntity]
    /// As the definition names them.
    let sources: [SourcePlace]
    let store: String
    /// What else is told.
    var remarks: [String] = []
    /// What a run rejects; nil: nobody has looked.
    var rejects: AllowedRejects?
    /// The address of the JSON Schema, for editors.
    var schema: String?

    var text: String {
        let writers = entities.filter { !$0.isDropped }.map { entity in
            EntityWriter(entity, sources: feeds.count > 1 ? entity.place.feeds.map { sources[$0].name } : [])
        }
        var lines = ["// Drafted by sluice init. What comments tell was measured in the feed, \(measured)."]
        lines += remarks.flatMap(comment) + left + variables + (rejects?.sentences ?? []).flatMap(comment)
        lines += (SQLWords(entities).sentences + DraftWriter.later).flatMap(comment)
        lines.append("{")
        if let schema { lines.append("  \"$schema\": \(DraftText.quoted(schema)),") }
        lines += sourceLines
        lines.append("  \"store\": { \"sqlite\": \(DraftText.quoted(store)) },")
        if let rejects, rejects.limit > 0 { lines.append("  \"limits\": { \"rejects\": \(rejects.limit) },") }
        lines.append("  \"entities\": {")
        for (index, writer) in writers.enumerated() {
            lines += writer.lines.map { "    " + $0 }
            if index < writers.count - 1 { lines[lines.count - 1] += "," }
        }
        return (lines + ["  }", "}"]).map { $0 + "\n" }.joined()
    }

    /// What later feeds do with the draft as it is. One feed tells what it has, and not what the next one must have: a
    /// night is not to fail for a field that one record of thousands leaves out.
    private static let later = [
        "What no comment calls null or absent is in all records; \"required\": true rejects later ones without it.",
        "What is absent in a later record stays in its object; \"onAbsent\": \"clear\" beside \"entities\" clears it.",
        "Objects that a later feed lacks stay; \"absent\": \"delete\" or \"mark\" in an entity lets them go (deletions.md).",
    ]

    /// How much of the feeds was read.
    private var measured: String {
        let pages = feeds.count { $0.service.pages?.isPartial == true }
        return pages == 0 ? "all of it" : pages == feeds.count ? "one page of it" : "of some addresses one page"
    }

    /// What was not drafted, and what a run will not take.
    private var left: [String] {
        feeds.flatMap { FeedRemarks($0, entities).sentences.flatMap(comment) }
    }

    /// Where what --header says is to be found.
    private var variables: [String] {
        let variables = feeds.first(where: \.isWeb)?.bytes.archives.headers.variables.map(\.name) ?? []
        if variables.isEmpty { return [] }
        return comment("What --header says is not written here: a run takes it from \(listed(variables)).")
    }

    private var sourceLines: [String] {
        if feeds.count == 1 { return ["  \"source\": \(source(0)),"] }
        return ["  \"sources\": {"]
            + feeds.indices.map { index in
                "    \(JSONText.quoted(sources[index].name)): \(source(index))" + (index < feeds.count - 1 ? "," : "")
            } + ["  },"]
    }

    /// A source, as a definition has it.
    func source(_ index: Int) -> String {
        let key = feeds[index].isWeb ? "url" : "file"
        var members = [(key, DraftText.quoted(sources[index].location))]
        if feeds[index].isWeb { members += feeds[index].bytes.archives.headers.members }
        if let pages = feeds[index].service.pages, !pages.members.isEmpty {
            members.append(("pages", JSONText.object(pages.members)))
        }
        if let fails = feeds[index].service.fails { members.append(("fails", fails.text)) }
        if let member = sources[index].member { members.append(("member", DraftText.quoted(member))) }
        if feeds[index].needsFormat { members.append(("format", "\"\(feeds[index].form.format.rawValue)\"")) }
        if let encoding = feeds[index].form.encoding { members.append(("encoding", "\"\(encoding)\"")) }
        if let delimiter = feeds[index].form.table.delimiter {
            members.append(("delimiter", DraftText.quoted(String(UnicodeScalar(delimiter)))))
        }
        let preamble = feeds[index].form.table.preamble
        if let preamble { members.append(("headerLine", String(preamble.line))) }
        if let names = feeds[index].form.table.names {
            if feeds[index].form.table.hasHeader, preamble == nil { members.append(("header", "true")) }
            members.append(("names", "[\(names.map(DraftText.quoted).joined(separator: ", "))]"))
        }
        let columns = titles(of: index)
        if !columns.isEmpty { members.append(("columns", "{ \(columns.map(\.text).joined(separator: ", ")) }")) }
        if let row = feeds[index].form.skippedRow { members.append(("skip", DraftText.quoted(row))) }
        return JSONText.object(members)
    }

    /// What a feed says of the positions of its records.
    private func titles(of feed: Int) -> [ListTitles] {
        guard feeds[feed].form.format == .json else { return [] }
        var found: [ListTitles] = []
        for entity in entities where !entity.isDropped && entity.place.feeds.contains(feed) {
            guard let titles = entity.titles, !found.contains(where: { $0.path == titles.path }) else { continue }
            found.append(titles)
        }
        return found
    }
}

/// A sentence as comment lines.
func comment(_ sentence: String) -> [String] {
    sentence.printable.wrapped(112, first: "// ", rest: "// ").split(separator: "\n").map(String.init)
}
