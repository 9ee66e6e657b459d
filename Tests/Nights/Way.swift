import Sluice

/// A way to run the nights of a history: what is changed in the options of each run, and in the text of its definition.
///
/// With `SLUICE_NIGHTS_WAYS=NAME`, or `--ways NAME`, each night is run in both ways of a pair, each on a store of its
/// own. Both stores must hold what the model says, and the reports (but for times, numbers and sizes of caches) and
/// findings must be equal. A feature that must change nothing but the time of a run is tried so: add a pair to
/// ``pairs``.
struct Way: Sendable {
    var name: String
    /// Changes the options of a run, which has those of its night.
    var options: @Sendable (inout RunOptions) -> Void = { _ in }
    /// Changes the definition's text, JSON whose members stand in any order.
    var definition: @Sendable (String) -> String = { $0 }

    /// Whether the store keeps its past, which is compared with a naive one.
    var keepsPast = false

    /// As each night says.
    static let plain = Way(name: "plain")

    /// The pairs, by the name of their second way.
    static let pairs: [(one: Way, other: Way)] = [
        (plain, Way(name: "small-batches", options: { ($0.batchSize, $0.cacheLimit) = (1, 1) })),
        (
            Way(
                name: "all-read",
                definition: { $0.replacing("\"store\":", with: "\"fingerprints\": false, \"store\":") }),
            Way(name: "fingerprints")
        ),
        (plain, Way(name: "large-batches", options: { ($0.batchSize, $0.cacheLimit) = (5000, nil) })),
        (plain, keeping),
    ]

    /// With a history.
    static let keeping = Way(
        name: "history", definition: { $0.replacing("\"store\":", with: "\"history\": true, \"store\":") },
        keepsPast: true)

    /// The ways in which nights may run alone: on full disks, too, and ended in the middle.
    static let alone = [plain, Way(name: "past", definition: keeping.definition, keepsPast: true)]

    /// Both ways of a pair, or the one that is alone; nil: there is none of this name.
    static func named(_ name: String) -> [Way]? {
        pairs.first { $0.other.name == name }.map { [$0.one, $0.other] }
            ?? alone.first { $0.name == name }.map { [$0] }
    }

    static var names: [String] { (pairs.map(\.other) + alone).map(\.name) }
}
