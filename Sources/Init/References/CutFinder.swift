import SluiceDefinition
import SluiceRecords

/// Finds parts of texts that may be references by themselves, in samples of the texts: `GB` in `GB-ENG`, where there
/// are countries. Whether they are is measured with all the others.
struct CutFinder {
    private let entities: [DraftEntity]
    private let targets: [Target]
    private let index: SketchIndex
    /// So many parts of a column, and of all.
    private static let most = (column: 3, all: 100)

    /// A column that a part may lead to.
    private struct Target {
        let column: DraftColumn
        let lengths: ClosedRange<Int>
    }

    init(_ entities: [DraftEntity]) {
        self.entities = entities
        let targets = entities.flatMap(\.columns).compactMap { column -> Target? in
            let (sketch, records) = (column.facts.sketch, column.entity.records)
            guard RecordMeasure.isEligible(column), column.content == .scalar, sketch.distinct >= 3,
                sketch.distinct >= 0.85 * Double(records) || sketch.mayHave(records), !column.isPathOfFile
            else { return nil }
            let lengths = column.facts.sample.texts.map(\.count)
            guard let least = lengths.min() else { return nil }
            return Target(column: column, lengths: least...max(least, column.facts.longest))
        }
        self.targets = targets
        index = SketchIndex(targets.map(\.column.facts.sketch))
    }

    /// Adds what was found to the columns of each entity.
    func add() {
        var left = CutFinder.most.all
        for entity in entities where !entity.isEmbedded {
            for column in entity.columns where left > 0 && canBeCut(column) {
                let found = cuts(column)
                left -= found.count
                for cut in found { append(cut, to: column) }
            }
        }
    }

    private func canBeCut(_ column: DraftColumn) -> Bool {
        let facts = column.facts
        let forms = TextForms.moments.union([.number, .anyNumber, .boolean, .plainDate, .address, .duration])
        guard column.cut == nil, facts.texts > facts.empties, facts.numbers == 0, facts.forms.isDisjoint(with: forms),
            facts.longest <= 200, facts.sample.count >= 3, !column.isPathOfFile
        else { return false }
        switch column.origin {
        case .key: return true
        case .member: return column.content != .json
        case .record, .inner, .item: return false
        }
    }

    // MARK: Parts that are found

    private func cuts(_ column: DraftColumn) -> [TextCut] {
        let texts = column.facts.sample.texts
        var seen: Set<[UInt64]> = []
        var found: [TextCut] = []
        for cut in separated(texts) + counted(texts) where found.count < CutFinder.most.column {
            let hashes = texts.compactMap { cut.hash(of: $0) }
            guard hashes.count * 2 >= texts.count, seen.insert(hashes).inserted else { continue }
            let near = nearTargets(hashes)
            guard !near.isEmpty else { continue }
            let facts = PartFacts(texts.compactMap { part(cut, of: $0) })
            if near.contains(where: { mayLead(column, cut, facts.facts, to: $0) }) { found.append(cut) }
        }
        return found
    }

    /// Where most of some values are, or may be for all that is known of it.
    private func nearTargets(_ hashes: [UInt64]) -> [Target] {
        var sketch = Sketch()
        defer { sketch.deallocate() }
        for hash in hashes { sketch.insert(hash) }
        guard sketch.count >= 3 else { return [] }
        return zip(targets, index.comparisons(of: sketch)).filter { target, common in
            common.values >= 3 || target.column.facts.sketch.isExact
                ? common.values >= 3 && common.found * 10 >= common.values * 8 : common.found == common.values
        }.map(\.0)
    }

    /// Parts between separators that at least half of the texts have.
    private func separated(_ texts: [[UInt8]]) -> [TextCut] {
        TextCut.separators.flatMap { byte -> [TextCut] in
            let numbers = texts.map { text in text.count { $0 == byte } }
            guard numbers.count(where: { $0 > 0 }) * 2 >= texts.count else { return [] }
            let most = numbers.max() ?? 0
            return (0...min(most, 4)).map { .part(byte, $0) }
                + [.beforeLast(byte), .behindLast(byte), .behindFirst(byte)]
        }
    }

    /// So many characters as all texts have of some column, where texts here have more.
    private func counted(_ texts: [[UInt8]]) -> [TextCut] {
        let codes = targets.filter { $0.lengths.count == 1 && (2...12).contains($0.lengths.lowerBound) }
        let least = texts.map(\.count).min() ?? 0
        let most = texts.map(\.count).max() ?? 0
        let lengths = Set(codes.map(\.lengths.lowerBound)).filter { $0 <= least && $0 < most }
        return lengths.sorted().flatMap { [.first($0), .last($0)] }
    }

    private func part(_ cut: TextCut, of text: [UInt8]) -> [UInt8]? {
        unsafe text.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return nil }
            let range = unsafe cut.range(base, bytes.count)
            return range.isEmpty ? nil : Array(text[range])
        }
    }

    /// Whether the sample lets the parts lead to a column.
    private func mayLead(_ column: DraftColumn, _ cut: TextCut, _ parts: ValueFacts, to target: Target) -> Bool {
        guard CutFinder.canLead(column, cut, to: target.column) else { return false }
        guard !isWhole(column, in: target.column) else { return false }
        // Small numbers are found by chance.
        if parts.integers.count > 0, parts.longest < 6,
            Names.fit(column.meaning.member, target.column.entity.nameParts, identifier: target.column.meaning.member)
                < 2
        {
            return false
        }
        let own = target.column.facts.sketch
        if own.isExact || parts.sketch.comparison(with: own).values >= 3 { return true }
        // Of so many only a few are known: the form has to do.
        let lengths = parts.sample.texts.map(\.count)
        return parts.longest >= 4 && lengths.allSatisfy(target.lengths.contains)
            && (parts.integers.count > 0) == (target.column.facts.integers.count > 0)
    }

    /// What texts begin with is easily one of them: only the levels of a code lead to itself.
    static func canLead(_ column: DraftColumn, _ cut: TextCut, to target: DraftColumn) -> Bool {
        guard column.entity === target.entity, column.origin == target.origin else { return true }
        if case .beforeLast = cut { return true }
        return false
    }

    /// Whether the values themselves are found there.
    private func isWhole(_ column: DraftColumn, in target: DraftColumn) -> Bool {
        guard column !== target else { return false }
        let (values, found) = column.facts.sketch.comparison(with: target.facts.sketch)
        return values > 0 && found * 10 >= values * 7
    }

    // MARK: Their columns

    private func append(_ cut: TextCut, to column: DraftColumn) {
        add(cut, column, isPart: false)
        // The rest may name what is in the one that the part names.
        if let rest = cut.rest, column.content == .scalar { add(rest, column, isPart: true) }
    }

    private func add(_ cut: TextCut, _ column: DraftColumn, isPart: Bool) {
        let entity = column.entity
        guard entity.columns.count < EntityFinder.mostColumns else { return }
        let parts = PartFacts(column.facts.sample.texts.compactMap { part(cut, of: $0) })
        let own = DraftColumn(
            column, DraftColumn.Part(cut: cut, facts: parts, isPartial: isPart), parts.facts)
        own.index = entity.columns.count
        entity.columns.append(own)
    }
}

/// What the parts of a sample of texts have in common.
final class PartFacts {
    private(set) var facts = ValueFacts()

    init(_ parts: [[UInt8]]) {
        for part in parts {
            unsafe part.withUnsafeBufferPointer { bytes in
                // No part is empty.
                guard let base = bytes.baseAddress else { return }
                _ = unsafe facts.add(text: base, bytes.count)
            }
        }
    }

    deinit { facts.deallocate() }
}
