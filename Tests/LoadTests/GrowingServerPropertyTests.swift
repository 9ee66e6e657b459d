import SluicePostgreSQL
import SluiceRecords
import StoreMirror
import TestSupport
import Testing

@testable import SluiceLoad
@testable import SluiceSchema
@testable import SluiceStores

/// Definitions that grow, lose and rename, of two pipelines over one store on a server, end in what a naive model says.
@Suite struct GrowingServerPropertyTests {
    @Test(arguments: SeededRandom.seeds(0..<2))
    func storeEqualsModel(seed: Int) throws {
        var world = GrowingStore(seed, isOnServer: true)
        let server = try TestServer()
        defer { try? server.drop() }
        let (location, connection) = (StoreLocation.server(server.location), try server.connect())
        for step in 0..<8 {
            let pipeline = world.random.below(2)
            for _ in 0..<(1 + world.random.below(6)) { world.change(pipeline) }
            guard !world.pipelines[pipeline].isEmpty else { continue }
            var use = StoreUse(model: world.model(pipeline), pipeline: "p\(pipeline)", savesAtEnd: true)
            let records = world.run(pipeline)
            let batchSize = [1, 3, 50][world.random.below(3)]
            use.isDry = true
            let foretold = try load(records, into: location, use, batchSize: batchSize)
            use.isDry = false
            #expect(try load(records, into: location, use, batchSize: batchSize) == foretold, "step \(step)")
            for entity in world.entities.indices {
                guard let query = world.query(entity) else { continue }
                let (found, expected) = (try rows(connection, query, server), world.rows(of: entity))
                #expect(found == expected, "step \(step), entity \(entity): \(found) and not \(expected)")
            }
            try expectNames(connection, server, world)
            let plan = try location.plan(use.model, pipeline: use.pipeline)
            #expect(plan.steps.allSatisfy { $0.kind == .unfilled }, "step \(step): \(plan.steps)")
            let again = try load([], into: location, use, batchSize: 1)
            #expect(again.allSatisfy { $0.updated + $0.created == 0 })
        }
    }

    /// Nothing names an entity that is not there.
    private func expectNames(_ connection: ServerConnection, _ server: TestServer, _ world: GrowingStore) throws {
        let names = Set(world.entities.compactMap(\.names.stored))
        for table in ["sluice_unresolved", "sluice_model"] {
            let found = try rows(connection, "SELECT DISTINCT entity FROM @\(table)", server).map { $0[0] }
            #expect(names.isSuperset(of: found), "\(table)")
        }
    }

    private func rows(_ connection: ServerConnection, _ sql: String, _ server: TestServer) throws -> [[String]] {
        let found = try connection.query(sql.replacing("@", with: quoted(server.location.schema) + "."))
        return (0..<found.count).map { row in (0..<found.width).map { found.text(row, $0) } }
    }
}
