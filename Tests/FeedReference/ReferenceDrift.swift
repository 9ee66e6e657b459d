import SluiceRecords

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

    /// A rest, and whether its path only passes through the node, as it looks for descendants.
    private struct Way {
        var rest: Rest
        var isPassing = false
        var goal: Goal
        /// The step that led to the node; nil: the path starts there.
        var last: Path.Step?

        /// Whether that names the node, or the node is an element.
        func isNamed(_ step: Path.Step?) -> Bool {
            if case .index = step { return true }
            return switch last {
            case .name, .descendantName: true
            default: false
            }
        }

        /// Whether a scalar is what is wanted, or taken for a list with an error in it.
        var takesScalar: Bool {
            if rest.isEmpty { return goal == .value || goal == .values }
            guard goal == .values || goal == .keys, rest.first == .wildcard else { return false }
            return switch last {
            case nil, .name, .index: true
            default: false
            }
        }
    }

    /// What a path leads to.
    private enum Goal {
        case records
        case key, keys
        case value, values
    }

    private struct Record {
        var entities: [Int]
        /// From the record to the node that is looked at.
        var steps: [Path.Step] = []
        var start: Int
    }

    private struct Key: Hashable {
        var entity: Int
        var path: String
    }

    /// - Parameter counts: whether the record of an entity at an offset counts.
    package func lines(_ feed: [UInt8], counting counts: (_ entity: Int, _ start: Int) -> Bool = { _, _ in true })
        -> [String]
    {
        found(in: feed, counting: counts).map { found in
            "\(found.entity) \(found.path) \(found.starts.count) @\(found.starts[0])"
        }.sorted()
    }

    /// The fields, and where the records are that have them.
    package func found(in feed: [UInt8], counting counts: (_ entity: Int, _ start: Int) -> Bool)
        -> [(entity: Int, path: String, starts: [Int])]
    {
        var records: [Key: Set<Int>] = [:]
        for value in ReferenceParser.values(of: feed) {
            let top = Match(node: value, steps: [])
            let ways = entities.flatMap { $0.records.map { Way(rest: $0.steps[...], goal: .records) } }
            _ = visit(top, top, ways, nil, &records)
        }
        return records.map { key, starts in
            (key.entity, key.path, starts.filter { counts(key.entity, $0) }.sorted())
        }.filter { !$0.2.isEmpty }
    }

    /// Returns whether something in a node is used.
    private func visit(
        _ match: Match, _ top: Match, _ ways: [Way], _ outer: Record?, _ found: inout [Key: Set<Int>]
    ) -> Bool {
        let own = entities.indices.filter { index in leads(entities[index].records.map { $0.steps[...] }, match, top) }
        let record = own.isEmpty ? outer : Record(entities: own, start: match.node.start)
        let starts = starts(at: match, top, own)
        if let record, isOnTheWay(match, isRecord: !own.isEmpty, ways, starts) {
            let path = Path(root: .record, steps: record.steps).description
            for entity in record.entities { found[Key(entity: entity, path: path), default: []].insert(record.start) }
        }
        let ways = ways + starts
        guard ways.contains(where: { !$0.rest.isEmpty }) else { return false }
        var isUsed = false
        for child in match.children() {
            guard let step = child.steps.last else { continue }
            let next = ways.flatMap { advance($0, step) }
            var inner: [Key: Set<Int>] = [:]
            let isNamed = next.contains { !$0.isPassing }
            var below = record
            below?.steps.append(spelled(step, isPassed: !next.isEmpty && !isNamed))
            let isInUse = visit(child, top, next, below, &inner) || isNamed
            if isInUse || record == nil {
                found.merge(inner) { $0.union($1) }
            } else if case .name = step, let record {
                let path = Path(root: .record, steps: record.steps + [step]).description
                for entity in record.entities {
                    found[Key(entity: entity, path: path), default: []].insert(record.start)
                }
            } else {
                found.merge(inner) { $0.union($1) }
            }
            isUsed = isUsed || isInUse
        }
        return isUsed
    }

    /// Whether a node is something, and paths lead to what is in it, but none to it, or to anything that it can have.
    private func isOnTheWay(_ match: Match, isRecord: Bool, _ ways: [Way], _ starts: [Way]) -> Bool {
        let node = match.node
        guard isRecord || ways.contains(where: { !$0.isPassing && $0.isNamed(match.steps.last) }) else { return false }
        if node.kind != .array && node.kind != .object {
            guard node.isFilled else { return false }
            let reaching = isRecord ? starts : ways.filter { !$0.isPassing }
            return reaching.contains { !$0.rest.isEmpty } && !reaching.contains(where: \.takesScalar)
        }
        guard node.kind == .array, !node.children.isEmpty else { return false }
        let all = (ways + starts).filter { !($0.rest.isEmpty && !$0.takesScalar) }
        return !all.isEmpty
            && all.allSatisfy { way in
                if case .name = way.rest.first { return true }
                return false
            }
    }

    /// The paths that start at a node: of slots whose record it is, or whose records are in it.
    private func starts(at match: Match, _ top: Match, _ own: [Int]) -> [Way] {
        entities.enumerated().flatMap { index, entity in
            entity.slots.flatMap { slot -> [Way] in
                let goal: Goal =
                    slot.path.isKey ? (slot.many ? .keys : .key) : slot.many ? .values : .value
                if slot.path.root == .record {
                    return own.contains(index) ? [Way(rest: slot.path.steps[...], goal: goal)] : []
                }
                let counts = entity.records.map { records in
                    slot.path.steps.indices.prefix {
                        $0 < records.steps.count && records.steps[$0] == slot.path.steps[$0]
                    }.count
                }.filter { Path(root: .feed, steps: Array(slot.path.steps[$0...])).isDefinite }
                let count = counts.filter { leads([slot.path.steps[..<$0]], match, top) }.max()
                return count.map { [Way(rest: slot.path.steps[$0...], goal: goal)] } ?? []
            }
        }
    }

    private func leads(_ paths: [Rest], _ match: Match, _ top: Match) -> Bool {
        paths.contains { top.follow($0).contains { $0.node === match.node } }
    }

    private func advance(_ way: Way, _ step: Path.Step) -> [Way] {
        let next = Way(rest: way.rest.dropFirst(), goal: way.goal, last: way.rest.first)
        let passing = Way(rest: way.rest, isPassing: true, goal: way.goal)
        return switch way.rest.first {
        case .name, .index: way.rest.first == step ? [next] : []
        case .wildcard, .indexFromEnd, .filter: [next]
        case .descendantName(let name): (step == .name(name) ? [next] : []) + [passing]
        case .descendantWildcard: [next, passing]
        case nil: []
        }
    }

    /// Names that no path knows are only told apart at the end, and where paths pass through them.
    private func spelled(_ step: Path.Step, isPassed: Bool) -> Path.Step {
        if case .name(let name) = step, isPassed || names.contains(name) { return step }
        return .wildcard
    }
}
