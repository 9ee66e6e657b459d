import Foundation
import TestSupport
import Testing

/// How often a run waits for its server: each time costs the way there and back.
@Suite struct ServerTrafficTests {
    /// What a run does with the feed of a night.
    enum Night: CaseIterable {
        /// All objects are new.
        case first
        /// Nothing has changed.
        case clean
        /// Objects have changed in different columns, others are new or gone; links have changed; targets are missing.
        case dirty
    }

    /// Items of a size, and their links. Each tenth of them is alike, so that larger feeds hold the same in other
    /// numbers.
    private func feed(_ count: Int, _ night: Night) -> String {
        let version = night == .dirty ? 2 : 1
        // Some are only in the first feed, and some only in the second.
        let items = (0..<count).filter { $0 % 10 != 7 + version }.map { id in
            let kind = id % 10
            let name = [1, 2].contains(kind) ? "name \(version) of \(id)" : "name of \(id)"
            let price = [2, 3].contains(kind) ? version : 1
            let parent = kind == 4 ? id + version * count * 10 : (id + (kind == 5 ? version : 1)) / 10 * 10
            let friends = kind == 6 ? [id - version, id - 3] : kind == 5 ? [id - 1, count * 20 + id] : [id / 10 * 10]
            return "{\"id\":\(id),\"name\":\"\(name)\",\"price\":\(price),\"parent\":\(parent),\"friends\":\(friends)}"
        }
        // A feed that the store has would end the run at once.
        let end = night == .clean ? "\n" : ""
        return "{\"items\":[\(items.joined(separator: ",\n"))]}\(end)"
    }

    private static let entity = """
        , "absent": "delete"
        """

    private func scene() throws -> ServerScene {
        let scene = try ServerScene("\"limits\": { \"deletes\": null },", entity: Self.entity)
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc",
            text.replacing(
                "\"parent\": { \"to\": \"Item\" }",
                with:
                    "\"parent\": { \"to\": \"Item\" }, \"friends\": { \"to\": \"Item\", \"many\": true, \"from\": \"friends[*]\" }"
            ))
        return scene
    }

    /// How often a run waits that meets `count` items in batches of a size.
    private func roundTrips(_ night: Night, _ count: Int, batch: Int) throws -> Int {
        let scene = try scene()
        func run(_ night: Night, through proxy: ServerProxy?) throws -> Sluice.Outcome {
            _ = try scene.folder.write("feed.json", feed(count, night))
            return try scene.run(
                "run", "--format", "json", "--batch-size", "\(batch)", "--store",
                scene.cluster.uri(through: proxy))
        }
        if night != .first { #expect(try run(.first, through: nil).status == 0) }
        let proxy = try ServerProxy(to: scene.cluster.socket)
        let outcome = try run(night, through: proxy)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let fractions: [String: Int] =
            switch night {
            case .first: ["created": 9]
            case .clean: ["unchanged": 9]
            // Kinds 1, 2, 3 and 6 have changed, 8 is gone, 9 is new; of kind 4 another target is missing.
            case .dirty: ["created": 1, "deleted": 1, "updated": 4, "unchanged": 4]
            }
        for (key, tenths) in fractions { #expect(outcome.count("Item", key) == count / 10 * tenths, "\(key)") }
        return proxy.roundTrips
    }

    @Test(arguments: Night.allCases)
    func noStatementIsForARecord(_ night: Night) throws {
        // Ten times as many records in as many batches are as many statements.
        let few = try roundTrips(night, 40, batch: 20)
        let many = try roundTrips(night, 400, batch: 200)
        #expect(few == many)
        // Each batch more, of objects with a reference and with links, is three statements more that are waited for:
        // what is new, what references lead to, and what links there are. What is read ahead and what is written goes
        // with these.
        let batches = try roundTrips(night, 400, batch: 20)
        // In a dirty night, a hundred and more references wait for their targets, which is looked at again in batches.
        let more = 18 + (night == .dirty ? 8 : 0)
        #expect(batches - many <= more * 3, "\(batches - many) for \(more) batches")
        // Deletions wait for what they take away. Fingerprints are looked for, and whether others have written: four
        // times.
        #expect(many - 2 * 3 <= (night == .dirty ? 28 : 19), "\(many) with two batches")
    }

    @Test func aFeedThatTheStoreHas() throws {
        let scene = try scene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let proxy = try ServerProxy(to: scene.cluster.socket)
        let outcome = try scene.run("run", "--format", "json", "--store", scene.cluster.uri(through: proxy))
        #expect(outcome.status == 0 && outcome.output.contains("\"unchanged\""), "\(outcome.errors)")
        #expect(proxy.roundTrips <= 12, "\(proxy.roundTrips)")
    }
}
