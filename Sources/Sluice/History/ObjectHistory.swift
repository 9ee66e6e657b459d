import SluiceDefinition
import SluiceLoad
import SluiceRecords
import SluiceReport
import SluiceSchema
import SluiceStores

/// All versions of an object of a store, for people and programs.
package struct ObjectHistory {
    private let entity: String
    /// JSON.
    private let identifier: String
    private let names: [String]
    /// The newest first.
    private let versions: [PastVersion]
    private let runs: PastRuns
    private let shown: PastValueText
    /// The only attribute or relationship that is shown; nil: all.
    private let only: String?
    /// The run of which it is shown what the object was then; nil: all versions are.
    private let asOf: Int?

    /// - Parameters:
    ///   - store: another store than the definition's.
    ///   - identifier: as the store has it; of several attributes, a JSON list.
    ///   - only: an attribute or a relationship; nil: all.
    ///   - moment: when the object was what is shown; nil: all that it has been.
    /// - Throws: `missing` where there is no store, no such attribute, or nothing was ever called so; `definition`
    ///   where the store keeps no history of the entity.
    package init(
        _ definition: PipelineDefinition, store: String? = nil, entity: String, identifier: String, only: String? = nil,
        at moment: StoreDifferences.Moment? = nil
    ) throws(Failure) {
        let location = try definition.location(instead: store)
        let past = try location.past()
        self.entity = entity
        shown = PastValueText(definition)
        let found = try past.versions(of: entity, identifier)
        guard !found.versions.isEmpty else {
            throw Failure.unknownObject(identifier, of: entity, location.description)
        }
        self.identifier = found.identifier
        names = found.names
        let run = try moment.map { moment throws(Failure) in try moment.anyRun(past) }
        if let run { try past.refuse(run, of: entity) }
        asOf = run
        versions = found.versions.reversed().filter { version in run.map(version.isTrue(after:)) ?? true }
        self.only = only.map { definition.storedName($0, of: entity) }
        if let only = self.only, !names.containsExactly(only) {
            throw Failure(
                .missing, "\(entity) has no \(only) in the store \(location); it has \(names.joined(separator: ", "))")
        }
        let ends = found.versions.flatMap { [$0.from] + ($0.to.map { [$0] } ?? []) }
        runs = try PastRuns(Set(ends), location.ledger())
    }

    // MARK: What has changed

    /// What became of the object in a run.
    private enum Event {
        /// It was so then, and had been since the run.
        case held
        case made
        case changed([Int])
        case gone
    }

    /// The events of the object, the newest first, each with the version that begins with it; a deletion has the
    /// version before it.
    private var events: [(event: Event, run: Int, version: PastVersion, before: PastVersion?)] {
        if asOf != nil { return versions.map { (.held, $0.from, $0, nil) } }
        var events: [(event: Event, run: Int, version: PastVersion, before: PastVersion?)] = []
        for (place, version) in versions.enumerated() {
            let next = place > 0 ? versions[place - 1] : nil
            if let to = version.to, next?.from != to { events.append((.gone, to, version, version)) }
            let before = place + 1 < versions.count ? versions[place + 1] : nil
            if let before, before.to == version.from {
                let changed = names.indices.filter { !version.values[$0].isIdentical(to: before.values[$0]) }
                events.append((.changed(changed), version.from, version, before))
            } else {
                events.append((.made, version.from, version, nil))
            }
        }
        return events
    }

    /// What links have of their own is shown with their relationship.
    private func isShown(_ index: Int) -> Bool {
        guard let only else { return true }
        return names[index].isIdentical(to: only) || names[index].utf8.starts(with: "\(only).".utf8)
    }

    // MARK: Text

    /// What has changed in which run, as a table, the newest first. Values that are too long for the width are cut.
    package func text(width: Int) -> String {
        if let asOf, versions.isEmpty {
            return "\(entity.printable) \(JSONText.shown(identifier)) was not there when run \(asOf) had ended.\n"
        }
        let header = ["Run", "When (UTC)", "What", "Was", "Is"]
        let rows = rows
        let table = { (header: [String], rows: [[String]]) in
            TextTable(header: header, rows: rows, alignments: [.right, .left], width: width)
        }
        let full = table(header + ["At"], rows.map { $0.cells + [$0.place] })
        let narrow = table(header, rows.map(\.cells))
        if full.isWhole { return full.text }
        // Where places make it too wide, they stand below what has changed.
        if narrow.isWhole { return withPlaces(narrow.text, rows) }
        return withPlaces(table(header, CutChanges(header, rows.map(\.cells), width: width).cells).text, rows)
    }

    /// - Parameter rows: those of the lines after the first one.
    private func withPlaces(_ text: String, _ rows: [(cells: [String], place: String)]) -> String {
        let lines = text.split(separator: "\n")
        // Below the third column.
        let indent = lines[0].split(separator: "What", maxSplits: 1)[0].count
        var (text, place) = (lines[0] + "\n", "")
        func end() { if !place.isEmpty { text += String(repeating: " ", count: indent) + "at \(place)\n" } }
        for (line, row) in zip(lines.dropFirst(), rows) {
            // The first line of a run.
            if !row.cells[0].isEmpty {
                end()
                place = row.place
            }
            text += line + "\n"
        }
        end()
        return String(text)
    }

    /// The lines of the table, and where the record stood that has made what the first line of each run says.
    private var rows: [(cells: [String], place: String)] {
        events.flatMap { event, run, version, before in
            let at = run == version.from ? version.at.map { runs.text(run, $0) } : nil
            let time = runs.time(run).map { Timestamp.minutes(of: $0).printable } ?? ""
            return lines(event, version, before).enumerated().map { place, line in
                place == 0 ? ([String(run), time] + line, at ?? "") : (["", ""] + line, "")
            }
        }
    }

    private func lines(_ event: Event, _ version: PastVersion, _ before: PastVersion?) -> [[String]] {
        switch event {
        case .gone: return [["deleted", "", ""]]
        case .made:
            let event = version.isMade ? "created" : version.isForgotten ? "forgotten before" : "was there"
            return [[event, "", ""]] + givenValues(version)
        case .held: return [["so since", "", ""]] + givenValues(version)
        case .changed(let columns):
            return columns.filter(isShown).map { column in
                [names[column].printable, before.map { value($0, column) } ?? "", value(version, column)]
            }
        }
    }

    private func givenValues(_ version: PastVersion) -> [[String]] {
        names.indices.filter { isShown($0) && version.values[$0] != "null" && version.values[$0] != "[]" }
            .map { [names[$0].printable, "", value(version, $0)] }
    }

    private func value(_ version: PastVersion, _ index: Int) -> String {
        shown.text(version.values[index], names[index], of: entity)
    }

    // MARK: JSON

    /// The versions, a line of JSON each, the newest first.
    package var json: String {
        versions.enumerated().map { place, version in
            let before = place + 1 < versions.count ? versions[place + 1] : nil
            let follows = before?.to == version.from
            let changed = names.indices.filter { index in
                isShown(index) && follows
                    && before.map { !$0.values[index].isIdentical(to: version.values[index]) } ?? false
            }
            let shown = names.indices.filter(isShown)
            return JSONText.object([
                ("entity", JSONText.quoted(entity)), ("identifier", JSONText.shown(identifier)),
                ("from", runs.json(version.from)), ("to", version.to.map(runs.json) ?? "null"),
                ("changed", follows ? JSONText.array(changed.map { JSONText.quoted(names[$0]) }) : "null"),
                ("values", JSONText.object(shown.map { (names[$0], JSONText.shown(version.values[$0])) })),
                ("at", version.at.map { runs.json(version.from, $0) } ?? "null"),
            ]) + "\n"
        }.joined()
    }
}

extension PipelineDefinition {
    /// What the store calls an attribute or a relationship that the definition calls so, where `names` are others
    /// there.
    fileprivate func storedName(_ name: String, of entity: String) -> String {
        guard let entity = model.entity(named: entity) else { return name }
        let members = entity.attributes.map { ($0.name, $0.writtenName) }
        let relationships = entity.relationships.map { ($0.name, $0.writtenName) }
        return (members + relationships).first { $0.1.isIdentical(to: name) }?.0 ?? name
    }
}
