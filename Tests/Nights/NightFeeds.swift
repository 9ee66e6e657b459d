import Foundation
import TestSupport

/// The feeds of a store, as they become from night to night.
struct NightFeeds {
    /// What becomes of them.
    enum Change: CaseIterable {
        /// Byte by byte as they were.
        case none
        /// In another order, with other white space.
        case order
        case little, much
        /// Nothing stays but what is there by chance.
        case all
    }

    /// A file of a source.
    private struct File {
        let source: Int
        let name: String
        var values: [FeedNode] = []
        var table: TestTable?
        var text: [UInt8] = []
    }

    private let definition: TestDefinition
    private let spread: Int
    /// Whether each list has elements that meet no other.
    private let hasLoners: Bool
    private var files: [File]
    private var isNew = true

    init(_ definition: TestDefinition, spread: Int, hasLoners: Bool) {
        (self.definition, self.spread, self.hasLoners) = (definition, spread, hasLoners)
        files = definition.sources.enumerated().flatMap { index, source in
            (0..<source.files).map { File(source: index, name: "\(source.name)\($0).json") }
        }
    }

    /// All values, with the index of their source.
    var values: [(source: Int, values: [FeedNode])] { files.map { ($0.source, $0.values) } }
    /// All files, one behind the other.
    var bytes: [UInt8] { Array(files.map(\.text).joined(separator: [0])) }

    /// The feeds of the next night.
    mutating func change(_ change: Change, _ random: inout SeededRandom) {
        if change == .none, !isNew { return }
        for index in files.indices {
            let source = definition.sources[files[index].source]
            if let delimiter = source.delimiter {
                changeTable(&files[index], delimiter: delimiter, change, &random)
                continue
            }
            if isNew || change == .all {
                let count = source.isLines ? random.below(4) : 1
                files[index].values = (0..<count).map { _ in fresh(&random) }
            } else {
                self.change(&files[index].values, change, isLines: source.isLines, &random)
            }
            write(&files[index], &random)
        }
        isNew = false
    }

    private func changeTable(
        _ file: inout File, delimiter: String, _ change: Change, _ random: inout SeededRandom
    ) {
        var table = file.table ?? TestTable(delimiter: delimiter, spread: spread)
        if file.table == nil || change == .all {
            table.fill(loners: hasLoners ? 25 : 0, &random)
        } else {
            table.change(
                amount: amount(change), reorders: change == .order || random.below(4) == 0, &random)
        }
        file.text = []
        file.values = table.write(to: &file.text, &random)
        file.table = table
    }

    /// Of a thousand, how many change.
    private func amount(_ change: Change) -> Int {
        switch change {
        case .none, .order: 0
        case .little: hasLoners ? 4 : 15
        case .much, .all: 150
        }
    }

    private func fresh(_ random: inout SeededRandom) -> FeedNode {
        var generator = FeedGenerator(random: random, spread: spread)
        generator.repeatsKeys = definition.repeatsKeys
        generator.repeatsGroups = definition.repeatsGroups
        generator.hidesGroups = true
        generator.loners = [0, 0, 25][generator.random.below(3)]
        if hasLoners { generator.loners = 25 }
        defer { random = generator.random }
        let counts = hasLoners && generator.random.below(8) > 0 ? [3, 12, 30] : [0, 3, 12, 30]
        return generator.value(groups: counts[generator.random.below(counts.count)])
    }

    private func change(
        _ values: inout [FeedNode], _ change: Change, isLines: Bool, _ random: inout SeededRandom
    ) {
        var changing = FeedChange(
            random: random, spread: spread, amount: amount(change),
            reorders: change == .order || random.below(4) == 0)
        if isLines {
            values = changing.list(values)
            if changing.random.below(1000) < changing.amount { values.append(fresh(&changing.random)) }
        }
        values = values.map { changing.changed($0) }
        random = changing.random
    }

    private func write(_ file: inout File, _ random: inout SeededRandom) {
        file.text = []
        for value in file.values {
            value.write(to: &file.text, &random)
            file.text.append(UInt8(ascii: "\n"))
        }
    }

    /// Takes out elements, to see whether a history fails without them.
    ///
    /// - Parameter isKept: whether the element with this number of the night stays.
    mutating func thin(_ isKept: (Int) -> Bool, _ random: inout SeededRandom) {
        var count = 0
        for index in files.indices where definition.sources[files[index].source].delimiter == nil {
            files[index].values = files[index].values.map { $0.thinned(&count, isKept) }
            write(&files[index], &random)
        }
    }

    /// How many elements can be taken out.
    var elementCount: Int {
        var count = 0
        for file in files where definition.sources[file.source].delimiter == nil {
            for value in file.values { _ = value.thinned(&count) { _ in true } }
        }
        return count
    }

    func write(to folder: String) throws {
        for file in files { try Data(file.text).write(to: URL(fileURLWithPath: "\(folder)/\(file.name)")) }
    }

    /// Writes them so that no run can read them to their end: the last file is no JSON.
    ///
    /// - Returns: whether there is such a file.
    func writeBroken(to folder: String, _ random: inout SeededRandom) throws -> Bool {
        try write(to: folder)
        // A broken line, and a broken row, may be a reject: only a document is refused in any case.
        let document = files.last { file in
            let source = definition.sources[file.source]
            return source.delimiter == nil && !source.isLines
        }
        guard let last = document else { return false }
        var text = Array(last.text)
        // The line's end alone may go.
        text.removeLast(2 + random.below(text.count - 2))
        try Data(text).write(to: URL(fileURLWithPath: "\(folder)/\(last.name)"))
        return true
    }
}
