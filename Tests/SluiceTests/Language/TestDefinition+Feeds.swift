import Foundation
import SluiceRecords
import TestSupport

extension TestDefinition {
    /// Whether no record is within a reference.
    private var repeatsKeys: Bool {
        !entities.flatMap(\.records).contains { path in
            path.steps.contains(.everywhere) || path.steps.contains(.anywhere("id")) || path.steps == [.each, .each]
        }
    }

    /// Writes new feeds into a folder, called by source and file: `a0.json`, `a1.json`. Returns the values of each file,
    /// with the index of its source.
    ///
    /// - Parameter isLined: whether each value of several is on a line of its own.
    func writeFeeds(
        to folder: String, spread: Int, isLined: Bool = false, _ random: inout SeededRandom
    ) throws -> [(source: Int, values: [FeedNode])] {
        var files: [(source: Int, values: [FeedNode])] = []
        for (index, source) in sources.enumerated() {
            for file in 0..<source.files {
                var text: [UInt8] = []
                var values: [FeedNode] = []
                if let delimiter = source.delimiter {
                    values = TestTable(delimiter: delimiter, spread: spread).write(to: &text, &random)
                }
                for _ in 0..<(source.delimiter != nil ? 0 : source.isLines ? random.below(4) : 1) {
                    var generator = FeedGenerator(random: random, spread: spread)
                    generator.repeatsKeys = repeatsKeys
                    generator.repeatsGroups = repeatsGroups
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
}
