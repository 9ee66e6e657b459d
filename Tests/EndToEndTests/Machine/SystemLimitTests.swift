import Foundation
import Testing

/// What the system does not give: threads, descriptors, memory. A run ends soon, says what it lacks, and leaves the
/// store as it was; or it can do without.
@Suite(.serialized) struct SystemLimitTests {
    /// Longer than what is digested by the parser's own thread.
    private static let feed = "{\"items\": [\((0..<1100).map(item).joined(separator: ",\n"))]}"

    private static func item(_ id: Int) -> String {
        "{\"id\": \(id), \"name\": \"\(String(repeating: "n", count: 1000))\", \"parent\": \(id / 2)}"
    }

    private func scene(_ state: StoreState) throws -> Scene {
        let scene = try Scene(state, settings: #""after": { "failed": ["true"] },"#)
        _ = try scene.folder.write("feed.json", Self.feed)
        return scene
    }

    /// Runs, and checks that it succeeds, or fails with one of the statuses, a message, and everything as it was.
    private func check(
        _ scene: Scene, _ statuses: Set<Int32>, _ what: String, environment: [String: String] = [:],
        through wrapper: [String] = [], _ arguments: [String] = []
    ) throws -> Sluice.Outcome {
        try scene.folder.remove("store.sqlite")
        if scene.state == .existing { _ = try Sluice.run(["run", scene.definition, "--feed", small(scene)]) }
        let before = try scene.state == .existing ? Database(scene.store).snapshot() : []
        let files = scene.folder.names
        let words = ["run", scene.definition] + arguments
        let outcome = try Sluice.run(words, environment: environment, through: wrapper)
        if outcome.status == 0 {
            #expect(try Database(scene.store).integer("SELECT count(*) FROM Item") == 1100, "\(what)")
        } else {
            #expect(statuses.contains(outcome.status), "\(what): \(outcome.status), \(outcome.errors)")
            #expect(outcome.errors.contains("sluice: "), "\(what): \(outcome.errors)")
            #expect(scene.folder.names == files, "\(what)")
            if scene.state == .existing {
                #expect(try Database(scene.store).snapshot() == before, "\(what)")
            }
        }
        return outcome
    }

    private func small(_ scene: Scene) throws -> String { try scene.folder.write("small.json", Scene.goodFeed) }

    /// The first thread that is not given is one that a run needs, or one that it can do without.
    @Test(.enabled(if: FaultShim.isThere, "there is no C compiler"), arguments: StoreState.allCases)
    func threads(state: StoreState) throws {
        let scene = try scene(state)
        _ = try small(scene)
        for (isSticky, progress) in [(true, "always"), (false, "auto")] {
            var endings: [Int32] = []
            for number in 1...6 {
                let outcome = try check(
                    scene, [74], "thread \(number)\(isSticky ? " and all later ones" : "")",
                    environment: FaultShim.lackingThreads(from: number, isSticky: isSticky),
                    ["--progress", progress])
                if outcome.status != 0 {
                    #expect(outcome.errors.contains("cannot be started: Resource temporarily unavailable"))
                }
                endings.append(outcome.status)
            }
            // That which takes signals, and that which reads; after them, those that only watch or help.
            #expect(endings.filter { $0 == 74 }.count >= 2, "\(endings)")
            #expect(endings.last == 0, "\(endings)")
        }
    }

    /// What waits of an entity waits in memory until there is much of it: no file is open for each entity.
    @Test func entitiesTakeNoDescriptors() throws {
        let folder = TemporaryFolder()
        let entities = (0..<100).map { number in
            #""E\#(number)": { "records": "$.e\#(number)[*]", "identifier": "id", "attributes": { "id": "integer" },"#
                + #" "relationships": { "next": { "to": "E\#((number + 1) % 100)", "missing": "stub" } } }"#
        }
        let definition = try folder.write(
            "many.jsonc",
            #"{ "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, "entities": {"#
                + entities.joined(separator: ",\n") + "} }")
        let lists = (0..<100).map { #""e\#($0)": [{ "id": 1, "next": 1 }, { "id": 1, "next": 2 }]"# }
        _ = try folder.write("feed.json", "{ \(lists.joined(separator: ",\n")) }")
        let outcome = try Sluice.run(["run", definition], through: ["/usr/bin/prlimit", "--nofile=24"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Database(folder.file("store.sqlite")).integer("SELECT sum(next) FROM E7") == 2)
    }

    @Test(arguments: StoreState.allCases) func descriptors(state: StoreState) throws {
        let scene = try scene(state)
        _ = try small(scene)
        var endings: [Int32] = []
        for number in 5...16 {
            let outcome = try check(
                scene, [73, 74], "\(number) descriptors", through: ["/usr/bin/prlimit", "--nofile=\(number)"])
            endings.append(outcome.status)
            #expect(
                outcome.status == 0 || outcome.errors.contains("Too many open files"), "\(number): \(outcome.errors)")
        }
        #expect(endings.first != 0 && endings.last == 0, "\(endings)")
    }

    /// From what the command needs to start to what a run needs. Whatever ended for it, the next run is not harmed.
    @Test func memory() throws {
        let scene = try scene(.existing)
        let feed = try small(scene)
        let before = try Database(scene.store).snapshot()
        var least = 48 << 20
        while try Sluice.run(["--version"], through: limited(to: least)).status != 0 { least += 4 << 20 }
        var limit = least + (4 << 20)
        var endings: [Int32] = []
        while endings.last != 0, limit < least + (400 << 20) {
            let outcome = try Sluice.run(["run", scene.definition, "--force"], through: limited(to: limit))
            endings.append(outcome.status)
            #expect([0, 73, 74].contains(outcome.status), "\(limit): \(outcome.status), \(outcome.errors)")
            #expect(outcome.status == 0 || outcome.errors.contains("sluice: "), "\(limit)")
            if outcome.status != 0 { #expect(try Database(scene.store).snapshot() == before, "\(limit)") }
            limit += FaultEffort.rounds(8, long: 1) << 20
        }
        #expect(endings.first != 0 && endings.last == 0, "\(endings)")
        #expect(try Sluice.run(["run", scene.definition, "--feed", feed]).status == 0)
        #expect(try Database(scene.store).isSound())
    }

    private func limited(to bytes: Int) -> [String] { ["/usr/bin/prlimit", "--as=\(bytes)"] }
}
