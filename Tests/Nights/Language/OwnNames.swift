import TestSupport

/// Names for definitions that are names of ours: columns of parts, of waiting lists, of link tables and of the ledger,
/// tables and aliases of plans, files and folders beside those of entities. None is met twice.
struct OwnNames {
    private var random: SeededRandom
    private let areGiven: Bool
    private var entities: [String]
    private var attributes: [String]
    private var relationships: [String]

    /// Gives some names, or none at all.
    init(_ random: SeededRandom) {
        self.random = random
        areGiven = self.random.below(3) == 0
        entities = [
            "findings", "report.json", "model.json", "files.json", "CURRENT", "LOCK", "STATE", "manifest", "rejects",
            "parts", "part_records", "part_findings", "counts", "last", "files", "before", "waited", "entity",
            "impossible", "1", "data.parquet", ".work-1", "../x", "a%2Fb", "gone", "batch", "new", "excluded", "temp",
            "C", "f", "g", "i", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "v", "w", "x", "y", "one", "edits",
            "pg_class", "pg_namespace", "unnest", "jsonb",
        ].shuffled(using: &self.random)
        attributes = [
            "_source", "_file", "_PART", "_offset", "_record", "_line", "_column", "_path", "_absent", "_absent.1",
            "_gone", "run.entity", "path.1", "path.impossible", "source.entity", "line.1", "a0", "a1", "x0", "y0",
            "t0", "e0", "k0", "id0", "loc", "stub", "mark", "described", "entity", "relationship", "keys",
            "with", "rowid", "oid", "_rowid_", "parts/findings", "counts", "c", "h", "filename", "excluded",
            "value", "o", "r", "t", "v", "k", "g", "m", "imported", "type", "atom", "first", "is_new", "object", "own",
        ].shuffled(using: &self.random)
        relationships = [
            "source", "file", "path", "record", "line", "column", "offset", "run", "position", "target",
            "data.parquet", "x.ndjson", "r0t0p0", "r0i0", "f0x0", "b0", "numbers", "findings", "source.impossible",
            "after", "s", "kind", "findings.entity",
        ].shuffled(using: &self.random)
    }

    mutating func entity() -> String? { isDrawn() ? entities.popLast() : nil }
    mutating func attribute() -> String? { isDrawn() ? attributes.popLast() : nil }
    mutating func relationship() -> String? { isDrawn() ? relationships.popLast() : nil }

    private mutating func isDrawn() -> Bool { areGiven && random.below(2) == 0 }
}
