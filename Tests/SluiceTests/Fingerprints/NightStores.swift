import Testing

/// Two stores with the same nights: one of them reads all, the other knows items by the night before.
final class NightStores {
    private var full, quick: NightStore

    /// - Parameter filterBytes: see `NightStore.filterBytes`.
    init(_ definition: String, _ kind: NightStore.Kind, filterBytes: Int?) throws {
        full = try NightStore(definition, kind, readsAll: true)
        quick = try NightStore(definition, kind, readsAll: false)
        full.filterBytes = filterBytes
        quick.filterBytes = filterBytes
    }

    deinit {
        full.remove()
        quick.remove()
    }

    var both: [NightStore] { [full, quick] }
    var folders: [String] { both.map(\.folder) }

    /// Runs a night on both, which must make the same of it. Returns how many records were known.
    ///
    /// - Parameter isTried: whether a dry run must say the same before.
    func run(_ place: String, isTried: Bool = true) throws -> Int {
        let dry = isTried ? try quick.run(isDry: true).outcome : nil
        let expected = try full.run().outcome
        let (found, known) = try quick.run()
        found.expect(expected, place)
        if let dry { #expect(dry.findings == found.findings && dry.status == found.status, "dry, \(place)") }
        return known
    }
}
