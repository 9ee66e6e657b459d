import Testing

@testable import SluiceDefinition

/// Which keys have a part in what a run makes of a feed, and in what it takes of it: digests of definitions, which
/// stores hold, go by that.
@Suite struct KeyEffectTests {
    @Test func keysWithoutEffect() {
        #expect(
            KeyTable.names(of: "pipeline", with: [.none]) == [
                "$schema", "name", "store", "batchSize", "commit", "archive", "findings", "ledger", "changes",
                "fingerprints", "after", "seed",
            ])
        #expect(
            KeyTable.names(of: "source", with: [.none]) == [
                "file", "auth", "headers", "timeout", "retries", "rate", "maxBytes", "parallel", "requests", "resume",
                "cache",
            ])
    }

    @Test func keysOfTheStore() {
        #expect(
            KeyTable.names(of: "source", with: [.onStore]) == [
                "new", "columns", "fails", "notFound", "maxText", "maxRecord", "maxDepth",
            ])
        #expect(
            KeyTable.names(of: "entity", with: [.onStore]) == [
                "source", "table", "was", "duplicates", "repeats", "absent", "onAbsent", "within", "ignore", "limits",
                "drift",
                "orphans", "history", "search", "near",
            ])
        #expect(KeyTable.names(of: "attribute", with: [.onStore]) == ["was", "index", "onAbsent"])
        #expect(KeyTable.names(of: "relationship", with: [.onStore]) == ["was", "onDelete", "onAbsent"])
    }
}
