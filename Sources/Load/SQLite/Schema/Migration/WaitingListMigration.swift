import SluiceRecords

/// Brings what waits by one relationship into the forms that the identifiers of its targets have from now on.
struct WaitingListMigration {
    struct Target {
        var name: String
        /// Of its identifier's parts.
        var before: [StoredForm]
        var after: [StoredForm]
    }

    let connection: Connection
    let entity: String
    let relationship: String
    let targets: [Target]

    /// So many entries are in memory at a time.
    private static let chunk = 1000

    /// An entry: its place, and what it waits for.
    private struct Entry {
        var objectID: Int64
        var position: Int64
        var value: String
        var target: String?
        var keys: String?
    }

    /// A part of an identifier as JSON has it; nil: null.
    private typealias Part = StoredValue?

    func perform() throws(Failure) {
        let hasKeys = try StoredTable(connection, "sluice_unresolved")?.column("keys") != nil
        let update = try connection.prepare(
            """
            UPDATE sluice_unresolved SET value = ?5\(hasKeys ? ", keys = ?6" : "")
            WHERE entity = ?1 AND relationship = ?2 AND objectID = ?3 AND position = ?4
            """)
        var last: Entry?
        repeat {
            let entries = try entries(after: last, hasKeys)
            for entry in entries {
                guard let changed = try converted(entry) else { continue }
                update.bind(1, entity)
                update.bind(2, relationship)
                update.bind(3, entry.objectID)
                update.bind(4, entry.position)
                update.bind(5, changed.value)
                if hasKeys { update.bind(6, changed.keys) }
                try update.run()
            }
            last = entries.count < WaitingListMigration.chunk ? nil : entries.last
        } while last != nil
    }

    private func entries(after last: Entry?, _ hasKeys: Bool) throws(Failure) -> [Entry] {
        let statement = try connection.prepare(
            """
            SELECT objectID, position, value, target, \(hasKeys ? "keys" : "NULL") FROM sluice_unresolved
            WHERE entity = ?1 AND relationship = ?2 AND (objectID, position) > (?3, ?4)
            ORDER BY objectID, position LIMIT \(WaitingListMigration.chunk)
            """)
        statement.bind(1, entity)
        statement.bind(2, relationship)
        statement.bind(3, last?.objectID ?? 0)
        statement.bind(4, last?.position ?? 0)
        var entries: [Entry] = []
        while try statement.step() {
            entries.append(
                Entry(
                    objectID: statement.integer(0), position: statement.integer(1), value: statement.text(2),
                    target: statement.isNull(3) ? nil : statement.text(3),
                    keys: statement.isNull(4) ? nil : statement.text(4)))
        }
        return entries
    }

    /// The entry as this run would have written it; nil: as it is.
    private func converted(_ entry: Entry) throws(Failure) -> (value: String, keys: String?)? {
        // What is looked for in several ways, or by other attributes than the identifier, is not one.
        if entry.keys?.hasPrefix("{\"by ") == true { return nil }
        let possible = targets.filter { $0.name == entry.target ?? $0.name }
        guard !possible.isEmpty else { return nil }
        var identifiers: [String?] = []
        for target in possible { identifiers.append(try identifier(target, entry)) }
        let value: String
        if let first = identifiers.compactMap({ $0 }).first {
            value = first
        } else {
            // What no target can be called is told as a text.
            value = json(try parts(entry.value).map { part in part.map { .text(WaitingListMigration.text($0)) } })
        }
        var keys: String?
        if !identifiers.allSatisfy({ $0 == value }) {
            keys = JSONText.object(zip(possible, identifiers).map { (forms($0.after), $1 ?? "null") })
        }
        return (value, keys)
    }

    /// What an entry says as the identifier of a target; nil where that cannot be.
    private func identifier(_ target: Target, _ entry: Entry) throws(Failure) -> String? {
        let own = try entry.keys.map { keys throws(Failure) in try key(keys, forms(target.before)) } ?? entry.value
        let isPossible = own != "null"
        if isPossible, target.before == target.after { return own }
        let parts = try parts(isPossible ? own : entry.value)
        guard parts.count == target.after.count else { return nil }
        var converted: [Part] = []
        for (part, (before, after)) in zip(parts, zip(target.before, target.after)) {
            guard let part, let value = convert(part, before, after) else { return nil }
            converted.append(value)
        }
        return json(converted)
    }

    private func convert(_ value: StoredValue, _ before: StoredForm, _ after: StoredForm) -> StoredValue? {
        let isOfForm =
            switch (value, before.column) {
            case (.integer, .integer), (.real, .real), (.text, .text), (.text, .blob): true
            default: false
            }
        // A value that could not be one before is still as the feed had it.
        let from = isOfForm ? before : StoredForm(.text)
        if from == after { return value }
        return FormConversion(from: from, to: after)?.convert(value)
    }

    private func forms(_ forms: [StoredForm]) -> String { forms.map(\.name).joined(separator: " ") }

    // MARK: JSON

    /// The JSON of a member; `null` where there is none.
    private func key(_ keys: String, _ name: String) throws(Failure) -> String {
        let path = "$.\"\(name)\""
        return try connection.text("SELECT coalesce(?1 -> ?2, 'null')", keys, path) ?? "null"
    }

    /// The parts of an identifier: a scalar, or the elements of a list.
    private func parts(_ json: String) throws(Failure) -> [Part] {
        let statement = try connection.prepare("SELECT atom FROM json_each(?)")
        statement.bind(1, json)
        var parts: [Part] = []
        while try statement.step() { parts.append(statement.storedValue(0)) }
        return parts
    }

    private func json(_ parts: [Part]) -> String {
        let texts = parts.map { part in
            switch part {
            case .text(let text): JSONText.quoted(text)
            case .some(let value): WaitingListMigration.text(value)
            case nil: "null"
            }
        }
        return texts.count == 1 ? texts[0] : JSONText.array(texts)
    }

    private static func text(_ value: StoredValue) -> String {
        if case .text(let text) = value { return text }
        return value.shown
    }
}
