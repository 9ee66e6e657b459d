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

    /// What a source is called, and where it is.
    struct SourcePlace {
        var name: String
        var location: String
        /// Which file of the archive that is there.
        var member: String?
    }

    var text: String {
        let writers = entities.filter { !$0.isDropped }.map { entity in
            EntityWriter(entity, sources: feeds.count > 1 ? entity.place.feeds.map { sources[$0].name } : [])
        }
        var lines = ["// Drafted by sluice init. What comments tell was measured in the feed, \(measured)."]
        lines += remarks.flatMap(comment) + left + variables + (rejects?.sentences ?? []).flatMap(comment)
        if writers.contains(where: \.hasAbsent) {
            lines += comment(
                "What is absent in a later record stays in its object; \"onAbsent\": \"null\" in an attribute clears it."
            )
        }
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

    /// How much of the feeds was read.
    private var measured: String {
        let pages = feeds.count { $0.pages?.isPartial == true }
        return pages == 0 ? "all of it" : pages == feeds.count ? "one page of it" : "of some addresses one page"
    }

    private static let mostNamed = 20

    static func named(_ places: [[ShapeStep]], _ tree: ShapeTree) -> String {
        let shown = places.prefix(mostNamed).map { DraftPaths.top($0, in: tree) }
        let more = places.count > shown.count ? ["\(grouped(places.count - shown.count)) more"] : []
        return listed(shown + more)
    }

    /// What was not drafted, and what a run will not take.
    private var left: [String] {
        feeds.flatMap { feed -> [String] in
            var sentences: [String] = []
            let dropped = entities.filter { $0.place.feed == feed.index && $0.isLost }
            let left = LeftPlaces(feed, entities)
            for (places, what) in [(left.inNoEntity, "entity"), (left.inNoAttribute, "attribute")] where !places.isEmpty
            {
                sentences.append(
                    "Of \(feed.location), these are in no \(what): \(DraftWriter.named(places, feed.tree)).")
            }
            for entity in dropped where entity.isNameless {
                sentences.append(
                    "Of \(feed.location), \(grouped(entity.records)) objects at \(DraftPaths.text(entity.place.steps)) are in no"
                        + " entity: nothing identifies them.")
            }
            if feed.tree.isCut {
                sentences.append(
                    "\(feed.location) has more than \(grouped(ShapeTree.mostNodes)) different paths: what is at others was"
                        + " not looked at.")
            }
            if feed.isBroken {
                sentences.append(
                    "\(feed.location) has texts with half of a surrogate pair (\\ud83d): a record that has one where an"
                        + " attribute looks is a reject.")
            }
            sentences += ParallelLists.all(in: feed.tree).prefix(DraftWriter.mostNamed).map { lists in
                "\(listed(lists.names)) are lists of one length: what stands at one position in them belongs together, as it"
                    + " seems, which no definition says. A command makes records of them (init.md)."
            }
            sentences += table(of: feed) + pages(of: feed) + fails(of: feed)
            return sentences.flatMap(comment)
        }
    }

    /// What is known of the pages in which a service answers.
    private func pages(of feed: SurveyedFeed) -> [String] {
        guard let pages = feed.pages else {
            guard feed.isAnswer else { return [] }
            return [
                "Of \(feed.location), one answer was read, which names no next page today: if the service has pages, see"
                    + " \"pages\" of sources (services.md)."
            ]
        }
        let what = pages.isPartial ? "page" : "answer"
        let rest = pages.isPartial ? " No attribute is \"required\", as the records of other pages were not read." : ""
        return ["Of \(feed.location), one \(what) was read: \(pages.remark).\(rest)"]
    }

    /// How a run knows an answer that is an error, though it comes with status 200.
    private func fails(of feed: SurveyedFeed) -> [String] {
        guard feed.isAnswer, feed.tree[0].counts.objects > 0 else { return [] }
        guard let fails = feed.fails else {
            return [
                "Nothing in the answer of \(feed.location) says that all went well: where an answer with status 200 may be"
                    + " an error, see \"fails\" of sources (services.md)."
            ]
        }
        return [
            "In the answer of \(feed.location), \(fails.said): one that says something else fails a run (\"fails\")."
        ]
    }

    /// Where what --header says is to be found.
    private var variables: [String] {
        let variables = feeds.first(where: \.isWeb)?.bytes.archives.headers.variables ?? []
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
        if let pages = feeds[index].pages, !pages.members.isEmpty {
            members.append(("pages", JSONText.object(pages.members)))
        }
        if let fails = feeds[index].fails { members.append(("fails", fails.text)) }
        if let member = sources[index].member { members.append(("member", DraftText.quoted(member))) }
        if feeds[index].needsFormat { members.append(("format", "\"\(feeds[index].form.format.rawValue)\"")) }
        if let encoding = feeds[index].form.encoding { members.append(("encoding", "\"\(encoding)\"")) }
        if let delimiter = feeds[index].form.table.delimiter {
            members.append(("delimiter", DraftText.quoted(String(UnicodeScalar(delimiter)))))
        }
        let above = feeds[index].form.table.above
        if let above { members.append(("headerLine", String(above.line))) }
        if let names = feeds[index].form.table.names {
            if feeds[index].form.table.hasHeader, above == nil { members.append(("header", "true")) }
            members.append(("names", "[\(names.map(DraftText.quoted).joined(separator: ", "))]"))
        }
        if let row = feeds[index].form.skippedRow { members.append(("skip", DraftText.quoted(row))) }
        return JSONText.object(members)
    }
}

/// A sentence as comment lines.
func comment(_ sentence: String) -> [String] {
    sentence.printable.wrapped(112, first: "// ", rest: "// ").split(separator: "\n").map(String.init)
}
