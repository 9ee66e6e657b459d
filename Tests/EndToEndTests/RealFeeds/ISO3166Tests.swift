import Foundation
import Testing

/// `Pipelines/iso-3166.jsonc` on the feeds of Debian's package iso-codes.
@Suite(.enabled(if: Feeds.isThere(Feeds.isoCodes), "the package iso-codes is missing"))
struct ISO3166Tests {
    private let scratch = TemporaryFolder()
    private var store: String { scratch.file("iso.sqlite") }

    private func run(_ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(["run", Sluice.path("Pipelines/iso-3166.jsonc"), "--store", store, "--format", "json"] + more)
    }

    /// The identifier of a subdivision's parent, as the naive reading has it.
    private func parent(_ record: [String: Any]) -> String {
        guard let parent = record["parent"] as? String, let code = record["code"] as? String else { return "∅" }
        return parent.dropFirst(2).hasPrefix("-") ? parent : code.prefix(2) + "-" + parent
    }

    @Test func everyCountryAndSubdivisionIsThere() throws {
        let outcome = try run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let contents = try Database(store).contents()
        let countries = try Feed.records(Feeds.isoCodes + "/iso_3166-1.json", "3166-1").map { record in
            ["alpha_2", "alpha_3", "numeric", "name", "official_name", "common_name", "flag"].map {
                Feed.text(record[$0])
            }
        }
        let records = try Feed.records(Feeds.isoCodes + "/iso_3166-2.json", "3166-2")
        let subdivisions = records.map { record in
            let code = Feed.text(record["code"])
            return [code, Feed.text(record["name"]), Feed.text(record["type"]), String(code.prefix(2)), parent(record)]
        }
        #expect(contents["Country"] == countries.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(contents["Subdivision"] == subdivisions.sorted { $0.lexicographicallyPrecedes($1) })
        let parents = records.count { $0["parent"] != nil }
        #expect(try Database(store).integer("SELECT count(parent) FROM Subdivision") == parents)
        #expect(try Database(store).isSound())
    }

    @Test func aSecondRunChangesNothing() throws {
        _ = try run()
        let before = try Database(store).rows("SELECT * FROM Subdivision ORDER BY objectID")
        let outcome = try run("--force")
        #expect(outcome.count("Subdivision", "unchanged") == before.count)
        #expect(outcome.count("Country", "unchanged") == outcome.count("Country", "records"))
        #expect(try Database(store).rows("SELECT * FROM Subdivision ORDER BY objectID") == before)
    }

    @Test(arguments: ["1", "7", "100000"])
    func theBatchSizeMakesNoDifference(size: String) throws {
        _ = try run()
        let other = scratch.file("other.sqlite")
        let outcome = try run("--batch-size", size, "--store", other)
        #expect(outcome.status == 0)
        #expect(try Database(other).contents() == Database(store).contents())
    }
}
