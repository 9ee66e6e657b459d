import Records

/// The paths of one source as an automaton: a state is the set of all places in paths that a node has reached.
///
/// Paths may have wildcards and descendants, so the number of possible states is exponential; those that occur are few.
/// They are made when they are first met. State 0 is the dead one, which no path leaves.
final class Automaton {
    static let dead: Int32 = 0

    /// What a node is, apart from what is looked for in other nodes: it has a row for each of these, the ancestors'
    /// first; and the state in which the slots of all of them begin.
    struct Template {
        var ancestors: [Role]
        /// The entities that share the node as their record.
        var entities: [Int]
        var state: Int32
    }

    /// A path of records: the entity, and its number among those of the entity.
    struct RecordPath: Hashable {
        var entity: Int
        var number: Int
    }

    /// That a node is one of the ancestors, to which so many steps of the slots' paths have led.
    struct Role: Hashable {
        var ancestor: Int
        var taken: Int
    }

    /// A state whose elements are the values of the feed.
    private(set) var root: Int32 = 0
    private(set) var templates: [Template] = []
    /// Which paths of records end at one node, as often as there are different sets of them.
    private(set) var ends: [[RecordPath]] = []

    // Tables are read by the walker, which copies them: they are replaced only by `next`.
    private(set) var infos = Table<StateInfo>()
    private(set) var actions = Table<Action>()
    /// By state and symbol; negative: not yet computed.
    private(set) var transitions: Table<Int32>
    private(set) var templateInfos = Table<TemplateInfo>()
    /// Of the templates: their ancestors and their entities.
    private(set) var templateMembers = Table<Int32>()

    private(set) var symbols = SymbolTable()
    let symbolCount: Int
    /// Whether a path looks for descendants.
    private(set) var hasDescendants = false
    /// Those of all entities of the source, by entity.
    let ancestors: [Ancestor]

    private let model: Model
    private var tracks: [Track] = []
    private var sets: [[Item]] = []
    private var numbers: [[Item]: Int32] = [:]
    private var actionCount = 0
    private var memberCount = 0
    private var indices: [Int32: [Int: Int32]] = [:]

    init(model: Model, source: Int) {
        self.model = model
        let members = model.entities.enumerated().filter { $0.element.sources.contains(source) }
        ancestors = members.flatMap { Ancestor.all(of: $0.element, at: $0.offset) }
        var starts: [Item] = []
        for (index, entity) in members {
            for (number, path) in entity.records.enumerated() {
                starts.append(Item(track: tracks.count, position: 0))
                tracks.append(Track(path, .record(entity: index, path: number), &symbols))
            }
            // The names of slots must be known before the first state is made: they are columns of its table.
            for path in entity.slots.flatMap({ [$0.path] + ($0.otherPath.map { [$0] } ?? []) }) {
                _ = Track(path, .record(entity: index, path: 0), &symbols)
            }
        }
        symbolCount = symbols.count
        hasDescendants = members.contains { _, entity in
            (entity.records + entity.slots.map(\.path)).contains { $0.steps.contains(where: \.isDescendant) }
        }
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
        templateInfos.deallocate()
        templateMembers.deallocate()
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

    /// The single values, and the whole lists, of a record that a node in this state decides: by row of the record's
    /// node, and slot.
    func decided(by state: Int32) -> [(ordinal: Int, slot: Int)] {
        sets[Int(state)].compactMap { item in
            guard case .slot(let ordinal, let slot, _, isOutside: false) = tracks[item.track].goal else { return nil }
            return isDefinite(item) ? (ordinal, slot) : nil
        }
    }

    /// The rows, by their number in the node in which the state's paths start, whose values outside their record a step
    /// out of the state looks for in a member of this name.
    func ancestorsNaming(_ symbol: Int32, in state: Int32) -> [Int] {
        sets[Int(state)].compactMap { item in
            guard item.track >= 0, case .slot(let ordinal, _, _, isOutside: true) = tracks[item.track].goal else {
                return nil
            }
            switch step(of: item) {
            case .name(symbol), .descendantName(symbol): return ordinal
            default: return nil
            }
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
        info.isPassing = !set.isEmpty && set.allSatisfy(\.isBelow)
        info.continues = set.contains { step(of: $0) != nil }
        info.namesIndices = set.contains { item in
            if case .index = step(of: item) { return true }
            return false
        }
        info.feedsLists = set.contains { item in
            guard item.track >= 0, case .slot(_, _, let slot, _) = tracks[item.track].goal else { return false }
            return slot.many && !isDefinite(item)
        }
        info.actionStart = Int32(actionCount)
        for action in set.flatMap({ actions(at: $0) }) {
            actions.ensure(actionCount + 1)
            actions[actionCount] = action
            actionCount += 1
        }
        info.actionCount = Int32(actionCount) - info.actionStart
        if info.actionCount == 1 {
            let only = actions[Int(info.actionStart)]
            info.isPlain = only.kind == .value && !only.isOutside
        }
        info.template = template(of: set)
        info.end = end(of: set)
        return info
    }

    private func actions(at item: Item) -> [Action] {
        guard item.track >= 0 else { return [] }
        let track = tracks[item.track]
        guard case .slot(let ordinal, let index, let slot, let isOutside) = track.goal else { return [] }
        func action(_ kind: Action.Kind) -> Action {
            Action(kind: kind, isOutside: isOutside, ordinal: Int32(ordinal), slot: Int32(index))
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
        let entities = entities(at: set)
        let ancestors = roles(at: set)
        guard !entities.isEmpty || !ancestors.isEmpty else { return -1 }
        if let known = templates.firstIndex(where: { $0.entities == entities && $0.ancestors == ancestors }) {
            return Int32(known)
        }
        var starts: [Item] = []
        for (ordinal, role) in ancestors.enumerated() { starts += slots(of: role, ordinal) }
        for (ordinal, entity) in entities.enumerated() { starts += slots(of: entity, ancestors.count + ordinal) }
        add(Template(ancestors: ancestors, entities: entities, state: state(of: starts)))
        return Int32(templates.count - 1)
    }

    private func add(_ template: Template) {
        templates.append(template)
        let members = template.ancestors.map { Int32($0.ancestor) } + template.entities.map { Int32($0) }
        templateMembers.ensure(memberCount + members.count)
        for (index, member) in members.enumerated() { templateMembers[memberCount + index] = member }
        templateInfos.ensure(templates.count)
        templateInfos[templates.count - 1] = TemplateInfo(
            state: template.state, memberStart: Int32(memberCount), ancestorCount: Int32(template.ancestors.count),
            entityCount: Int32(template.entities.count))
        memberCount += members.count
    }

    /// The paths of records that end at a node.
    private func paths(at set: [Item]) -> [RecordPath] {
        set.compactMap { item in
            guard item.track >= 0, step(of: item) == nil else { return nil }
            guard case .record(let entity, let number) = tracks[item.track].goal else { return nil }
            return RecordPath(entity: entity, number: number)
        }
    }

    private func end(of set: [Item]) -> Int32 {
        let paths = paths(at: set)
        guard !paths.isEmpty else { return -1 }
        if let known = ends.firstIndex(of: paths) { return Int32(known) }
        ends.append(paths)
        return Int32(ends.count - 1)
    }

    /// The entities of which a node is a record.
    private func entities(at set: [Item]) -> [Int] { Set(paths(at: set).map(\.entity)).sorted() }

    /// What ancestors a node is, or may turn out to be.
    private func roles(at set: [Item]) -> [Role] {
        var taken: [Int: Int] = [:]
        for item in set where item.track >= 0 && !ancestors.isEmpty {
            guard case .record(let entity, let number) = tracks[item.track].goal else { continue }
            for (index, ancestor) in ancestors.enumerated() where ancestor.entity == entity {
                // A node below one to which steps led is no end of a beginning.
                if item.isBelow, case .beginning = ancestor.place { continue }
                let steps = ancestor.taken(at: item.position, of: tracks[item.track], records: number)
                if let steps { taken[index] = max(taken[index] ?? 0, steps) }
            }
        }
        return taken.keys.sorted().map { Role(ancestor: $0, taken: taken[$0] ?? 0) }
    }

    /// The places where the slots of a record begin.
    private func slots(of entity: Int, _ ordinal: Int) -> [Item] {
        model.entities[entity].slots.enumerated().compactMap { index, slot in
            guard slot.path.root == .record && slot.path.parents == 0 else { return nil }
            return add(slot.path, .slot(ordinal: ordinal, slot: index, slot, isOutside: false))
        }
    }

    /// The places where the slots begin that are filled from an ancestor. They are known by their number there.
    private func slots(of role: Role, _ ordinal: Int) -> [Item] {
        let ancestor = ancestors[role.ancestor]
        return ancestor.slots.enumerated().flatMap { index, slot in
            var slot = model.entities[ancestor.entity].slots[slot]
            slot.path.steps.removeFirst(role.taken)
            let goal = Track.Goal.slot(ordinal: ordinal, slot: index, slot, isOutside: true)
            // The other path starts at the same node, see `Slot.otherPath`.
            return [add(slot.path, goal)] + (slot.otherPath.map { [add($0, goal)] } ?? [])
        }
    }
}
