import Foundation
import SluiceRecords
import SluiceReport
import SluiceSchema
import TestSupport

/// The life of one store, night by night: its definition and its feeds change, runs succeed and fail, programs edit.
/// After each night the store holds what a naive model says, which knows nothing of batches.
final class History {
    /// What is left out of a history, to see whether it fails all the same.
    struct Cuts: Equatable {
        /// Numbers of nights.
        var nights: Set<Int> = []
        /// By night, numbers of elements of its feeds.
        var elements: [Int: Set<Int>] = [:]
        /// Nights that have no fault, edit or growth.
        var plain: Set<Int> = []
    }

    /// Where something was not as the model says.
    struct Trouble {
        var night: Int
        var differences: [String]
    }

    let seed: Int
    let folder: String
    private let stores: [NightStore]
    private let cuts: Cuts
    private let hasFullDisks: Bool
    /// Whether the nights may know their feed by the night before, as most real ones do.
    let isKnowable: Bool
    /// Whether little else happens in them.
    private let isCalm: Bool
    private var definition: TestDefinition
    private var model: ModelStore
    private var feeds: NightFeeds
    /// Spells the definition; another one where it has changed.
    private var spelling: Int
    /// Gives what the definition describes other places, from night to night; 0: those that it has.
    private var order = 0
    /// The feeds, definition and pipeline of the last run that succeeded.
    private var last: (bytes: [UInt8], text: String)?
    /// The definition whose names the store has.
    private var stored: TestDefinition
    private var past = NaivePast()
    private(set) var tally = NightTally()
    /// What the nights were, a line each.
    private(set) var log: [String] = []
    /// How many elements the feeds of each night have, before any are left out.
    private(set) var elements: [Int: Int] = [:]

    /// - Parameters:
    ///   - folder: is made, and is the history's own.
    ///   - hasFullDisks: whether disks may be full: that is so for the whole process.
    init(_ seed: Int, ways: [Way], folder: String, cuts: Cuts = Cuts(), hasFullDisks: Bool = true) throws {
        (self.seed, self.folder, self.cuts, self.hasFullDisks) = (seed, folder, cuts, hasFullDisks)
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        stores = ways.map { NightStore(way: $0, folder: folder) }
        var profile = SeededRandom(seed &* 7919 &+ 11)
        isKnowable = profile.below(3) == 0
        var generator = DefinitionGenerator(random: SeededRandom(seed))
        definition = generator.make()
        // Where identifiers have one part, references find their targets: what waits for one is read in full.
        let isSimple = isKnowable && profile.below(3) > 0
        isCalm = isSimple
        while isSimple, definition.hasCompounds {
            generator = DefinitionGenerator(random: SeededRandom(profile.below(1 << 30)))
            definition = generator.make()
        }
        // Services answer in another process.
        for index in definition.sources.indices { definition.sources[index].service = nil }
        if isKnowable {
            definition.repeatsGroups = profile.below(8) == 0
            for index in definition.sources.indices where profile.below(8) > 0 {
                definition.sources[index].isLines = definition.sources[index].delimiter != nil
            }
            definition.makeKnowable(&profile)
            if isSimple { definition.simplifyReferences(&profile) }
        }
        var searches = SeededRandom(seed)
        definition.drawSearches(&searches)
        stored = definition
        spelling = generator.random.below(1 << 30)
        model = ModelStore(definition.model)
        feeds = NightFeeds(
            definition, spread: (isKnowable ? [40, 400, 4000] : [3, 12, 40])[generator.random.below(3)],
            hasLoners: isKnowable)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// The nights, until one goes wrong.
    func run(nights: Int) throws -> Trouble? {
        for number in 0..<nights where !cuts.nights.contains(number) {
            let differences = try run(number)
            if !differences.isEmpty { return Trouble(night: number, differences: differences) }
        }
        let differences = stores.filter(\.way.keepsPast).flatMap { past.differences($0) }
        return differences.isEmpty ? nil : Trouble(night: nights - 1, differences: differences)
    }

    private func run(_ number: Int) throws -> [String] {
        var night = Night(seed, number)
        if isKnowable { night.makeKnowable(isCalm: isCalm) }
        if cuts.plain.contains(number) { (night.fault, night.growth, night.edits) = (.none, 0, false) }
        if night.fault == .fullDisk, !hasFullDisks { night.fault = .none }
        // What is done until such a moment depends on the way.
        if stores.count > 1, [.fullDisk, .cancelled].contains(night.fault) { night.fault = .none }
        if night.edits { try edit(&night) }
        grow(&night)
        let isReadable = try changeFeeds(&night)
        var text = self.text(order: order)
        if night.fault == .limit {
            text = text.replacingOccurrences(of: "\"\(night.limit.rawValue)\": null", with: "")
            text = text.replacingOccurrences(
                of: "\"limits\": { ", with: "\"limits\": { \"\(night.limit.rawValue)\": 0, "
            )
            .replacingOccurrences(of: ", ,", with: ",")
        }
        let saved = (model: model, definition: definition)
        let pipeline = pipeline(night)
        // Other places make no other definition.
        let meaning = pipeline + (night.fault == .limit ? text : self.text(order: 0))
        definition.findMembers(feeds.values)
        model.model = definition.model
        let extraction = TestExtraction(definition: definition, model: definition.model)
        model.run(records, hidden: extraction.hidden(in: feeds.values))
        let outcomes = try stores.map { try $0.run(night, text, pipeline: pipeline) }
        tally.count(night, outcomes.map(\.report), isKnowable: isKnowable)
        log.append("\(night.summary): \(pipeline), \(outcomes[0].report.outcome.status)")
        var differences = outcomes.flatMap { judge($0.report, night, isReadable: isReadable) }
        let status = outcomes[0].report.outcome.status
        switch status {
        case .succeeded:
            last = (feeds.bytes, meaning)
            stored = definition
            differences += zip(stores, outcomes).flatMap { store, outcome in
                counts(outcome.report).map { "\(store.way.name): \($0)" }
            }
        case .unchanged, .failed, .cancelled:
            (model, definition) = saved
            if status == .unchanged, last?.bytes != feeds.bytes || last?.text != meaning {
                differences.append("unchanged, though the feeds or the definition have changed")
            }
        }
        for store in stores { differences += StoreCheck(stored, model, store).differences }
        for (store, outcome) in zip(stores, outcomes) where store.way.keepsPast {
            if let run = outcome.report.run { past.note(run, NaivePast.Moment(definition: stored, model: model)) }
        }
        return differences + difference(between: outcomes)
    }

    /// A program gives some objects another text.
    private func edit(_ night: inout Night) throws {
        guard stores.allSatisfy({ FileManager.default.fileExists(atPath: $0.path) }) else { return }
        let entity = night.random.below(stored.entities.count)
        let able = stored.entities[entity].attributes.indices.filter { place in
            let attribute = stored.entities[entity].attributes[place]
            return attribute.type == .text && !attribute.isMany && !stored.entities[entity].identifier.contains(place)
        }
        guard !able.isEmpty else { return }
        let place = able[night.random.below(able.count)]
        let olds: [TestValue] = [.null, .text("a"), .text("1"), .text("x1")]
        let old = olds[night.random.below(olds.count)]
        model.edit(entity, place, from: old, to: .text("edited \(night.number)"))
        for store in stores {
            try store.edit(
                quoted(stored.entities[entity].table ?? stored.entities[entity].name),
                quoted(stored.entities[entity].attributes[place].name),
                from: old == .null ? "NULL" : quotedText(old.description), to: quotedText("edited \(night.number)"))
        }
        // Which is no reason to read a feed again.
    }

    private func grow(_ night: inout Night) {
        var growth = Growth(random: night.random, night: night.number, model: model)
        for _ in 0..<night.growth { growth.change(&definition) }
        night.random = growth.random
        if isKnowable, night.growth > 0 { definition.makeKnowable(&night.random) }
        var searches = SeededRandom(seed + night.number)
        if night.growth > 0, searches.below(3) == 0 { definition.drawSearches(&searches) }
        if night.growth > 0 { spelling += 1 }
        if searches.below(isKnowable ? 20 : 5) == 0 { order = searches.below(4) }
    }

    /// Returns whether they can be read.
    private func changeFeeds(_ night: inout Night) throws -> Bool {
        feeds.change(night.change, &night.random)
        elements[night.number] = feeds.elementCount
        if let cut = cuts.elements[night.number] { feeds.thin({ !cut.contains($0) }, &night.random) }
        if night.fault == .brokenFeed { return try !feeds.writeBroken(to: folder, &night.random) }
        try feeds.write(to: folder)
        return true
    }

    private func text(order: Int) -> String {
        var random = SeededRandom(spelling)
        return definition.json(&random, order: order)
    }

    private func pipeline(_ night: Night) -> String {
        definition.canBeShared && night.pipeline == 1 ? "other" : "nights"
    }

    /// What the definition makes of the feeds.
    private var records: [TestRecord] {
        let extraction = TestExtraction(definition: definition, model: definition.model)
        return feeds.values.enumerated().flatMap { file, feed in
            definition.entities.indices.filter { definition.entities[$0].sources.contains(feed.source) }.flatMap {
                entity in
                extraction.records(of: entity, in: feed.values).map { record in
                    var record = record
                    record.place += file << 32
                    return record
                }
            }
        }
    }

    // MARK: Judging

    /// Whether the run has ended as the night wants it.
    private func judge(_ report: RunReport, _ night: Night, isReadable: Bool) -> [String] {
        let outcome = report.outcome
        let said = "\(outcome.status) \(outcome.error.map(\.description) ?? "") \(outcome.exceeded.map(\.message))"
        let isDone = [.succeeded, .unchanged].contains(outcome.status)
        switch night.fault {
        case .none: return isDone ? [] : [said]
        case .brokenFeed:
            if isReadable { return isDone ? [] : [said] }
            return outcome.status == .failed && outcome.error?.kind == .data ? [] : ["a broken feed: \(said)"]
        case .limit:
            let isExceeded = found(night.limit) > 0
            if outcome.status == .unchanged { return [] }
            if isExceeded { return outcome.exceeded.isEmpty ? ["\(night.limit) are exceeded: \(said)"] : [] }
            return isDone ? [] : ["\(night.limit) are not exceeded: \(said)"]
        case .fullDisk:
            let kinds: [Failure.Kind] = [.io, .uncreatable]
            let isFull = outcome.status == .failed && outcome.error.map { kinds.contains($0.kind) } == true
            return isDone || isFull ? [] : ["a full disk: \(said)"]
        case .cancelled: return isDone || outcome.status == .cancelled ? [] : ["cancelled: \(said)"]
        }
    }

    private func found(_ limit: Night.Limit) -> Int {
        switch limit {
        case .rejects: model.counts.reduce(0) { $0 + $1.rejected }
        case .unresolved: model.counts.flatMap(\.relationships).reduce(0) { $0 + $1.unresolved }
        case .duplicates: model.counts.reduce(0) { $0 + $1.conflicting }
        case .deletes: model.counts.reduce(0) { $0 + $1.deleted }
        }
    }

    /// What a run that succeeded counts in another way than the model.
    private func counts(_ report: RunReport) -> [String] {
        var differences: [String] = []
        func compare<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) {
            if found != expected { differences.append("\(what): \(found), expected \(expected)") }
        }
        for (index, entity) in definition.entities.enumerated() {
            let facts = report.entities.first { Text($0.name) == Text(entity.name) }
            compare("counts of \(entity.name)", facts.map { counts($0, in: entity) }, model.counts[index])
        }
        compare("unresolved", report.found.counts[.unresolved, default: 0], found(.unresolved))
        let duplicates = model.counts.reduce(0) { $0 + $1.identical + $1.conflicting }
        compare("duplicates", report.found.counts[.duplicate, default: 0], duplicates)
        compare("rejects", report.found.counts[.reject, default: 0], found(.rejects))
        return differences
    }

    /// The counts of an entity, with its relationships in the order that they have here.
    private func counts(_ facts: RunReport.EntityFacts, in entity: TestDefinition.Entity) -> EntityCounts {
        var counts = facts.counts
        for (index, relationship) in entity.relationships.enumerated() {
            guard let place = facts.relationships.firstIndex(where: { Text($0) == Text(relationship.name) }) else {
                continue
            }
            counts.relationships[index] = facts.counts.relationships[place]
        }
        return counts
    }

    /// What one way says and another does not.
    private func difference(between outcomes: [NightStore.Outcome]) -> [String] {
        guard let first = outcomes.first, let last = outcomes.last, outcomes.count > 1 else { return [] }
        let isEven = first.report.outcome.status == .succeeded && last.report.outcome.status == .succeeded
        if first.report.outcome.status != last.report.outcome.status {
            return ["\(first.report.outcome.status) and \(last.report.outcome.status)"]
        }
        guard isEven, let one = first.told, let other = last.told else { return [] }
        return other.differences(from: one).map { "\(stores[stores.count - 1].way.name) \($0)" }
    }
}
