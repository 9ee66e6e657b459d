import Foundation
import Testing

/// The real feeds in `../shared/feeds/tate`: 69,202 artworks in 207 MB, with a tree of subjects each.
@Suite(.enabled(if: Feeds.isThere(Feeds.shared + "/tate"), "no ../shared/feeds/tate"))
struct TateTests {
    private let scratch = TemporaryFolder()

    @Test func artworksAreLinkedToTheirArtistsAndSubjects() throws {
        let store = scratch.file("tate.sqlite")
        let outcome = try Sluice.run(
            ["run", Sluice.path("Tests/EndToEndTests/Definitions/tate.jsonc"), "--format", "json"],
            environment: ["FEEDS": Feeds.shared, "STORE": store])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let database = try Database(store)
        #expect(try database.integer("SELECT count(*) FROM Artist") == 3534)
        #expect(outcome.counts("Artist")["duplicates"] as? [String: Int] == ["identical": 0, "conflicting": 4])
        #expect(try database.integer("SELECT count(*) FROM Artwork") == 69_202)
        #expect(try database.integer("SELECT count(*) FROM Artwork_artists") == 69_702)
        #expect(try database.integer("SELECT count(*) FROM sluice_unresolved") == 7)
        // The root of the tree included, which no artwork is linked to.
        #expect(try database.integer("SELECT count(*) FROM Subject") == 16_633)
        #expect(try database.integer("SELECT count(*) FROM Artwork_subjects") == 839_482)
        #expect(try database.isSound())
    }
}
