import Records

/// The fields of records that no path uses, found in the simplest way.
package struct ReferenceDrift {
    private let entities: [Entity]
    private let names: Set<String>

    package init(_ entities: [Entity]) {
        self.entities = entities
        let steps = entities.flatMap { $0.records + $0.slots.map(\.path) }.flatMap(\.steps)
        names = Set(
            steps.compactMap { step in
                switch step {
                case .name(let name), .descendantName(let name): name
                default: nil
                }
            })
    }

    /// What remains of a path that has led to a node, or to one above it.
    private typealias Rest = ArraySlice<Path.Step>

    private struct Record {
        var entities: [Int]
        var steps: [Path.Step]
        var start: Int
    }

    private struct Key: Hashable {
        var entity: Int
        var path: String
    }

    package func lines(_ feed: [UInt8]) -> [String] {
        var records: [Key: Set<Int>] = [:]
        for value in ReferenceParser.values(of: feed) {
            let top = Match(node: value, steps: [])
            visit(top, top, entities.flatMap { $0.records.map { $0.steps[...] } }, nil, &records)
        }
        return records.map { "\($0.key.entity) \($0.key.path) \($0.value.count) @\($0.value.min() ?? 0)" }.sorted()
    }

    private func visit(
        _ match: Match, _ top: Match, _ rests: [Rest], _ outer: Record?, _ found: inout [Key: Set<Int>]
    ) {
        let own = entities.indices.filter { index in leads(entities[index].records.map { $0.steps[...] }, match, top) }
        let record = own.isEmpty ? outer : Record(entities: own, steps: match.steps, start: match.node.start)
        let rests = rests + starts(at: match, top, own)
        guard rests.contains(where: { !$0.isEmpty }) else { return }
        for child in match.children() {
            guard let step = child.steps.last else { continue }
            let next = rests.flatMap { advance($0, step) }
            if case .name = step, next.isEmpty, let record {
                let path = Path(root: .record, steps: spelled(child.steps, below: record)).description
                for entity in record.entities {
                    found[Key(entity: entity, path: path), default: []].insert(record.start)
                }
            }
            visit(child, top, next, record, &found)
        }
    }

    /// The paths that start at a node: of slots whose record it is, or whose records are in it.
    private func starts(at match: Match, _ top: Match, _ own: [Int]) -> [Rest] {
        entities.enumerated().flatMap { index, entity in
            entity.slots.flatMap { slot -> [Rest] in
                if slot.path.root == .record { return own.contains(index) ? [slot.path.steps[...]] : [] }
                let counts = entity.records.map { records in
                    slot.path.steps.indices.prefix {
                        $0 < records.steps.count && records.steps[$0] == slot.path.steps[$0]
                    }.count
                }.filter { Path(root: .feed, steps: Array(slot.path.steps[$0...])).isDefinite }
                let count = counts.filter { leads([slot.path.steps[..<$0]], match, top) }.max()
                return count.map { [slot.path.steps[$0...]] } ?? []
            }
        }
    }

    private func leads(_ paths: [Rest], _ match: Match, _ top: Match) -> Bool {
        paths.contains { top.follow($0).contains { $0.node === match.node } }
    }

    private func advance(_ rest: Rest, _ step: Path.Step) -> [Rest] {
        switch rest.first {
        case .name, .index: rest.first == step ? [rest.dropFirst()] : []
        case .wildcard: [rest.dropFirst()]
        case .descendantName(let name): (step == .name(name) ? [rest.dropFirst()] : []) + [rest]
        case .descendantWildcard: [rest.dropFirst(), rest]
        case nil: []
        }
    }

    /// Names that no path knows are only told apart at the end.
    private func spelled(_ steps: [Path.Step], below record: Record) -> [Path.Step] {
        let inner = steps.dropFirst(record.steps.count)
        return inner.dropLast().map { step in
            if case .name(let name) = step, names.contains(name) { return step }
            return .wildcard
        } + inner.suffix(1)
    }
}
