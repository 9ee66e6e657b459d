import SluiceRecords
import TestSupport
import Testing

@testable import SluiceLoad
@testable import SluiceSchema
@testable import SluiceStoreSQLite

/// What a store says of definitions that do not go with it, and how it follows those that rename.
@Suite struct StoreModelTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("store.sqlite") }

    /// Stops with a parent, lines and an owner that is a stop or a line.
    private static func model(_ change: (inout Model) -> Void = { _ in }) -> Model {
        var model = Model(entities: [
            .forLoad(
                "Stop", identifier: [0], attributes: [("id", .integer), ("name", .text)],
                relationships: [
                    .forLoad("parent", [(0, [.integer])]), .forLoad("lines", [(1, [.integer])], isMany: true),
                    .forLoad("owner", [(0, [.integer]), (1, [.integer])]),
                    .forLoad("friends", [(0, [.integer]), (1, [.integer])], isMany: true),
                ]),
            .forLoad("Line", identifier: [0], attributes: [("id", .integer)]),
        ])
        model.entities[0].relationships[0].missing = .stub
        change(&model)
        return model
    }

    /// A stop whose parent becomes a stub, and which waits for a line and for its owner.
    private static let records = [
        TestRecord(
            entity: 0,
            values: [
                .integer(1), .text("one"), .integer(2), .list([.integer(10), .integer(11)]), .integer(12), .integer(12),
                .list([.integer(10)]), .list([.integer(10)]),
            ]),
        TestRecord(
            entity: 0,
            values: [
                .integer(3), .text("three"), .null, .list([]), .integer(10), .integer(10), .list([.integer(1)]),
                .list([.integer(1)]),
            ]),
        TestRecord(entity: 1, values: [.integer(10)]),
    ]

    private func contradictions(_ model: Model, _ pipeline: String = "test") throws -> [String] {
        try SQLiteStore.plan(path: path, model: model, pipeline: pipeline).contradictions.map(\.message)
    }

    @discardableResult
    private func run(_ model: Model = Self.model(), _ records: [TestRecord] = [], _ pipeline: String = "test") throws
        -> [EntityCounts]
    {
        try load(records, model, into: path, batchSize: 10, pipeline: pipeline)
    }

    /// Everything but the ledger, with the store's own count of changes to the schema.
    private func snapshot() throws -> [[[String]]] {
        let tables = try rows(path, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sluice_run'")
        return try [rows(path, "PRAGMA schema_version")]
            + tables.map { try rows(path, "SELECT * FROM \(quoted($0[0]))") }
    }

    private func tables() throws -> [String] {
        try rows(path, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sluice%' ORDER BY 1").map
        {
            $0[0]
        }
    }

    // MARK: Renaming

    private static let renamed = model { model in
        model.entities[0].name = "Halt"
        model.entities[0].table = "Halt"
        model.entities[0].was = ["Station", "Stop"]
        model.entities[0].attributes[1].name = "title"
        model.entities[0].attributes[1].was = ["name"]
        for (index, name) in ["top", "routes", "keeper", "pals"].enumerated() {
            model.entities[0].relationships[index].was = [model.entities[0].relationships[index].name]
            model.entities[0].relationships[index].name = name
        }
    }

    /// With and without `sluice_model`, as an earlier version of sluice left the store.
    @Test(arguments: [false, true])
    func everythingIsRenamed(isOld: Bool) throws {
        try run(Self.model(), Self.records)
        if isOld { try Connection(path: path, access: .write).execute("DROP TABLE sluice_model") }
        #expect(try contradictions(Self.renamed).isEmpty)
        try run(Self.renamed)
        #expect(try tables() == ["Halt", "Halt_pals", "Halt_routes", "Line"])
        let parents = "SELECT h.id, h.title, x.id FROM Halt h LEFT JOIN Halt x ON x.objectID = h.top ORDER BY h.id"
        #expect(try rows(path, parents) == [["1", "one", "2"], ["2", "∅", "∅"], ["3", "three", "∅"]])
        #expect(try rows(path, "SELECT title, keeper_entity FROM Halt WHERE id = 3") == [["three", "Line"]])
        #expect(try rows(path, "SELECT target_entity FROM Halt_pals ORDER BY source") == [["Line"], ["Halt"]])
        let waiting = try rows(path, "SELECT entity, relationship, value FROM sluice_unresolved ORDER BY relationship")
        #expect(waiting == [["Halt", "keeper", "12"], ["Halt", "routes", "11"]])
        #expect(try rows(path, "SELECT entity FROM sluice_stub") == [["Halt"]])
        #expect(try rows(path, "SELECT entity FROM sluice_model ORDER BY 1") == [["Halt"], ["Line"]])
        let indexes = try rows(path, "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql <> '' ORDER BY 1")
        #expect(
            indexes.map { $0[0] } == [
                "Halt(id)", "Halt(keeper)", "Halt(top)", "Halt_pals(target)", "Halt_routes(target)", "Line(id)",
            ])
        #expect(try rows(path, "PRAGMA foreign_key_check").isEmpty)
        let before = try snapshot()
        try run(Self.renamed)
        #expect(try snapshot() == before)
        // What waited still finds its target.
        let counts = try run(Self.renamed, [TestRecord(entity: 1, values: [.integer(11)])])
        #expect(counts[0].relationships[1].late == 1)
        let links = "SELECT x.id FROM Halt_routes l JOIN Line x ON x.objectID = l.target ORDER BY position"
        #expect(try rows(path, links) == [["10"], ["11"]])
    }

    @Test func aRunThatFailsRenamesNothing() throws {
        try run(Self.model(), Self.records)
        let before = try snapshot()
        let store = try SQLiteStore(path, StoreUse(model: Self.renamed, pipeline: "test", savesAtEnd: true))
        _ = try store.begin(started: "")
        try store.rollback { RunOutcome(status: "failed", finished: "", report: "{}") }
        // The schema's count goes up and comes back; the tables are what they were.
        #expect(try snapshot().dropFirst() == before.dropFirst())
        #expect(try tables() == ["Line", "Stop", "Stop_friends", "Stop_lines"])
    }

    @Test func tablesSwapAndMoveInARow() throws {
        var model = Model(entities: ["A", "B", "C"].map { .forLoad($0, identifier: [0], attributes: [("id", .text)]) })
        try run(model, (0..<3).map { TestRecord(entity: $0, values: [.text("abc".map { "\($0)" }[$0])]) })
        for (index, table) in ["B", "C", "A"].enumerated() { model.entities[index].table = table }
        try run(model)
        #expect(try ["A", "B", "C"].map { try rows(path, "SELECT id FROM \($0)") } == [[["c"]], [["a"]], [["b"]]])
        for (index, table) in ["C", "D", "A"].enumerated() { model.entities[index].table = table }
        try run(model)
        #expect(try ["C", "D", "A"].map { try rows(path, "SELECT id FROM \($0)") } == [[["a"]], [["b"]], [["c"]]])
    }

    @Test func bothNamesAreAContradiction() throws {
        try run(Self.model())
        let both = Self.model { model in
            model.entities[0].attributes.append(.init(name: "title", value: .init(.slot(0)), conversion: .init(.text)))
        }
        try run(both)
        // Each alone was there before `was` said that they are one.
        let one = Self.model { model in
            model.entities[0].attributes[1].name = "title"
            model.entities[0].attributes[1].was = ["name"]
        }
        #expect(
            try contradictions(one) == [
                "Stop.title was name, and the table Stop of the store \(path) has both name and title"
            ])
        let entity = Self.model { model in
            model.entities[1].was = ["Stop"]
            model.entities.removeFirst()
        }
        #expect(
            try contradictions(entity) == [
                "the entity Line was Stop, and the store \(path) has a table for both: Stop and Line"
            ])
    }

    /// The new name may be that of something else: what was there stays as it is.
    @Test func aTableThatIsTakenIsRefused() throws {
        try run(Self.model())
        try Connection(path: path, access: .write).execute("CREATE TABLE Tram (note TEXT)")
        #expect(
            try contradictions(Self.model { $0.entities[1].table = "tram" }) == [
                "the entity Line had the table Line, and now has tram, and the store \(path) has a table for both: Line and tram"
            ])
        let renamed = Self.model { model in
            model.entities[1].name = "Tram"
            model.entities[1].table = "Tram"
            model.entities[1].was = ["Line"]
        }
        #expect(
            try contradictions(renamed) == [
                "the entity Tram was Line, and the store \(path) has a table for both: Line and Tram"
            ])
    }

    /// Once everything is renamed, `was` says nothing any more: another may take the old names.
    @Test func oldNamesAreFree() throws {
        try run(Self.model(), Self.records, "one")
        try run(Self.renamed, [], "one")
        let other = Model(entities: [
            .forLoad("Halt", identifier: [0], attributes: [("id", .integer), ("name", .real)]),
            .forLoad("Stop", identifier: [0], attributes: [("id", .text)]),
        ])
        try run(other, [TestRecord(entity: 1, values: [.text("new")])], "two")
        let before = try snapshot()
        try run(Self.renamed, [], "one")
        #expect(try snapshot() == before)
        #expect(try rows(path, "SELECT id FROM Stop") == [["new"]])
    }

    /// A relationship that comes back finds what was brought while it was away.
    @Test func whatComesBackFindsItsTargets() throws {
        try run(Self.model(), Self.records)
        let without = Self.model { $0.entities[0].relationships.remove(at: 1) }
        try run(without, [TestRecord(entity: 1, values: [.integer(11)])])
        #expect(try run()[0].relationships[1].late == 1)
        #expect(try run()[0].relationships[1].late == 0)
        let alone = Model(entities: [Self.model().entities[1]])
        try run(alone, [TestRecord(entity: 0, values: [.integer(12)])])
        #expect(try run()[0].relationships[2].late == 1)
    }

    @Test func lettersMayChangeTheirCase() throws {
        try run(Self.model(), Self.records)
        let shouted = Self.model { model in
            model.entities[0].name = "STOP"
            model.entities[0].table = "STOP"
            model.entities[0].relationships[1].name = "LINES"
        }
        try run(shouted)
        #expect(try tables() == ["Line", "Stop", "Stop_friends", "Stop_lines"])
        #expect(
            try rows(path, "SELECT DISTINCT entity, relationship FROM sluice_unresolved ORDER BY 2") == [
                ["STOP", "LINES"], ["STOP", "owner"],
            ])
        #expect(try rows(path, "SELECT target_entity FROM Stop_friends ORDER BY source") == [["Line"], ["STOP"]])
    }

    // MARK: Contradictions

    private static let changes: [(String, @Sendable (inout Model) -> Void)] = [
        (
            "the attribute Stop.name is text in the store STORE (pipeline test), and the definition makes it json; to have the feed fill it anew, drop its column: ALTER TABLE \"Stop\" DROP COLUMN \"name\"",
            { $0.entities[0].attributes[1].conversion.type = .json }
        ),
        (
            "the entity Stop is identified by id in the store STORE (pipeline test), and the definition identifies it by id, name",
            { $0.entities[0].identifier = [0, 1] }
        ),
        (
            "the relationship Stop.parent is to-one in the store STORE (pipeline test), and the definition makes it to-many; under another name, it is a new one, which the feed fills",
            { $0.entities[0].relationships[0].isMany = true }
        ),
        (
            "the relationship Stop.lines is to-many in the store STORE (pipeline test), and the definition makes it to-one; under another name, it is a new one, which the feed fills",
            { $0.entities[0].relationships[1].isMany = false }
        ),
        (
            "the relationship Stop.parent leads to Stop in the store STORE (pipeline test), and the definition makes it lead to Line; under another name, it is a new one, which the feed fills",
            { $0.entities[0].relationships[0].targets = $0.entities[0].relationships[1].targets }
        ),
        (
            "the relationship Stop.owner leads to Stop, Line in the store STORE (pipeline test), and the definition makes it lead to Stop; under another name, it is a new one, which the feed fills",
            { $0.entities[0].relationships[2].targets.removeLast() }
        ),
        (
            "Stop.name is an attribute in the store STORE (pipeline test), and the definition makes it a relationship",
            {
                $0.entities[0].attributes.removeLast()
                $0.entities[0].relationships[0].name = "name"
            }
        ),
        (
            "Stop.parent is a relationship in the store STORE (pipeline test), and the definition makes it an attribute",
            {
                $0.entities[0].attributes[1].name = "parent"
                $0.entities[0].relationships.removeFirst()
            }
        ),
        (
            "Stop.owner_entity is the column of the entities of the relationship owner in the store STORE (pipeline test), and the definition makes it an attribute",
            {
                $0.entities[0].attributes[1].name = "owner_entity"
                $0.entities[0].relationships.remove(at: 2)
            }
        ),
        (
            "the table Stop is that of the entity Stop in the store STORE (pipeline test), and the definition gives it to Halt; if it is that entity, say \"was\": \"Stop\"",
            { $0.entities[0].name = "Halt" }
        ),
        (
            "the table Stop_lines holds the links Stop.lines in the store STORE (pipeline test), and the definition gives it to the entity Line2",
            {
                $0.entities[1].name = "Line2"
                $0.entities[1].table = "stop_LINES"
                $0.entities.removeFirst()
            }
        ),
    ]

    @Test(arguments: 0..<changes.count)
    func contradictionsNameBothSides(_ index: Int) throws {
        let (message, change) = Self.changes[index]
        try run(Self.model(), Self.records)
        let before = try snapshot()
        let found = try contradictions(Self.model(change))
        #expect(found.count == 1 && found[0].hasPrefix(message.replacing("STORE", with: path)), "\(found)")
        #expect(throws: Failure.self) { try run(Self.model(change)) }
        #expect(try snapshot() == before)
    }

    /// Without `sluice_model`, the tables still tell what they can.
    @Test func tablesContradictToo() throws {
        try run(Self.model(), Self.records)
        try Connection(path: path, access: .write).execute("DROP TABLE sluice_model")
        for (index, change) in Self.changes.enumerated() {
            // A text is as good as a date to a table, and it does not know of entities.
            let isUnknown = [0, 8, 9].contains(index)
            #expect(try contradictions(Self.model(change.1)).isEmpty == isUnknown, "\(change.0)")
        }
    }

    @Test func aColumnThatWasDroppedMayBeAnother() throws {
        try run(Self.model(), Self.records)
        try Connection(path: path, access: .write).execute("ALTER TABLE Stop DROP COLUMN name")
        try run(Self.model { $0.entities[0].attributes[1].conversion.type = .integer })
        #expect(
            try rows(path, "SELECT json_extract(description, '$.attributes.name.type') FROM sluice_model") == [
                ["∅"], ["integer"],
            ])
    }

    @Test func whatIsLostStaysKnown() throws {
        try run(Self.model())
        try run(Self.model { $0.entities[0].attributes.removeLast() })
        let type = "SELECT json_extract(description, '$.attributes.name') FROM sluice_model WHERE entity = 'Stop'"
        #expect(try rows(path, type) == [[#"{"lost":true,"type":"text"}"#]])
        #expect(try contradictions(Self.model { $0.entities[0].attributes[1].conversion.type = .json }).count == 1)
        try run(Self.model())
        #expect(try rows(path, type) == [[#"{"type":"text"}"#]])
    }

    @Test func tooManyColumnsAreRefusedBeforeTheRun() throws {
        let wide = { (range: Range<Int>) in
            Model(entities: [
                .forLoad("Wide", identifier: [0], attributes: [("id", .text)] + range.map { ("a\($0)", .text) })
            ])
        }
        try run(wide(0..<1500))
        #expect(try contradictions(wide(1000..<1998)).isEmpty)
        #expect(
            try contradictions(wide(1000..<1999)) == [
                "the table Wide of the store \(path) has 1502 columns and would have 2001, and SQLite takes 2000"
            ])
    }

    @Test func aDamagedModelIsSaid() throws {
        try run(Self.model())
        try Connection(path: path, access: .write).execute("UPDATE sluice_model SET description = '{]'")
        let failure = #expect(throws: Failure.self) { try contradictions(Self.model()) }
        #expect(failure?.kind == .io)
        #expect(failure?.message.contains("sluice_model") == true)
    }

    // MARK: Two pipelines

    @Test func anEntityIsDescribedByTwo() throws {
        try run(Self.model(), Self.records, "one")
        let other = Model(entities: [
            .forLoad("Stop", identifier: [0], attributes: [("id", .integer), ("size", .real)]),
            .forLoad("Town", identifier: [0], attributes: [("id", .text)]),
        ])
        let record = TestRecord(entity: 0, values: [.integer(1), .real(2.5)])
        #expect(try run(other, [record], "two")[0].updated == 1)
        #expect(try rows(path, "SELECT name, size, parent FROM Stop WHERE id = 1") == [["one", "2.5", "3"]])
        #expect(
            try rows(path, "SELECT pipeline, entity FROM sluice_model") == [
                ["one", "Line"], ["one", "Stop"], ["two", "Stop"], ["two", "Town"],
            ])
        let before = try snapshot()
        try run(Self.model(), Self.records, "one")
        #expect(try snapshot() == before)
    }

    @Test func twoPipelinesMustAgree() throws {
        try run(Self.model(), [], "one")
        for (message, change) in Self.changes {
            let found = try contradictions(Self.model(change), "two")
            let expected = message.replacing("STORE", with: path).replacing("pipeline test", with: "pipeline one")
            #expect(found.count == 1 && found[0].hasPrefix(String(expected.prefix { $0 != ";" })), "\(found)")
        }
        let cased = try contradictions(Self.model { $0.entities[1].name = "line" }, "two")
        #expect(cased.contains { $0.hasPrefix("the table Line is that of the entity Line in the store") })
        let table = try contradictions(Self.model { $0.entities[1].table = "lines" }, "two")
        #expect(table.contains { $0.hasPrefix("the entity Line has the table Line in the store") })
    }

    @Test(arguments: [(Entity.Absent.keep, Entity.Absent.delete), (.mark, .keep), (.delete, .mark)])
    func absenceNeedsAnEntityOfItsOwn(first: Entity.Absent, second: Entity.Absent) throws {
        try run(Self.model { $0.entities[0].absence.choice = first }, [], "one")
        #expect(try contradictions(Self.model { $0.entities[0].absence.choice = second }).count == 1)
        let message = try contradictions(Self.model { $0.entities[0].absence.choice = second }, "test")[0]
        #expect(message.hasPrefix("the pipeline one feeds the entity Stop"))
        #expect(message.contains("the definition of test says \"\(second.rawValue)\""))
        // A file that was renamed is another pipeline, unless it says whose it is.
        #expect(message.hasSuffix("if test is one in another file, say \"name\": \"one\" in it"))
        // Alone it may be anything.
        #expect(try contradictions(Self.model { $0.entities[0].absence.choice = second }, "one").isEmpty)
        // A pipeline that has lost the entity feeds it no longer.
        try run(Model(entities: [Self.model().entities[1]]), [], "one")
        #expect(try contradictions(Self.model { $0.entities[0].absence.choice = second }).isEmpty)
    }

    /// What one pipeline renames, the other must call so, too: else it would bring the old names back.
    @Test func theOtherPipelineFollows() throws {
        try run(Self.model(), Self.records, "one")
        try run(Self.model(), [], "two")
        try run(Self.renamed, [], "one")
        let found = try contradictions(Self.model(), "two")
        #expect(
            found == [
                "the entity Stop is called Halt in the store \(path), since another pipeline has renamed it (one): call it so here, too, with \"was\": \"Stop\""
            ])
        var half = Self.renamed
        half.entities[0].attributes[1] = Self.model().entities[0].attributes[1]
        #expect(
            try contradictions(half, "two") == [
                "Halt.name is called title in the store \(path), since another pipeline has renamed it (one): call it so here, too, with \"was\": \"name\""
            ])
        try run(Self.renamed, [], "two")
        let marks = try rows(path, "SELECT description FROM sluice_model").filter { $0[0].contains("\"was\"") }
        #expect(marks.isEmpty)
        try run(Self.renamed, [], "one")
    }

    @Test func theOtherPipelineFollowsATable() throws {
        try run(Self.model(), Self.records, "one")
        try run(Self.model(), [], "two")
        let moved = Self.model { $0.entities[0].table = "stops" }
        try run(moved, [], "one")
        #expect(try tables() == ["Line", "stops", "stops_friends", "stops_lines"])
        #expect(
            try contradictions(Self.model(), "two") == [
                "the table Stop is called stops in the store \(path), since another pipeline has renamed it (one): say \"table\": \"stops\" here, too"
            ])
        try run(moved, [], "two")
    }

    /// The store is looked at before a run waits for another's end.
    @Test func whatChangesMeanwhileIsSeen() throws {
        try run(Self.model(), [], "one")
        let other = Self.model { $0.entities.append(.forLoad("Town", identifier: [0], attributes: [("id", .integer)])) }
        let store = try SQLiteStore(path, StoreUse(model: other, pipeline: "two", savesAtEnd: true))
        try run(
            Self.model { $0.entities.append(.forLoad("Town", identifier: [0], attributes: [("id", .text)])) }, [], "one"
        )
        let failure = #expect(throws: Failure.self) { _ = try store.begin(started: "") }
        #expect(failure?.kind == .definition)
        #expect(failure?.message.hasPrefix("the attribute Town.id is text") == true)
    }

    // MARK: Names

    @Test func anyNameWorks() throws {
        let names = ["a\"b", "select", "\"\u{301}", "é", "e\u{301}", "🚉 x", "%", "'", "\\u0041", "$.a", "a.b[0]", " "]
        var model = Model(entities: names.map { .forLoad($0, identifier: [0], attributes: [("id", .text)]) })
        for index in names.indices {
            model.entities[index].relationships = names.map { .forLoad($0, [(index, [.text])], isMany: index % 2 == 0) }
        }
        let records = names.indices.map { index in
            let key = TestValue.text("0")
            return TestRecord(
                entity: index, values: [.text("0")] + names.map { _ in index % 2 == 0 ? .list([key]) : key })
        }
        try run(model, records)
        for row in try ModelTable(connection: Connection(path: path, access: .read)).rows() {
            #expect(!row.isChanged, "read as it was written")
            #expect(row.description.relationships.count == names.count)
        }
        let before = try snapshot()
        try run(model, records)
        #expect(try snapshot() == before)
        for index in names.indices {
            model.entities[index].was = [names[index]]
            model.entities[index].name = "\(names[index])_"
            model.entities[index].table = "\(names[index])_"
        }
        #expect(try run(model, records).allSatisfy { $0.unchanged == 1 })
    }
}
