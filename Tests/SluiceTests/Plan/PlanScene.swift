import Foundation
import SluiceDefinition
import SluicePlan
import SluiceRecords
import TestSupport

@testable import Nights
@testable import Sluice

/// A random definition of what plans do, with random feeds: runs to SQLite, and beside each the parts and the plan, for
/// an engine to do the same.
///
/// The folder has `store1.sqlite`, `report1.json`, `findings1.ndjson`, `parts1` and `plan1.ndjson` of the first run,
/// and so on; `inputs1` has its definition and feeds, and `has-ranges` if these may be cut.
final class PlanScene {
    let folder: String
    private var random: SeededRandom
    private var definition: TestDefinition
    private let spread: Int

    init(_ seed: Int, in directory: String) throws {
        folder = "\(directory)/\(seed)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Far apart: the sequences of two seeds are one, some steps further.
        random = SeededRandom(seed * 1_000_000)
        var generator = DefinitionGenerator(random: random)
        definition = generator.make()
        random = generator.random
        spread = [3, 12, 40][random.below(3)]
        definition.leaveOutUnplanned(&random)
    }

    /// Runs twice.
    func make() throws {
        for number in 1...2 { try run(number) }
    }

    private func run(_ number: Int) throws {
        var generator = DefinitionGenerator(random: random)
        generator.vary(&definition)
        random = generator.random
        let path = folder + "/language.json"
        try definition.json(&random).write(toFile: path, atomically: false, encoding: .utf8)
        let files = try definition.writeFeeds(to: folder, spread: spread, isLined: random.below(3) > 0, &random)
        var places: [Int: Int] = [:]
        let feeds = files.map { file in
            let place = places[file.source, default: 0]
            places[file.source] = place + 1
            let described = definition.sources[file.source]
            return SceneFeed(
                source: file.source, name: described.name, file: place,
                values: described.isLines ? file.values.count : nil)
        }
        try PlanRuns(folder: folder).run(number, path, feeds, &random)
    }
}

/// A feed of a scene, in the file `NAMEFILE.json`.
struct SceneFeed {
    var source: Int
    var name: String
    var file: Int
    /// How many there are; nil: one document.
    var values: Int?
}

/// Runs to SQLite, and beside each the parts and the plan.
struct PlanRuns {
    let folder: String

    func run(_ number: Int, _ path: String, _ feeds: [SceneFeed], _ random: inout SeededRandom) throws {
        let read = try PipelineDefinition.read(file: path, environment: [:], checks: .all)
        var options = RunOptions()
        options.findings = folder + "/findings\(number).ndjson"
        options.force = true
        let report = PipelineRun(checked: read, options: options).perform()
        guard report.outcome.status == .succeeded || !report.outcome.exceeded.isEmpty else {
            throw SceneFailure(description: report.outcome.error?.description ?? "\(report.outcome.status)")
        }
        try report.json.write(toFile: folder + "/report\(number).json", atomically: false, encoding: .utf8)
        if report.outcome.status == .succeeded {
            try FileManager.default.copyItem(
                atPath: folder + "/store.sqlite", toPath: folder + "/store\(number).sqlite")
        }
        try read.plan(.duckdb).write(toFile: folder + "/plan\(number).ndjson", atomically: false, encoding: .utf8)
        for feed in feeds { try extract(read, feed, to: folder + "/parts\(number)", &random) }
        try keepInputs(number, path, feeds)
    }

    /// The next run has others by the same names.
    private func keepInputs(_ number: Int, _ path: String, _ feeds: [SceneFeed]) throws {
        let inputs = folder + "/inputs\(number)"
        try FileManager.default.createDirectory(atPath: inputs, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: path, toPath: inputs + "/scene.definition")
        for feed in feeds {
            try FileManager.default.copyItem(
                atPath: url(of: feed).path, toPath: "\(inputs)/\(feed.name)\(feed.file).json")
        }
        let isCut = try feeds.allSatisfy { try $0.values == nil || hasWholeLines($0, Data(contentsOf: url(of: $0))) }
        if isCut { try "".write(toFile: inputs + "/has-ranges", atomically: false, encoding: .utf8) }
    }

    private func url(of feed: SceneFeed) -> URL {
        URL(fileURLWithPath: "\(folder)/\(feed.name)\(feed.file).json")
    }

    /// In ranges each line holds whole values.
    private func hasWholeLines(_ feed: SceneFeed, _ bytes: Data) -> Bool {
        bytes.count { $0 == UInt8(ascii: "\n") } == feed.values
    }

    /// One file; of lines, in pieces now and then.
    private func extract(
        _ read: PipelineDefinition, _ feed: SceneFeed, to parts: String, _ random: inout SeededRandom
    ) throws {
        let bytes = try Data(contentsOf: url(of: feed))
        var ranges: [Range<Int>?] = [nil]
        if !bytes.isEmpty, hasWholeLines(feed, bytes), random.below(2) == 0 {
            let length = 1 + random.below(bytes.count)
            ranges = stride(from: 0, to: bytes.count, by: length).map { $0..<$0 + length }
        }
        for (number, range) in ranges.enumerated() {
            _ = try ExtractRun(
                read, to: parts, feeds: [RunOptions.FeedOverride(source: feed.name, file: url(of: feed).path)],
                range: range,
                part: String(format: "%03d-%06d-%08d", feed.source, feed.file, number)
            ).perform()
        }
    }
}

struct SceneFailure: Error, CustomStringConvertible { var description: String }

extension TestDefinition {
    /// Takes out what plans refuse.
    fileprivate mutating func leaveOutUnplanned(_ random: inout SeededRandom) {
        for index in sources.indices { (sources[index].delimiter, sources[index].service) = (nil, nil) }
        repeatsGroups = false
        for index in entities.indices {
            entities[index].deletions = []
            entities[index].orphans = .keep
            entities[index].open = nil
            for place in entities[index].relationships.indices {
                entities[index].relationships[place].isSet = true
                entities[index].relationships[place].values = []
                entities[index].relationships[place].stub = []
            }
            for place in entities[index].relationships.indices where !entities[index].relationships[place].ways.isEmpty
            {
                // What was meant for another attribute may have a default that no identifier can be.
                entities[index].relationships[place].key = [TestRule(.path(.field("ref")))]
                entities[index].relationships[place].ways = []
                entities[index].relationships[place].isBy = false
            }
        }
        while let (entity, relationship) = EntityOrder.ofNeeds(model).cycles.first {
            entities[entity].relationships[relationship].missing = .null
        }
        while let (entity, relationship) = EntityOrder.ofDeletions(model).cycles.first {
            entities[entity].relationships[relationship].onDelete = .nullify
        }
        let deletes = Deletability(model).isDeletable
        for (index, entity) in model.entities.enumerated() {
            for (place, relationship) in entity.relationships.enumerated() where relationship.isSearched {
                let forms = Set(
                    relationship.targets.map { target in
                        entities[target.entity].identifier.map { entities[target.entity].attributes[$0].type }
                    })
                guard forms.count > 1, relationship.targets.contains(where: { deletes[$0.entity] }) else { continue }
                entities[index].relationships[place].to = [relationship.targets[0].entity]
                guard entities[index].relationships[place].key.count == 1 else { continue }
                entities[index].relationships[place].key = [TestRule(.path(.field("ref")))]
            }
        }
    }
}
