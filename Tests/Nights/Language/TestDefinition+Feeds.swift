import Foundation
import SluiceRecords
import TestSupport

extension TestDefinition {
    /// Whether no record is within a reference.
    var repeatsKeys: Bool {
        !entities.flatMap(\.records).contains { path in
            path.steps.contains(.everywhere) || path.steps.contains(.anywhere("id")) || path.steps == [.each, .each]
        }
    }

    /// Writes new feeds into a folder, called by source and file: `a0.json`, `a1.json`. Returns the values of each
    /// file, with the index of its source.
    ///
    /// - Parameter isLined: whether each value of several is on a line of its own.
    func writeFeeds(
        to folder: String, spread: Int, isLined: Bool = false, _ random: inout SeededRandom
    ) throws -> [(source: Int, values: [FeedNode])] {
        var files: [(source: Int, values: [FeedNode])] = []
        for (index, source) in sources.enumerated() where source.service == nil {
            for file in 0..<source.files {
                var text: [UInt8] = []
                var values: [FeedNode] = []
                if let delimiter = source.delimiter {
                    var table = TestTable(delimiter: delimiter, spread: spread)
                    table.fill(loners: 0, &random)
                    values = table.write(to: &text, &random)
                }
                for _ in 0..<(source.delimiter != nil ? 0 : source.isLines ? random.below(4) : 1) {
                    var generator = FeedGenerator(random: random, spread: spread)
                    generator.repeatsKeys = repeatsKeys
                    generator.repeatsGroups = repeatsGroups
                    generator.hidesGroups = true
                    values.append(generator.value(groups: [0, 3, 12, 30][generator.random.below(4)]))
                    random = generator.random
                    let start = text.count
                    values[values.count - 1].write(to: &text, &random)
                    // In texts they are escaped.
                    for index in start..<text.count where isLined && text[index] == UInt8(ascii: "\n") {
                        text[index] = UInt8(ascii: " ")
                    }
                    text.append(UInt8(ascii: "\n"))
                }
                try Data(text).write(to: URL(fileURLWithPath: "\(folder)/\(source.name)\(file).json"))
                files.append((index, values))
            }
        }
        return files
    }

    /// Lets a service answer, which is asked after what is before it.
    func answer(
        _ index: Int, _ service: Service, behind files: [(source: Int, values: [FeedNode])], spread: Int,
        _ random: inout SeededRandom
    ) -> TestService {
        let page = { (random: inout SeededRandom) -> FeedNode in
            var generator = FeedGenerator(random: random, spread: spread)
            generator.repeatsKeys = repeatsKeys
            generator.repeatsGroups = repeatsGroups
            generator.makesPages = true
            let node = generator.value(groups: [0, 3, 12][generator.random.below(3)])
            random = generator.random
            return node
        }
        let extraction = TestExtraction(definition: self, model: model)
        guard let parent = service.parent else {
            let here = entities.indices.filter { entities[$0].sources.contains(index) }
            return TestService(
                pagesOf: service,
                { page in here.reduce(0) { $0 + extraction.places(of: $1, in: [page]).count } }, &random, page)
        }
        var names: [String] = []
        for file in files where entities[parent.entity].sources.contains(file.source) {
            for record in extraction.records(of: parent.entity, in: file.values) where record.status == .complete {
                let value = record.values[parent.attribute]
                if value == .null || value == .absent { continue }
                if !names.contains(where: { Text($0) == Text(value.description) }) { names.append(value.description) }
            }
        }
        return TestService(answersOf: service, for: names, &random, page)
    }

    /// Whether the address of a service that is asked for a record is another than the definition writes it.
    func asksElsewhere(for entity: Int, _ values: [TestValue]) -> Bool {
        sources.compactMap(\.service?.parent).contains { parent in
            guard parent.entity == entity, case .text(let text) = values[parent.attribute] else { return false }
            return ["", ".", ".."].contains { Text($0) == text }
        }
    }
}
