import SluiceRecords
import SluiceSchema

/// A way to find objects of an entity besides their identifiers: a virtual table beside the entity's own, with triggers
/// that keep it right for all writes to the entity's table; or an index.
package struct SideIndex {
    /// The entity's own.
    let table: String
    /// Columns of the entity's table that it depends on.
    let columns: [String]
    let name: String
    /// The statements that make it, first the one that makes what has its name; each as SQLite's schema has it.
    let statements: [(name: String, sql: String)]
    /// The statement that fills it from the table; nil: it is filled when it is made.
    let fill: String?
    /// The statement that makes it as small and fast as possible, where nothing changes any more.
    let finish: String?

    /// The side indexes that pipelines want for their entities. Where several pipelines want one for the same table,
    /// the first counts.
    package static func all(_ descriptions: [EntityDescription]) -> [SideIndex] {
        var taken: Set<FoldedName> = []
        return descriptions.flatMap { wanted($0.table, $0.search, $0.place) }
            .filter { taken.insert(FoldedName($0.name)).inserted }
    }

    /// Those of the entities of a store.
    package static func all(_ entities: [StoredEntity]) -> [SideIndex] {
        entities.flatMap { wanted($0.table, $0.search, $0.place) }
    }

    private static func wanted(_ table: String, _ search: SearchIndex?, _ place: PlaceIndex?) -> [SideIndex] {
        [search.map { words(table, $0) }, place.map { places(table, $0) }].compactMap(\.self)
    }

    /// Whether the name is that of a side index, or of a table in which SQLite keeps one.
    package static func isOwn(_ name: String) -> Bool {
        let folded = name.lowercased()
        guard folded.hasPrefix("sluice_") else { return false }
        return ["_search", "_search_data", "_search_idx", "_search_docsize", "_search_config", "_near"].contains {
            folded.hasSuffix($0)
        }
    }

    // MARK: Words

    /// How many segments of an index FTS5 merges at once. By default it is four, which takes twice the time for a
    /// rebuild, and half as much again to tell what a night changes. Of 600,000 texts, three letters find the first
    /// twenty in 0.08 ms.
    private static let segments = 16

    /// An index of words, by FTS5; their texts are those of the entity's table.
    static func words(_ table: String, _ index: SearchIndex) -> SideIndex {
        let name = Entity.searchTable(of: table)
        let columns = index.fields.map(quoted).joined(separator: ", ")
        let prefixes = index.prefixes.map(String.init).joined(separator: " ")
        // Only a ranking needs the length of each text, which would take a row for each object.
        let options =
            [
                "content=\(quotedText(table))", "content_rowid='objectID'", "columnsize=0",
                "tokenize=\(quotedText(index.tokenizer))",
            ] + (prefixes.isEmpty ? [] : ["prefix='\(prefixes)'"])
        // The removed text must be given: FTS5 cannot look it up.
        let removal = """
            INSERT INTO \(quoted(name)) (\(quoted(name)), rowid, \(columns)) VALUES ('delete', \(row("OLD", index.fields)));
            """
        let addition = "INSERT INTO \(quoted(name)) (rowid, \(columns)) VALUES (\(row("NEW", index.fields)));"
        let triggers = SearchTriggers(table: table, columns: index.fields)
        return SideIndex(
            table: table, columns: index.fields, name: name,
            statements: [
                (
                    name,
                    "CREATE VIRTUAL TABLE \(quoted(name)) USING fts5(\(columns), \(options.joined(separator: ", ")))"
                ),
                triggers.inserted(addition), triggers.updated("\(removal)\n  \(addition)"), triggers.deleted(removal),
            ],
            fill: """
                INSERT INTO \(quoted(name)) (\(quoted(name)), rank) VALUES ('automerge', \(segments));
                INSERT INTO \(quoted(name)) (\(quoted(name))) VALUES ('rebuild')
                """,
            finish: "INSERT INTO \(quoted(name)) (\(quoted(name))) VALUES ('optimize')")
    }

    private static func row(_ row: String, _ columns: [String]) -> String {
        (["objectID"] + columns).map { "\(row).\(quoted($0))" }.joined(separator: ", ")
    }

    // MARK: Places

    /// An index by bands of latitude, and within each by longitude. An R*Tree would be kept by triggers, which SQLite
    /// 3.40 refuses to connections that do not trust the schema, as those of sluice.
    static func places(_ table: String, _ index: PlaceIndex) -> SideIndex {
        let name = Entity.placeIndex(of: table)
        let latitude = quoted(index.latitude)
        let sql = """
            CREATE INDEX \(quoted(name)) ON \(quoted(table)) (\(PlaceIndex.band(latitude)), \(quoted(index.longitude)), \
            \(latitude)) WHERE \(index.isSomewhere(""))
            """
        return SideIndex(
            table: table, columns: [index.latitude, index.longitude], name: name, statements: [(name, sql)], fill: nil,
            finish: nil)
    }
}

/// The triggers on an entity's table that keep its index of words right.
private struct SearchTriggers {
    let table: String
    let columns: [String]

    func inserted(_ body: String) -> (name: String, sql: String) { trigger("insert", "INSERT", "", body) }

    func deleted(_ body: String) -> (name: String, sql: String) { trigger("delete", "DELETE", "", body) }

    /// A statement that names none of the columns does not fire the trigger; one that leaves them as they are writes
    /// nothing.
    func updated(_ body: String) -> (name: String, sql: String) {
        let columns = (["objectID"] + columns).map(quoted)
        let differs = columns.map { "OLD.\($0) IS NOT NEW.\($0)" }.joined(separator: " OR ")
        return trigger("update", "UPDATE OF \(columns.joined(separator: ", "))", " WHEN \(differs)", body)
    }

    private func trigger(_ kind: String, _ event: String, _ condition: String, _ body: String) -> (String, String) {
        let name = "sluice_search_\(kind)_\(table)"
        return (
            name, "CREATE TRIGGER \(quoted(name)) AFTER \(event) ON \(quoted(table))\(condition) BEGIN\n  \(body)\nEND"
        )
    }
}
