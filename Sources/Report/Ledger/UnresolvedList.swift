import SluiceDefinition
import SluiceLoad
import SluiceRecords

/// The references of a store that wait for their targets.
package struct UnresolvedList {
    private let ledger: any StoreLedger
    private let definition: PipelineDefinition
    private let filter: UnresolvedFilter

    /// - Parameters:
    ///   - store: another store than the definition's.
    ///   - filter: which references; its names are of the definition.
    /// - Throws: `missing` where there is no store.
    package init(
        _ definition: PipelineDefinition, store: String? = nil, filter: UnresolvedFilter = UnresolvedFilter()
    ) throws(Failure) {
        self.definition = definition
        self.filter = filter
        ledger = try definition.location(instead: store).ledger()
    }

    /// What waits, as a list, what waits longest first.
    ///
    /// - Parameter most: how many are shown; the others are counted.
    package func text(rows most: Int, width: Int) throws(Failure) -> String {
        let header = ["Run", "Since (UTC)", "Object", "Relationship", "Refers to", "At"]
        var table = TextTable(header: header, alignments: [.right, .left], width: width)
        table.isList = true
        try ledger.unresolved(in: definition.model, filter, most: most) { table.rows.append(cells($0)) }
        if table.rows.isEmpty { return "Nothing waits.\n" }
        let count = table.rows.count < most ? 0 : try ledger.unresolvedCount(in: definition.model, filter)
        return table.text + (count > most ? "… and \(grouped(count - most)) more\n" : "")
    }

    private func cells(_ row: UnresolvedRow) -> [String] {
        let feeds = feeds(row)
        let place = row.at.map { isKnown($0, feeds) ? $0.text(feeds) : "line \($0.line)" }
        return [
            String(row.run), row.since.map { Timestamp.minutes(of: $0).printable } ?? "",
            "\(row.entity) \(row.identifier)".printable,
            row.relationship.printable, "\(row.targets.joined(separator: " or ")) \(row.value)".printable,
            (place ?? "").printable,
        ]
    }

    /// What waits, a line of JSON each, what waits longest first.
    package func json(rows most: Int?, write: (String) throws(Failure) -> Void) throws(Failure) {
        try ledger.unresolved(in: definition.model, filter, most: most) { row throws(Failure) in
            try write(json(of: row) + "\n")
        }
    }

    /// The targets that references wait for, as a list, those that most wait for first.
    ///
    /// - Parameter most: how many are shown; the others are counted.
    package func targetText(rows most: Int, width: Int) throws(Failure) -> String {
        let header = ["References", "Relationship", "Refer to", "Since run"]
        var table = TextTable(header: header, alignments: [.right, .left, .left, .right], width: width)
        table.isList = true
        var count = 0
        try ledger.missingTargets(in: definition.model, filter) { target in
            count += 1
            if count <= most {
                table.rows.append([
                    grouped(target.references), "\(target.entity).\(target.relationship)".printable,
                    "\(target.targets.joined(separator: " or ")) \(target.value)".printable, String(target.run),
                ])
            }
            return true
        }
        guard count > 0 else { return "Nothing waits.\n" }
        return table.text + (count > most ? "… and \(grouped(count - most)) more\n" : "")
    }

    /// The targets that references wait for, a line of JSON each, those that most wait for first.
    package func targetJSON(rows most: Int?, write: (String) throws(Failure) -> Void) throws(Failure) {
        var count = 0
        try ledger.missingTargets(in: definition.model, filter) { target throws(Failure) in
            let line = JSONText.object([
                ("entity", JSONText.quoted(target.entity)), ("relationship", JSONText.quoted(target.relationship)),
                ("to", JSONText.array(target.targets.map(JSONText.quoted))), ("value", target.value),
                ("references", String(target.references)), ("run", String(target.run)),
            ])
            try write(line + "\n")
            count += 1
            return count < most ?? .max
        }
    }

    private func json(of row: UnresolvedRow) -> String {
        let feeds = feeds(row)
        let place = row.at.flatMap { isKnown($0, feeds) ? $0.json(feeds) : nil }
        return JSONText.object([
            ("entity", JSONText.quoted(row.entity)), ("identifier", JSONText.shown(row.identifier)),
            ("relationship", JSONText.quoted(row.relationship)),
            ("to", JSONText.array(row.targets.map(JSONText.quoted))), ("value", JSONText.shown(row.value)),
            ("run", String(row.run)),
            ("since", row.since.map(JSONText.quoted) ?? "null"), ("at", place ?? "null"),
        ])
    }

    /// The sources of the run that found it; of one that the ledger has forgotten, those of the definition.
    private func feeds(_ row: UnresolvedRow) -> [Feed] {
        if let sources = row.sources.flatMap(LedgerSources.init(json:)) {
            return sources.sources.map(\.feed)
        }
        return definition.sources.map { Feed(source: $0.name, location: $0.name, files: [$0.name]) }
    }

    private func isKnown(_ at: FeedPosition, _ feeds: [Feed]) -> Bool {
        guard feeds.indices.contains(at.position.source) else { return false }
        let feed = feeds[at.position.source]
        return feed.isPaged || feed.files.indices.contains(at.position.file)
    }
}
