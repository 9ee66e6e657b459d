import Foundation
import SluiceDefinition
import SluiceExtract
import SluiceRecords
import SluiceSchema
import StoreMirror
import TestSupport

@testable import Nights
@testable import Sluice

/// A definition, its feeds and its store in a folder, and the model of the store beside them.
final class LanguageScene {
    let folder: String
    private var random: SeededRandom
    private var definition: TestDefinition
    private var model: ModelStore
    private let spread: Int
    /// Where the store is; nil: in the folder. What a run has left on a server is mirrored there.
    private let server: TestServer?
    /// The services that answer in this run.
    private var services: [TestService] = []
    /// For what objects are found by.
    private var searches: SeededRandom

    init(_ seed: Int, on server: TestServer? = nil) throws {
        self.server = server
        folder = NSTemporaryDirectory() + "sluice-language-\(seed)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        random = SeededRandom(seed)
        var generator = DefinitionGenerator(random: random)
        definition = generator.make()
        random = generator.random
        searches = SeededRandom(seed)
        definition.drawSearches(&searches)
        model = ModelStore(definition.model)
        spread = [3, 12, 40][random.below(3)]
    }

    /// It stays where something went wrong.
    func remove() {
        try? FileManager.default.removeItem(atPath: folder)
        try? server?.drop()
    }

    /// One run on new feeds; what is not as the model says.
    func run() throws -> [String] {
        var generator = DefinitionGenerator(random: random)
        generator.vary(&definition)
        random = generator.random
        if searches.below(2) == 0 { definition.drawSearches(&searches) }
        if server != nil {
            // PostgreSQL does not compare JSON: such a definition is refused, see `StoreOnServerTests`.
            if hasJSONKeys { return [] }
            dropIndexes()
        }
        var text = definition.json(&random)
        if let server { text.replace("{ \"sqlite\": \"store.sqlite\" }", with: server.definition) }
        try text.write(toFile: folder + "/language.json", atomically: false, encoding: .utf8)
        let (records, hidden) = try writeFeeds()
        model.run(records, hidden: hidden)
        let read = try PipelineDefinition.read(file: folder + "/language.json", environment: [:], checks: .all)
        var options = RunOptions()
        options.batchSize = [1, 2, 7, 30, 1000][random.below(5)]
        options.cacheLimit = [nil, 1, 200, 2000, 20_000][random.below(5)]
        options.findings = folder + "/findings.ndjson"
        options.commit = random.below(2) == 0 ? .run : .batch
        options.force = true
        let foretold = try foretell(read, options)
        let report = PipelineRun(checked: read, options: options).perform()
        let told = try RunTold(report, folder + "/findings.ndjson")
        if let server, report.outcome.status == .succeeded {
            try StoreMirror(server, read.model).write(to: folder + "/store.sqlite")
        }
        return differences(report, options) + services.flatMap(\.differences)
            + told.differences(from: foretold).map { "dry run: \($0)" }
    }

    private var hasJSONKeys: Bool {
        definition.entities.contains { entity in entity.identifier.contains { isJSON(entity.attributes[$0]) } }
    }

    /// Lists are JSON arrays.
    private func isJSON(_ attribute: TestDefinition.Attribute) -> Bool { attribute.type == .json || attribute.isMany }

    /// Takes away the indexes that PostgreSQL does not make.
    private func dropIndexes() {
        for entity in definition.entities.indices {
            for attribute in definition.entities[entity].attributes.indices
            where isJSON(definition.entities[entity].attributes[attribute]) {
                definition.entities[entity].attributes[attribute].isIndexed = false
            }
        }
    }

    /// The store and what lies beside it, but for the memory that its readers share.
    private func storeFiles() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            $0.hasPrefix("store") && !$0.hasSuffix("-shm")
        }
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0))) })
    }

    /// What a dry run says, which must leave the store as it is.
    private func foretell(_ definition: PipelineDefinition, _ options: RunOptions) throws -> RunTold {
        var dry = options
        dry.isDry = true
        let before = try storeFiles()
        let report = PipelineRun(checked: definition, options: dry).perform()
        var told = try RunTold(report, folder + "/findings.ndjson")
        if try storeFiles() != before { told.findings.append("the dry run has changed the store") }
        return told
    }

    /// The typed records of new feeds, and the entities of which they may have more than anybody sees.
    private func writeFeeds() throws -> (records: [TestRecord], hidden: Set<Int>) {
        var files = try definition.writeFeeds(to: folder, spread: spread, &random)
        services = []
        for (index, source) in definition.sources.enumerated() {
            guard let service = source.service else { continue }
            let answers = definition.answer(index, service, behind: files, spread: spread, &random)
            services.append(answers)
            files.append((index, answers.values))
        }
        files.sort { $0.source < $1.source }
        definition.findMembers(files)
        model.model = definition.model
        let extraction = TestExtraction(definition: definition, model: definition.model)
        let hidden = extraction.hidden(in: files.map { ($0.0, $0.1) })
        let records = files.enumerated().flatMap { file, feed in
            definition.entities.enumerated().filter { $0.element.sources.contains(feed.source) }.flatMap { entity, _ in
                extraction.records(of: entity, in: feed.values).map { record in
                    var record = record
                    record.place += file << 32
                    return record
                }
            }
        }
        return (records, hidden)
    }

    /// What the definition wants to find objects by, and the store does not have.
    private func lackingSearches() throws -> [String] {
        guard let server else { return try StoreRows(definition, folder + "/store.sqlite").lackingSearches() }
        return try definition.entities.flatMap { entity -> [String] in
            let table = entity.table ?? entity.name
            var lacking: [String] = []
            if entity.place != nil { _ = try server.call("sluice_\(table)_near", "0, 0, 1e8") }
            for attribute in entity.searched {
                // Whatever has a word of letters is found by it.
                let column = SluiceSchema.quoted(entity.attributes[attribute].name)
                let rows = try server.rows(
                    """
                    SELECT substring(\(column) FROM '[a-z]+') FROM @\(SluiceSchema.quoted(table)) WHERE \(column) ~ '^[a-z]+$'
                    """)
                for word in Set(rows) where !word.isEmpty {
                    let found = try server.call("sluice_\(table)_search", "'\(word)'")
                    if found < rows.filter({ $0 == word }).count { lacking.append("\(table): \(word)") }
                }
            }
            return lacking
        }
    }

    private func differences(_ report: RunReport, _ options: RunOptions) -> [String] {
        guard report.outcome.status == .succeeded else {
            return ["\(report.outcome.status): \(report.outcome.error.map(\.description) ?? "")"]
        }
        var differences: [String] = []
        func compare<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) {
            if found != expected { differences.append("\(what): \(found), expected \(expected)") }
        }
        for (index, entity) in definition.entities.enumerated() {
            compare("counts of \(entity.name)", report.entities[index].counts, model.counts[index])
            let stored = (try? StoreRows(definition, folder + "/store.sqlite").rows(of: index)) ?? []
            for row in Set(stored).symmetricDifference(model.rows(of: index)) {
                differences.append("\(entity.name): \(stored.contains(row) ? "stored" : "expected"): \(row)")
            }
            compare("rows of \(entity.name)", stored.count, model.rows(of: index).count)
        }
        let unresolved = model.counts.flatMap(\.relationships).reduce(0) { $0 + $1.unresolved }
        compare("unresolved", report.found.counts[.unresolved, default: 0], unresolved)
        let duplicates = model.counts.reduce(0) { $0 + $1.identical + $1.conflicting }
        compare("duplicates", report.found.counts[.duplicate, default: 0], duplicates)
        compare("rejects", report.found.counts[.reject, default: 0], model.counts.reduce(0) { $0 + $1.rejected })
        do { compare("lacking", try lackingSearches(), []) } catch { differences.append("searches: \(error)") }
        compare("soundness", (try? StoreRows(definition, folder + "/store.sqlite").isSound()) ?? false, true)
        return differences
    }
}
