import SluiceRecords
import TestSupport
import Testing

@testable import SluiceLoad
@testable import SluiceSchema
@testable import SluiceStoreSQLite

/// Definitions that grow, lose and rename, of two pipelines over one store, end in what a naive model says; and one
/// that contradicts the store changes nothing.
@Suite struct GrowingStorePropertyTests {
    @Test(arguments: SeededRandom.seeds(0..<3))
    func storeEqualsModel(seed: Int) throws {
        var world = GrowingStore(seed)
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        for step in 0..<14 {
            let pipeline = world.random.below(2)
            for _ in 0..<(1 + world.random.below(4)) { world.change(pipeline) }
            guard !world.pipelines[pipeline].isEmpty else { continue }
            let model = world.model(pipeline)
            if SQLiteStore.isThere(path) { try refuse(model, pipeline, path, &world.random) }
            let records = world.run(pipeline)
            try load(
                records, model, into: path, batchSize: [1, 3, 50][world.random.below(3)], pipeline: "p\(pipeline)")
            #expect(try rows(path, "PRAGMA integrity_check") == [["ok"]])
            #expect(try rows(path, "PRAGMA foreign_key_check").isEmpty)
            for entity in world.entities.indices {
                guard let query = world.query(entity) else { continue }
                let (found, expected) = (try rows(path, query), world.rows(of: entity))
                #expect(found == expected, "seed \(seed), step \(step), entity \(entity): \(found) and not \(expected)")
            }
            try expectNames(path, world)
            let before = try snapshot(path)
            try load([], model, into: path, batchSize: 1, pipeline: "p\(pipeline)")
            #expect(try snapshot(path) == before, "a second run changes nothing")
        }
    }

    /// Every index is called after what it is on, and nothing names an entity that is not there.
    private func expectNames(_ path: String, _ world: GrowingStore) throws {
        let indexes = try rows(
            path,
            """
            SELECT i.name, t.name || '(' || (SELECT group_concat(name, ', ') FROM pragma_index_info(i.name)) || ')'
            FROM sqlite_schema t, pragma_index_list(t.name) i WHERE t.type = 'table' AND i.origin = 'c'
            """)
        for index in indexes { #expect(index[0] == index[1]) }
        let names = Set(world.entities.compactMap(\.names.stored))
        for table in ["sluice_unresolved", "sluice_model"] {
            let found = try rows(path, "SELECT DISTINCT entity FROM \(table)").map { $0[0] }
            #expect(names.isSuperset(of: found), "\(table)")
        }
    }

    /// Everything but the ledger.
    private func snapshot(_ path: String) throws -> [[[String]]] {
        let tables = try rows(path, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sluice_run'")
        return try [rows(path, "SELECT sql FROM sqlite_schema"), rows(path, "PRAGMA schema_version")]
            + tables.map { try rows(path, "SELECT * FROM \(quoted($0[0]))") }
    }

    /// A definition that contradicts what this pipeline has said before is refused, and changes nothing.
    private func refuse(_ model: Model, _ pipeline: Int, _ path: String, _ random: inout SeededRandom) throws {
        let described = try ModelTable(connection: Connection(path: path, access: .read)).rows()
            .filter { $0.pipeline == "p\(pipeline)" }
        guard let row = described.randomElement(using: &random),
            let index = model.entities.firstIndex(where: { $0.name == row.description.name })
        else { return }
        var wrong = model
        switch random.below(4) {
        case 0: wrong.entities[index].attributes[0].conversion.type = .bytes
        case 1:
            let known = wrong.entities[index].relationships.indices.filter { relationship in
                row.description.relationship(model.entities[index].relationships[relationship].name) != nil
            }
            guard let relationship = known.randomElement(using: &random) else { return }
            wrong.entities[index].relationships[relationship].isMany.toggle()
        case 2:
            let known = wrong.entities[index].attributes.indices.filter { attribute in
                row.description.parts[FoldedName(model.entities[index].attributes[attribute].name)] != nil
            }
            guard let attribute = known.randomElement(using: &random) else { return }
            wrong.entities[index].attributes[attribute].conversion.type = .bytes
        default:
            guard wrong.entities[index].attributes.count > 1 else { return }
            wrong.entities[index].identifier = [1]
        }
        let before = try snapshot(path)
        #expect(try !SQLiteStore.plan(path: path, model: wrong, pipeline: "p\(pipeline)").contradictions.isEmpty)
        #expect(throws: Failure.self) {
            _ = try SQLiteStore(path, StoreUse(model: wrong, pipeline: "p\(pipeline)", savesAtEnd: true))
        }
        #expect(try snapshot(path) == before)
    }
}
