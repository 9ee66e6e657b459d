import Foundation
import SluiceColumns
import SluiceRecords
import TestSupport

@testable import Sluice

/// A random definition of what plans do, with random feeds: runs to SQLite, and beside each the parts and the plan, for an
/// engine to do the same.
///
/// The folder has `store1.sqlite`, `report1.json`, `findings1.ndjson`, `parts1` and `plan1.ndjson` of the first run, and so
/// on.
final class PlanScene {
    let folder: String
    private var random: SeededRandom
    private var definition: TestDefinition
    private let spread: Int

    init(_ seed: Int, in directory: String) throws {
        folder = "\(directory)/\(seed)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        random = SeededRandom(seed)
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
        let read = try PipelineDefinition.read(file: path, environment: [:], checks: .all)
        var options = RunOptions()
        options.findings = folder + "/findings\(number).ndjson"
        options.force = true
        let report = PipelineRun(checked: read, options: options).perform()
        guard report.outcome.status == .succeeded else {
            throw SceneFailure(description: report.outcome.error?.description ?? "\(report.outcome.status)")
        }
        try report.json.write(toFile: folder + "/report\(number).json", atomically: false, encoding: .utf8)
        try FileManager.default.copyItem(
            atPath: folder + "/store.sqlite", toPath: folder + "/store\(number).sqlite")
        try read.plan(.duckdb).write(toFile: folder + "/plan\(number).ndjson", atomically: false, encoding: .utf8)
        var places: [Int: Int] = [:]
        for file in files {
            let place = places[file.source, default: 0]
            places[file.source] = place + 1
            try extract(
                read, source: file.source, file: place, values: file.values.count, to: folder + "/parts\(number)")
        }
    }

    /// One file; of lines, in pieces now and then.
    private func extract(
        _ read: PipelineDefinition, source: Int, file: Int, values: Int, to parts: String
    ) throws {
        let described = definition.sources[source]
        let path = "\(folder)/\(described.name)\(file).json"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let size = bytes.count
        // In ranges each line holds whole values.
        let isCut = described.isLines && size > 0 && bytes.count { $0 == UInt8(ascii: "\n") } == values
        var ranges: [Range<Int>?] = [nil]
        if isCut, random.below(2) == 0 {
            let length = 1 + random.below(size)
            ranges = stride(from: 0, to: size, by: length).map { $0..<$0 + length }
        }
        for (number, range) in ranges.enumerated() {
            _ = try ExtractRun(
                read, to: parts, feeds: [RunOptions.FeedOverride(source: described.name, file: path)], range: range,
                part: String(format: "%03d-%06d-%08d", source, file, number)
            ).perform()
        }
    }
}

struct SceneFailure: Error, CustomStringConvertible { var description: String }

extension TestDefinition {
    /// Takes out what plans refuse.
    fileprivate mutating func leaveOutUnplanned(_ random: inout SeededRandom) {
        for index in entities.indices {
            entities[index].deletions = []
            for place in entities[index].relationships.indices where !entities[index].relationships[place].ways.isEmpty
            {
                // What was meant for another attribute may have a default that no identifier can be.
                entities[index].relationships[place].key = [TestRule(.path(.field("ref")))]
                entities[index].relationships[place].ways = []
                entities[index].relationships[place].isBy = false
            }
        }
        while let (entity, relationship) = PlanNeeds(model).cycle {
            entities[entity].relationships[relationship].missing = .null
        }
        while let (entity, relationship) = PlanDeletability(model).cycle {
            entities[entity].relationships[relationship].onDelete = .nullify
        }
        let deletes = PlanDeletability(model).deletes
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
