import SluiceRecords

/// One of the tool's own tables, as each store makes it.
package struct OwnTable {
    /// A column, or the key.
    package enum Part {
        /// A whole number, with what SQL says of it behind its type.
        case integer(String, _ rest: String = " NOT NULL")
        /// A text, which is compared byte by byte.
        case text(String, _ rest: String = " NOT NULL")
        /// A text that is never compared.
        case note(String, _ rest: String = " NOT NULL")
        case key([String])

        /// Nil: it is the key.
        fileprivate var column: String? {
            switch self {
            case .integer(let name, _), .text(let name, _), .note(let name, _): name
            case .key: nil
            }
        }

        fileprivate func sql(_ types: OwnTypes) -> String {
            switch self {
            case .integer(let name, let rest): types.name(name) + " " + types.integer + rest
            case .text(let name, let rest): types.name(name) + " " + types.text + rest
            case .note(let name, let rest): types.name(name) + " " + types.note + rest
            case .key(let names): "PRIMARY KEY (\(names.map(types.name).joined(separator: ", ")))"
            }
        }
    }

    package let name: String
    /// In lines: SQLite keeps the text that made a table, which is to be the same from version to version.
    private let lines: [[Part]]

    init(_ name: String, _ lines: [[Part]]) {
        self.name = name
        self.lines = lines
    }

    /// The names of its columns.
    package var columns: [String] { lines.joined().compactMap(\.column) }

    /// Whether its rows are found by something else than a number of their own.
    package var hasKey: Bool {
        if case .integer(_, let rest)? = lines.first?.first { return !rest.hasPrefix(" PRIMARY KEY") }
        return true
    }

    /// The columns and the key in parentheses, as SQL has them.
    ///
    /// - Parameter more: columns that not each store has.
    package func body(_ types: OwnTypes, with more: [Part] = []) -> String {
        let key = lines.joined().filter { $0.column == nil }
        let all = more.isEmpty ? lines : [lines.joined().filter { $0.column != nil } + more + key]
        if all.joined().count == 1 { return "(\(all.joined().map { $0.sql(types) }.joined()))" }
        let text = all.map { $0.map { $0.sql(types) }.joined(separator: ", ") }.joined(separator: ",\n  ")
        return "(\n  \(text)\n)"
    }
}

/// What a database calls the types of these tables.
package struct OwnTypes: Sendable {
    var integer: String
    var text: String
    /// That of a text that is never compared.
    var note: String
    /// Whether names keep their case only in quotes.
    var foldsCase: Bool

    package init(integer: String, text: String, note: String, foldsCase: Bool) {
        (self.integer, self.text, self.note, self.foldsCase) = (integer, text, note, foldsCase)
    }

    fileprivate func name(_ name: String) -> String {
        let isReserved = ["column", "offset", "with"].contains(name)
        return isReserved || foldsCase && name.utf8.contains { $0 < 0x61 && $0 != 0x5f } ? quoted(name) : name
    }
}

// MARK: The tables

extension OwnTable {
    /// References that wait for their target, with what the store needs to find it.
    package static let unresolved = OwnTable(
        "sluice_unresolved",
        [
            [.text("entity"), .text("relationship"), .integer("objectID"), .integer("position")],
            [.text("value"), .text("target", "")],
            [.integer("run"), .integer("source", ""), .integer("file", ""), .integer("record", "")],
            [
                .integer("line", ""), .integer("column", ""), .integer("offset", ""), .text("path", ""),
                .text("keys", ""),
            ],
            [.key(["entity", "relationship", "objectID", "position"])],
        ])

    /// Of `sluice_unresolved`: what waiting links have of their own. Most stores have no such links.
    package static let waitingValues = Part.text("with", "")

    /// Objects of which only the identifier is known, because a reference named them.
    package static let stub = OwnTable(
        "sluice_stub", [[.text("entity"), .integer("objectID"), .key(["entity", "objectID"])]])

    /// What each pipeline that writes to the store says of its entities.
    package static let model = OwnTable(
        "sluice_model",
        [
            [.text("pipeline"), .text("entity"), .text("description"), .integer("run")],
            [.key(["pipeline", "entity"])],
        ])

    /// What is known of the feeds that a pipeline has loaded.
    package static let fetch = OwnTable(
        "sluice_fetch",
        [
            [.text("pipeline"), .text("source"), .text("request"), .text("etag", ""), .text("last_modified", "")],
            [.key(["pipeline", "source"])],
        ])

    /// By pipeline, which file of fingerprints belongs to the store as its last run left it.
    package static let fingerprint = OwnTable(
        "sluice_fingerprint", [[.text("pipeline", " PRIMARY KEY"), .note("secret"), .note("identity")]])

    /// Which objects the last runs have changed, and the last writes of programs. It has a row for each range of
    /// objects that follow one another; and, for each run and write whose changes are completely noted, a row without
    /// an entity.
    package static let changed = OwnTable(
        "sluice_changed",
        [
            [
                .integer("number"), .integer("run"), .integer("change"), .text("entity"), .integer("first"),
                .integer("last"),
            ],
            [.text("kind"), .key(["number", "entity", "first", "last"])],
        ])
}
