import SluiceRecords

/// One of the tool's own tables, as each store makes it.
package struct OwnTable: Sendable {
    package let name: String
    /// SQLite keeps the text that made a table: it is to be the same, line by line, from version to version.
    private let lines: [[Part]]

    init(_ name: String, _ lines: [Part]...) { (self.name, self.lines) = (name, lines) }

    /// The type of a column.
    package enum Kind: Sendable {
        case integer, text, note
    }

    /// A column, or the key.
    package enum Part: Sendable {
        /// With what SQL says of the column behind its type.
        case column(String, Kind, String)
        case key([String])

        /// A whole number.
        static func integer(_ name: String, _ rest: String = " NOT NULL") -> Part { .column(name, .integer, rest) }

        /// A text, which is compared byte by byte.
        static func text(_ name: String, _ rest: String = " NOT NULL") -> Part { .column(name, .text, rest) }

        /// A text that is never compared.
        static func note(_ name: String) -> Part { .column(name, .note, " NOT NULL") }

        fileprivate var name: String? { if case .column(let name, _, _) = self { name } else { nil } }

        fileprivate func sql(_ types: OwnTypes) -> String {
            switch self {
            case .column(let name, let type, let rest): types.name(name) + " " + types.type(type) + rest
            case .key(let names): "PRIMARY KEY (\(names.map(types.name).joined(separator: ", ")))"
            }
        }
    }

    /// The names of its columns.
    package var columns: [String] { lines.joined().compactMap(\.name) }

    /// Whether its rows are found by something else than a number of their own.
    package var hasKey: Bool {
        guard case .column(_, .integer, let rest)? = lines.first?.first else { return true }
        return !rest.hasPrefix(" PRIMARY KEY")
    }

    /// The columns and the key in parentheses, as SQL has them.
    ///
    /// - Parameter more: columns that not each store has.
    package func body(_ types: OwnTypes, with more: [Part] = []) -> String {
        let parts = lines.joined()
        if parts.count == 1 { return "(\(parts.map { $0.sql(types) }.joined()))" }
        let all = more.isEmpty ? lines : [parts.filter { $0.name != nil } + more + parts.filter { $0.name == nil }]
        return "(\n  \(all.map { $0.map { $0.sql(types) }.joined(separator: ", ") }.joined(separator: ",\n  "))\n)"
    }
}

/// What a database calls the types of these tables.
package struct OwnTypes: Sendable {
    var integer: String
    var text: String
    var note: String
    /// Whether names keep their case only in quotes.
    var foldsCase: Bool

    package init(integer: String, text: String, note: String, foldsCase: Bool) {
        (self.integer, self.text, self.note, self.foldsCase) = (integer, text, note, foldsCase)
    }

    fileprivate func type(_ kind: OwnTable.Kind) -> String {
        switch kind {
        case .integer: integer
        case .text: text
        case .note: note
        }
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
        "sluice_unresolved", [.text("entity"), .text("relationship"), .integer("objectID"), .integer("position")],
        [.text("value"), .text("target", "")],
        [.integer("run"), .integer("source", ""), .integer("file", ""), .integer("record", "")],
        ["line", "column", "offset"].map { .integer($0, "") } + [.text("path", ""), .text("keys", "")],
        [.key(["entity", "relationship", "objectID", "position"])])

    /// Of `sluice_unresolved`: what waiting links have of their own. Most stores have no such links.
    package static let waitingValues = Part.text("with", "")

    /// Objects of which only the identifier is known, because a reference named them.
    package static let stub = OwnTable(
        "sluice_stub", [.text("entity"), .integer("objectID"), .key(["entity", "objectID"])])

    /// What each pipeline that writes to the store says of its entities.
    package static let model = OwnTable(
        "sluice_model", [.text("pipeline"), .text("entity"), .text("description"), .integer("run")],
        [.key(["pipeline", "entity"])])

    /// What is known of the feeds that a pipeline has loaded.
    package static let fetch = OwnTable(
        "sluice_fetch",
        [.text("pipeline"), .text("source"), .text("request"), .text("etag", ""), .text("last_modified", "")],
        [.key(["pipeline", "source"])])

    /// By pipeline, which file of fingerprints belongs to the store as its last run left it.
    package static let fingerprint = OwnTable(
        "sluice_fingerprint", [.text("pipeline", " PRIMARY KEY"), .note("secret"), .note("identity")])

    /// Which objects the last runs have changed, and the last writes of programs. It has a row for each range of
    /// objects that follow one another; and, for each run and write whose changes are completely noted, a row without
    /// an entity.
    package static let changed = OwnTable(
        "sluice_changed",
        ["number", "run", "change"].map { .integer($0) } + [.text("entity"), .integer("first"), .integer("last")],
        [.text("kind"), .key(["number", "entity", "first", "last"])])
}
