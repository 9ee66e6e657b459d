import Foundation
import StoreMirror
import Synchronization
import TestSupport
import Testing

@testable import Sluice

/// Runs that are killed, and whose connections are cut, at any message that they send to the server: the store is what
/// it was, or what an undisturbed run makes it; and a rerun makes it that.
@Suite(.serialized) struct ServerFaultTests {
    enum Fault: CaseIterable { case killed, cut }

    @Test(arguments: Fault.allCases, StoreState.allCases)
    func anyMomentWillDo(_ fault: Fault, _ state: StoreState) throws {
        let scene = try ServerFaultScene()
        defer { scene.drop() }
        try scene.undisturbed(state)
        let rounds = FaultEffort.rounds(3, long: scene.messages(to: 2))
        try disturb(scene, fault, state, rounds: rounds, seed: fault == .killed ? 1 : 2) { run in
            let contents = try scene.contents()
            if fault == .cut {
                #expect(run.status == 0 || run.status == 69, "\(run.place)")
                #expect(contents == (run.status == 0 ? run.after : run.before), "\(run.place)")
            } else {
                #expect(contents == run.before || contents == run.after, "\(run.place)")
            }
        }
    }

    /// With `commit: batch`, what was saved before the fault stays: whole objects, and nothing refers to what is not
    /// there. The next run completes them.
    @Test(arguments: Fault.allCases, StoreState.allCases)
    func batchesThatWereSavedStay(_ fault: Fault, _ state: StoreState) throws {
        let scene = try ServerFaultScene("\"commit\": \"batch\",")
        defer { scene.drop() }
        try scene.undisturbed(state)
        let rounds = FaultEffort.rounds(3, long: scene.messages(to: 2))
        var partial = 0
        try disturb(scene, fault, state, rounds: rounds, seed: fault == .killed ? 3 : 4) { run in
            let contents = try scene.contents()
            if contents != run.before, contents != run.after { partial += 1 }
            if fault == .cut { #expect((contents == run.after) || run.status == 69, "\(run.place)") }
            let dangling = try scene.dangling()
            #expect(dangling == [], "\(run.place)")
        }
        #expect(partial > 0, "no fault met a run between two batches")
    }

    /// A run that a fault has met.
    private struct DisturbedRun {
        var status: Int32
        /// What the store held before, and what an undisturbed run makes of it.
        var before: [String: [[String]]]?
        var after: [String: [[String]]]?
        /// When the fault came, for messages.
        var place: String
    }

    /// Disturbs runs at moments all over them, looks at each with `check`, and runs each again: the store is then what
    /// an undisturbed run makes.
    private func disturb(
        _ scene: ServerFaultScene, _ fault: Fault, _ state: StoreState, rounds: Int, seed: Int,
        check: (DisturbedRun) throws -> Void
    ) throws {
        var random = SeededRandom(seed)
        for round in 0..<rounds {
            // A store that was there has one version of the feed, and gets the other.
            let version = state == .new ? 2 : 1 + round % 2
            if state == .new { scene.drop() }
            let before = try scene.contents()
            let count = scene.messages(to: version)
            let moment = 1 + (round * count + Int.random(in: 0..<count, using: &random)) / rounds
            let place = "\(fault) at \(moment) of \(count)"
            let status = try scene.disturb(version, fault, at: moment)
            try check(DisturbedRun(status: status, before: before, after: scene.after(version), place: place))
            #expect(try scene.run(version, ["--force", "--wait", "30s"]).status == 0, "\(place)")
            #expect(try scene.contents() == scene.after(version), "\(place)")
            #expect(try !scene.statuses.contains("running"), "\(place)")
        }
    }
}

/// A pipeline with some of all that is stored, two versions of its feed, and a store on the tests' server.
private final class ServerFaultScene {
    private let folder = TemporaryFolder()
    private let server: TestServer
    private let cluster: Cluster
    private let definition: String
    private let pipeline: PipelineDefinition
    /// By version: what an undisturbed run makes, and how many messages it sends.
    private var afters: [Int: [String: [[String]]]] = [:]
    private var counts: [Int: Int] = [:]

    init(_ settings: String = "") throws {
        server = try TestServer()
        cluster = try Cluster.shared.get()
        definition = try folder.write(
            "items.jsonc",
            """
            {
              \(settings)
              "source": { "file": "feed.json" },
              "store": {
                "postgresql": { "database": "\(cluster.uri)", "schema": "\(server.location.schema)" }
              },
              "batchSize": 16,
              "limits": { "deletes": null },
              "entities": {
                "Item": {
                  "records": "$.items[*]", "identifier": "id", "absent": "delete",
                  "attributes": { "id": "integer", "name": { "type": "text", "index": true } },
                  "relationships": {
                    "parent": { "to": "Item" }, "region": { "to": "Region", "missing": "stub" },
                    "friends": { "to": "Item", "many": true, "from": "friends[*]" }
                  }
                },
                "Region": { "records": "$.regions[*]", "identifier": "id", "attributes": { "id": "text", "n": "real" } }
              }
            }
            """)
        pipeline = try PipelineDefinition.read(file: definition, environment: [:])
        for version in 1...2 { _ = try folder.write("v\(version).json", ServerFaultScene.feed(version)) }
    }

    private static func feed(_ version: Int) -> String {
        let items = (4 * version..<50 + 4 * version).map { id in
            """
            {"id":\(id),"name":"v\(version * (id % 3)) of \(id)","parent":\((id * 7 + version) % 60),"region":"r\(id % 5)",\
            "friends":[\((id + 13 * version) % 50),\((id + 3) % 60)]}
            """
        }
        return "{\"items\":[\(items.joined(separator: ",\n"))],\"regions\":[{\"id\":\"r1\",\"n\":\(version)}]}"
    }

    func drop() { try? server.drop() }

    private func words(_ version: Int, _ more: [String], _ proxy: ServerProxy?) -> [String] {
        [
            "run", definition, "--feed", folder.file("v\(version).json"), "--quiet", "--store",
            cluster.uri(through: proxy),
        ] + more
    }

    func run(_ version: Int, _ more: [String] = [], through proxy: ServerProxy? = nil) throws -> Sluice.Outcome {
        try RunningSluice(words(version, more, proxy)).ended()
    }

    /// Runs that nothing disturbs, until each version makes what it made before.
    func undisturbed(_ state: StoreState) throws {
        let versions = state == .new ? [2] : [1, 2, 1, 2]
        for version in versions {
            let proxy = try ServerProxy(to: cluster.socket)
            #expect(try run(version, through: proxy).status == 0)
            counts[version] = proxy.messages.count
            afters[version] = try contents()
        }
        if state == .existing {
            #expect(try run(1).status == 0)
            #expect(try contents() == afters[1])
            #expect(try run(2).status == 0)
            #expect(try contents() == afters[2])
        }
    }

    func messages(to version: Int) -> Int { counts[version] ?? 0 }

    func after(_ version: Int) -> [String: [[String]]]? { afters[version] }

    /// Starts a run that a fault meets at a message; its exit status.
    func disturb(_ version: Int, _ fault: ServerFaultTests.Fault, at moment: Int) throws -> Int32 {
        let victim = Mutex<Int32>(0)
        let proxy = try ServerProxy(to: cluster.socket) { message in
            if message.number != moment { return .passes }
            while fault == .killed {
                let id = victim.withLock { $0 }
                if id > 0 {
                    Foundation.kill(id, SIGKILL)
                    break
                }
                usleep(100)
            }
            return .isLost
        }
        let running = try RunningSluice(words(version, [], proxy))
        victim.withLock { $0 = running.id }
        return running.ended().status
    }

    /// All that users see of the store, and what waits; nil: there is none.
    func contents() throws -> [String: [[String]]]? {
        let name = server.location.schema
        guard try cluster.sql("SELECT 1 FROM pg_tables WHERE schemaname = '\(name)' AND tablename = 'Item'") == "1"
        else { return nil }
        let mirror = folder.file("mirror.sqlite")
        try StoreMirror(server, pipeline.model).write(to: mirror)
        let database = try Database(mirror)
        var contents = try database.contents()
        contents["waiting"] = try database.rows(
            "SELECT entity, relationship, value, position FROM sluice_unresolved ORDER BY 1, 2, 3, 4")
        contents["keys"] = try server.rows(
            """
            SELECT c.relname || ' ' || pg_get_constraintdef(k.oid) FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
            WHERE k.connamespace = '\"\(name)\"'::regnamespace AND c.relname LIKE 'Item%' UNION ALL
            SELECT relname || ' ' || regexp_replace(pg_get_indexdef(indexrelid), '^.*USING', '') FROM pg_index
            JOIN pg_class c ON c.oid = indrelid WHERE relnamespace = '\"\(name)\"'::regnamespace AND relname LIKE 'Item%'
            ORDER BY 1
            """
        ).map { [$0] }
        return contents
    }

    /// References to objects that are not there, by what they are.
    func dangling() throws -> [String] {
        guard try contents() != nil else { return [] }
        return try [("Item", "parent", "Item"), ("Item", "region", "Region"), ("Item_friends", "target", "Item")].filter
        {
            table, column, target in
            try !server.rows(
                "SELECT 1 FROM @\"\(table)\" s LEFT JOIN @\"\(target)\" t ON t.\"objectID\" = s.\(column)"
                    + " WHERE s.\(column) IS NOT NULL AND t.\"objectID\" IS NULL LIMIT 1"
            ).allSatisfy(\.isEmpty)
        }.map { "\($0.0).\($0.1)" }
    }

    var statuses: [String] {
        get throws {
            try cluster.sql("SELECT status FROM \"\(server.location.schema)\".sluice_run ORDER BY run")
                .split(separator: "\n").map(String.init)
        }
    }
}
