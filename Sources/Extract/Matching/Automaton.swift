import Records

/// The paths of one source as an automaton: a state is the set of all places in paths that a node has reached.
///
/// Paths may have wildcards and descendants, so the number of possible states is exponential; those that occur are few.
/// They are made when they are first met. State 0 is the dead one, which no path leaves.
final class Automaton {
    static let dead: Int32 = 0

    /// The entities that share a node as their record, and the state in which their slots begin.
    struct Template {
        var entities: [Int]
        var state: Int32
    }

    /// A state whose elements are the values of the feed.
    private(set) var root: Int32 = 0
    private(set) var templates: [Template] = []

    // Tables are read by the walker, which copies them: they are replaced only by `next`.
    private(set) var infos = Table<StateInfo>()
    private(set) var actions = Table<Action>()
    /// By state and symbol; negative: not yet computed.
    private(set) var transitions: Table<Int32>

    private(set) var symbols = SymbolTable()
    let symbolCount: Int

    private let model: Model
    private var tracks: [Track] = []
    private var sets: [[Item]] = []
    private var numbers: [[Item]: Int32] = [:]
    private var actionCount = 0
    private var indices: [Int32: [Int: Int32]] = [:]

    init(model: Model, source: Int) {
        self.model = model
        let members = model.entities.enumerated().filter { $0.element.sources.contains(source) }
        var starts: [Item] = []
        for (index, entity) in members {
            for path in entity.records {
                starts.append(Item(track: tracks.count, position: 0))
                tracks.append(Track(path, .record(entity: index), &symbols))
            }
            // The names of slots must be known before the first state is made: they are columns of its table.
            for slot in entity.slots { _ = Track(slot.path, .record(entity: index), &symbols) }
        }
        symbolCount = symbols.count
        transitions = Table(capacity: symbolCount * 16)
        _ = state(of: [])
        let initial = state(of: starts)
        root = state(of: [Item(track: -1, position: 0)])
        infos[Int(root)].element = initial
    }

    deinit {
        infos.deallocate()
        actions.deallocate()
        transitions.deallocate()
    }

    /// The state of the member of a node; its name is a symbol.
    func next(_ state: Int32, symbol: Int32) -> Int32 {
        let next = self.state(
            of: advance(state) { step in
                switch step {
                case .name(let wanted), .descendantName(let wanted): wanted == symbol
                case .index: false
                case .wildcard, .descendantWildcard: true
                }
            })
        transitions[Int(state) * symbolCount + Int(symbol)] = next
        return next
    }

    /// The state of the element of a node.
    func next(_ state: Int32, index: Int) -> Int32 {
        if let next = indices[state]?[index] { return next }
        let isNamed = sets[Int(state)].contains { named(by: $0, index) }
        if !isNamed && infos[Int(state)].element >= 0 { return infos[Int(state)].element }
        let next = self.state(
            of: advance(state) { step in
                switch step {
                case .index(let wanted): wanted == index
                case .name, .descendantName: false
                case .wildcard, .descendantWildcard: true
                }
            })
        if isNamed {
            indices[state, default: [:]][index] = next
        } else {
            infos[Int(state)].element = next
        }
        return next
    }

    /// Whether a step out of a state names a member, so that the member must not be there twice.
    func names(_ state: Int32, symbol: Int32) -> Bool {
        sets[Int(state)].contains { item in
            switch step(of: item) {
            case .name(let name), .descendantName(let name): name == symbol
            default: false
            }
        }
    }

    /// The single values, and the whole lists, that a node in this state decides: by entity of the record, and slot.
    func decided(by state: Int32) -> [(ordinal: Int, slot: Int)] {
        sets[Int(state)].compactMap { item in
            guard case .slot(let ordinal, let slot, _) = tracks[item.track].goal else { return nil }
            return isDefinite(item) ? (ordinal, slot) : nil
        }
    }

    private func add(_ path: Path, _ goal: Track.Goal) -> Item {
        tracks.append(Track(path, goal, &symbols))
        return Item(track: tracks.count - 1, position: 0)
    }

    private func step(of item: Item) -> Track.Step? {
        // The root is on no track.
        guard item.track >= 0 else { return nil }
        let steps = tracks[item.track].steps
        return item.position < steps.count ? steps[item.position] : nil
    }

    /// Whether no step so far could have led to another node.
    private func isDefinite(_ item: Item) -> Bool {
        item.position <= tracks[item.track].definiteCount && !item.isBelow
    }

    private func named(by item: Item, _ index: Int) -> Bool { step(of: item) == .index(index) }

    private func advance(_ state: Int32, _ matches: (Track.Step) -> Bool) -> [Item] {
        var items: [Item] = []
        for item in sets[Int(state)] {
            guard let step = step(of: item) else { continue }
            switch step {
            case .descendantName, .descendantWildcard:
                items.append(Item(track: item.track, position: item.position, isBelow: true))
            case .name, .index, .wildcard: break
            }
            if matches(step) { items.append(Item(track: item.track, position: item.position + 1)) }
        }
        return items
    }

    /// The number of the state for a set of items, new or not.
    private func state(of items: [Item]) -> Int32 {
        let set = Array(Set(items)).sorted()
        if let number = numbers[set] { return number }
        let number = Int32(sets.count)
        numbers[set] = number
        sets.append(set)
        infos.ensure(sets.count)
        transitions.ensure(sets.count * symbolCount)
        for symbol in 0..<symbolCount {
            transitions[Int(number) * symbolCount + symbol] = set.isEmpty ? Automaton.dead : -1
        }
        infos[Int(number)] = describe(set)
        return number
    }

    private func describe(_ set: [Item]) -> StateInfo {
        var info = StateInfo()
        if set.isEmpty { info.element = Automaton.dead }
        info.continues = set.contains { step(of: $0) != nil }
        info.namesIndices = set.contains { item in
            if case .index = step(of: item) { return true }
            return false
        }
        info.feedsLists = set.contains { item in
            guard item.track >= 0, case .slot(_, _, let slot) = tracks[item.track].goal else { return false }
            return slot.many && !isDefinite(item)
        }
        info.actionStart = Int32(actionCount)
        for action in set.flatMap({ actions(at: $0) }) {
            actions.ensure(actionCount + 1)
            actions[actionCount] = action
            actionCount += 1
        }
        info.actionCount = Int32(actionCount) - info.actionStart
        info.template = template(of: set)
        return info
    }

    private func actions(at item: Item) -> [Action] {
        guard item.track >= 0 else { return [] }
        let track = tracks[item.track]
        guard case .slot(let ordinal, let index, let slot) = track.goal else { return [] }
        func action(_ kind: Action.Kind) -> Action {
            Action(kind: kind, ordinal: Int32(ordinal), slot: Int32(index))
        }
        var found: [Action] = []
        if slot.many && item.position == track.definiteCount && !item.isBelow { found.append(action(.listBegin)) }
        if item.position == track.steps.count {
            switch (slot.path.isKey, slot.json, slot.many) {
            case (true, _, false): found.append(action(.key))
            case (true, _, true): found.append(action(.listKey))
            case (false, true, false): found.append(action(.json))
            case (false, true, true): found.append(action(.listJSON))
            case (false, false, false): found.append(action(.value))
            case (false, false, true): found.append(action(.listValue))
            }
        }
        return found
    }

    private func template(of set: [Item]) -> Int32 {
        let entities = Set(
            set.compactMap { item -> Int? in
                guard item.track >= 0, step(of: item) == nil else { return nil }
                guard case .record(let entity) = tracks[item.track].goal else { return nil }
                return entity
            }
        ).sorted()
        guard !entities.isEmpty else { return -1 }
        if let known = templates.firstIndex(where: { $0.entities == entities }) { return Int32(known) }
        let starts = entities.enumerated().flatMap { ordinal, entity in
            model.entities[entity].slots.enumerated().compactMap { index, slot -> Item? in
                guard slot.path.root == .record && slot.path.parents == 0 else { return nil }
                return add(slot.path, .slot(ordinal: ordinal, slot: index, slot))
            }
        }
        templates.append(Template(entities: entities, state: state(of: starts)))
        return Int32(templates.count - 1)
    }
}
