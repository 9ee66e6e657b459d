import FeedReference
import SluiceExtract
import SluiceRecords
import SluiceTransform
import TestSupport
import Testing

@testable import Sluice

/// What `where` leaves out is no record: it has no number, is no reject, and its fields are no drift.
@Suite struct LeftOutTests {
    /// What conditions ask for here, and as what the reference tells it.
    private static let literals: [Literal] = [.null, .boolean(true), .number("0.0"), .text("x"), .text("id")]
    private static let told: Set = ["null", "yes", "number:0", "number:-0.0E-3", "integer:0", "string:x", "string:id"]

    /// Random entities, most with conditions, in two random feeds: compared with the reference.
    @Test(arguments: SeededRandom.seeds(0..<40)) func sameAsTheReference(seed: Int) throws {
        var generator = FeedReference.FeedGenerator(seed: UInt64(31_000 + seed))
        generator.mayBreakStrings = seed % 4 == 0
        let entities = (0...seed % 3).map { LeftOutTests.entity($0, &generator) }
        let feeds = (0...1).map { _ in generator.feed(values: 1 + seed % 3) }
        let reading = try Reading(entities)
        try reading.read(
            feeds, sizes: [[.max], [1], [3, 7]][seed % 3],
            options: .lines.with(chunk: 5, batch: [1, 2, 5000][seed / 3 % 3]))
        let expected = Expectation(entities, feeds)
        let definition = entities.map { "\($0.records) \($0.slots) \($0.conditions.flatMap(\.slots))" }.joined(
            separator: "\n")
        let text = feeds.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n---\n")
        #expect(reading.records.sorted() == expected.records.sorted(), "\(definition)\n\(text)")
        #expect(reading.lines == expected.lines, "\(definition)\n\(text)")
        if expected.areAlone { #expect(reading.untaken == expected.untaken, "\(definition)\n\(text)") }
        #expect(reading.faults == 0)
    }

    private static func entity(_ number: Int, _ generator: inout FeedReference.FeedGenerator) -> Entity {
        var entity = generator.entity("E\(number)")
        // Which nodes `^` means is known only when there is a record in them.
        entity.slots.removeAll { $0.path.parents > 0 || $0.json }
        entity.sources = [0, 1]
        entity.attributes = entity.slots.indices.map { slot in
            Attribute(name: "a\(slot)", value: ValueRule(.slot(slot)), conversion: Conversion(.text))
        }
        if Int.random(in: 0...3, using: &generator) > 0 {
            let slots = entity.slots.indices.filter { !entity.slots[$0].many }
            entity.conditions = slots.shuffled(using: &generator).prefix(1).map {
                RecordCondition(slot: $0, values: literals)
            }
        }
        return entity
    }

    /// What the reference says.
    private struct Expectation {
        var records: [String] = []
        var lines: [String] = []
        /// By the first of the entities that share them: how many elements none of these takes.
        var untaken: [String: Int] = [:]
        /// Whether no other entity may have the elements that some share.
        var areAlone = true

        init(_ entities: [Entity], _ feeds: [[UInt8]]) {
            let all = feeds.map { feed in
                entities.map { entity in
                    referenceRecords(feed, entity).filter { record in
                        entity.conditions.flatMap(\.slots).allSatisfy { LeftOutTests.told.contains(record.cells[$0]) }
                    }
                }
            }
            for source in all.indices {
                for entity in entities.indices {
                    records += all[source][entity].enumerated().map { "\(source) \(entity) \($0) @\($1.start)" }
                }
            }
            var found: [String: (count: Int, first: String)] = [:]
            for (source, feed) in feeds.enumerated() {
                let fields = ReferenceDrift(entities).found(in: feed) { entity, start in
                    all[source][entity].contains { $0.start == start }
                }
                for field in fields {
                    let number = all[source][field.entity].firstIndex { $0.start == field.starts[0] } ?? -1
                    let first = "\(source) \(number) @\(field.starts[0])"
                    let known = found["E\(field.entity) \(field.path)"] ?? (0, first)
                    found["E\(field.entity) \(field.path)"] = (known.count + field.starts.count, known.first)
                }
            }
            lines = found.map { "\($0.key) \($0.value.count) \($0.value.first)" }
            for (index, entity) in entities.enumerated() {
                let records = all.enumerated().flatMap { source, lists in
                    lists[index].enumerated().map { (place: "\(source) \($0) @\($1.start)", cells: $1.cells) }
                }
                guard let first = records.first else { continue }
                for slot in entity.slots.indices where records.allSatisfy({ $0.cells[slot] == "absent" }) {
                    lines.append("E\(index) missing a\(slot) \(first.place)")
                }
            }
            lines.sort()
            for feed in feeds { countUntaken(entities, feed) }
        }

        /// Of entities that all ask for the value at one path: records of the first one with another value.
        private mutating func countUntaken(_ entities: [Entity], _ feed: [UInt8]) {
            for paths in Set(entities.map(\.records)) {
                let sharing = entities.indices.filter { entities[$0].records == paths }
                guard sharing.count > 1, sharing.allSatisfy({ !entities[$0].conditions.isEmpty }) else { continue }
                if sharing.count < entities.count { areAlone = false }
                let asked = sharing.compactMap { index in
                    entities[index].conditions.first?.equality.map { entities[index].slots[$0.slot].path }
                }
                let slot = entities[sharing[0]].conditions.first?.equality?.slot
                guard Set(asked).count == 1, let slot else { continue }
                let left = referenceRecords(feed, entities[sharing[0]]).count { record in
                    !LeftOutTests.told.contains(record.cells[slot])
                }
                if left > 0 { untaken["E\(sharing[0])", default: 0] += left }
            }
        }
    }
}

/// Reads feeds as a run does.
private final class Reading {
    /// The source, the entity, the number and the offset of each.
    var records: [String] = []
    /// What was told of records that are left out.
    var faults = 0
    private let model: Model
    private let transformer: Transformer
    private let census: FieldCensus
    private var drifts: [FeedDrift] = []

    init(_ entities: [Entity]) throws {
        model = Model(entities: entities)
        transformer = try Transformer(model: model)
        census = FieldCensus(model, transformer)
    }

    func read(_ feeds: [[UInt8]], sizes: [Int], options: FeedOptions) throws {
        var batch = RecordBatch(model: model)
        for (source, feed) in feeds.enumerated() {
            let reader = FeedReader(model: model, source: source, options: options)
            _ = try reader.read(ChunkedBytes(feed, sizes: sizes), named: "feed", into: &batch) { full in
                take(full, transformer)
                full.reset()
                return full
            }
            drifts.append(reader.drift)
        }
        take(batch, transformer)
    }

    private func take(_ batch: RecordBatch, _ transformer: Transformer) {
        transformer.transform(batch)
        census.add(batch)
        for section in batch.sections {
            for row in 0..<section.count where section.status[row] != .dropped {
                let position = section.positions[row]
                records.append("\(position.source) \(section.entity) \(position.record) @\(position.offset)")
            }
        }
        faults += batch.faults.count { batch.sections[$0.entity].status[$0.row] != .rejected }
    }

    /// All drift.
    var lines: [String] {
        findings.compactMap { finding in
            guard case .drift(let drift, let field, let records) = finding.detail else { return "\(finding)" }
            if drift == .untaken { return nil }
            let (entity, at) = (finding.entity ?? "", finding.at)
            let place = "\(at.position.source) \(at.record) @\(at.position.offset)"
            if case .missing(let member) = drift { return "\(entity) missing \(member) \(place)" }
            return "\(entity) \(field) \(records) \(place)"
        }.sorted()
    }

    /// By entity: how many elements are of none.
    var untaken: [String: Int] {
        var untaken: [String: Int] = [:]
        for finding in findings {
            guard case .drift(.untaken, _, let records) = finding.detail else { continue }
            untaken[finding.entity ?? "", default: 0] += Int(records)
        }
        return untaken
    }

    private var findings: [Finding] {
        DriftFindings(model, drifts, census, comesWhole: [true, true]).findings
    }
}
