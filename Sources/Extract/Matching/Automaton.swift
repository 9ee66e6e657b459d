import Records

/// The paths of one source as an automaton: a state is the set of all places in paths that a node has reached.
///
/// Paths may have wildcards and descendants, so the number of possible states is exponential; those that occur are few.
/// They are made when they are first met. State 0 is the dead one, which no path leaves.
///
/// Making a state takes time by what is found in its node, not by how many paths there are.
final class Automaton {
    static let dead: Int32 = 0

    /// What a node is, apart from what is looked for in other nodes: it has a row for each of these, the ancestors'
    /// first; and the state in which the slots of all of them begin.
    struct Template {
        var members: Members
        var state: Int32

        var ancestors: [Role] { members.ancestors }
        var entities: [Int] { members.entities }
    }

    struct Members: Hashable {
        var ancestors: [Role]
        /// The entities that share the node as their record.
        var entities: [Int]
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
    /// By the state's row and symbol; negative: not yet computed. States share a row until a member is looked for.
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
    private(set) var sets: [PlaceSet] = []
    private var numbers: [PlaceSet: Int32] = [:]
    /// By state, of its items; nil: not yet needed.
    private var moves: [Moves?] = []
    private(set) var searches: [Search] = []
    private var searchNumbers: [Set<Item>: Int] = [:]
    private var templateNumbers: [Members: Int32] = [:]
    private var endNumbers: [[RecordPath]: Int32] = [:]
    /// By entity.
    private var ancestorsOf: [Int: [Int]] = [:]
    private var rowCount = 0
    private var actionCount = 0
    private var memberCount = 0
    private var indices: [Int32: [Int: Int32]] = [:]

    init(model: Model, source: Int) {
        self.model = model
        let members = model.entities.enumerated().filter { $0.element.sources.contains(source) }
        ancestors = members.flatMap { Ancestor.all(of: $0.element, at: $0.offset) }
        for (index, ancestor) in ancestors.enumerated() { ancestorsOf[ancestor.entity, default: []].append(index) }
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
        // The rows of the states whose members are not yet known, and of those that no path leaves.
        _ = addRow(of: -1)
        _ = addRow(of: Automaton.dead)
        _ = search([], with: 0)
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
        let (moves, search) = moves(of: state)
        let next = self.state(of: moves.member(symbol) + search.moves.member(symbol), below: state)
        if infos[Int(state)].row == 0 { infos[Int(state)].row = addRow(of: -1) }
        transitions[infos[Int(state)].row + Int(symbol)] = next
        return next
    }

    /// The state of the element of a node.
    func next(_ state: Int32, index: Int) -> Int32 {
        if let next = indices[state]?[index] { return next }
        let (moves, search) = moves(of: state)
        let isNamed = moves.names(index: index)
        if !isNamed && infos[Int(state)].element >= 0 { return infos[Int(state)].element }
        let next = self.state(of: moves.element(index) + search.moves.element(index), below: state)
        if isNamed {
            indices[state, default: [:]][index] = next
        } else {
            infos[Int(state)].element = next
        }
        return next
    }

    /// Whether a step out of a state names a member, so that the member must not be there twice.
    func names(_ state: Int32, symbol: Int32) -> Bool {
        let (moves, search) = moves(of: state)
        return moves.names(symbol) || search.moves.names(symbol)
    }

    /// The single values, and the whole lists, of a record that a node in this state decides: by row of the record's
    /// node, and slot.
    func decided(by state: Int32) -> [(ordinal: Int, slot: Int)] {
        sets[Int(state)].items.compactMap { item in
            guard case .slot(let ordinal, let slot, _, isOutside: false) = tracks[item.track].goal else { return nil }
            return isDefinite(item) ? (ordinal, slot) : nil
        }
    }

    /// The rows, by their number in the node in which the state's paths start, whose values outside their record a step
    /// out of the state looks for in a member of this name.
    func ancestorsNaming(_ symbol: Int32, in state: Int32) -> [Int] {
        let (moves, search) = moves(of: state)
        return (moves.named(symbol) + search.moves.named(symbol)).compactMap { item in
            guard case .slot(let ordinal, _, _, isOutside: true) = tracks[item.track].goal else { return nil }
            return ordinal
        }
    }

    /// Where steps lead from a state: from its own items, and from what is looked for because of nodes above.
    private func moves(of state: Int32) -> (Moves, Search) {
        let set = sets[Int(state)]
        if let known = moves[Int(state)] { return (known, searches[set.search]) }
        let made = Moves(set.items) { step(of: $0) }
        moves[Int(state)] = made
        return (made, searches[set.search])
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

    /// The number of the state for a set of items, new or not, of a node below one in another state.
    private func state(of items: [Item], below outer: Int32 = Automaton.dead) -> Int32 {
        var search = 0
        if outer != Automaton.dead {
            let found = moves(of: outer).0.below
            search = self.search(found, with: sets[Int(outer)].search)
        }
        let set = PlaceSet(items: items.count < 2 ? items : Set(items).sorted(), search: search)
        if let number = numbers[set] { return number }
        let number = Int32(sets.count)
        numbers[set] = number
        sets.append(set)
        moves.append(nil)
        infos.ensure(sets.count)
        // Other states are made for it, so that the table may move.
        let info = describe(set)
        infos[Int(number)] = info
        return number
    }

    /// The number of the search for some more descendants besides those of another.
    private func search(_ added: [Item], with outer: Int) -> Int {
        var items: Set<Item> = []
        if !searches.isEmpty {
            if added.allSatisfy(searches[outer].items.contains) { return outer }
            items = searches[outer].items
        }
        items.formUnion(added)
        if let known = searchNumbers[items] { return known }
        let sorted = items.sorted()
        searches.append(
            Search(
                items: items, moves: Moves(sorted) { step(of: $0) }, feedsLists: sorted.contains(where: feedsList),
                taken: taken(by: sorted)))
        searchNumbers[items] = searches.count - 1
        return searches.count - 1
    }

    /// Adds a row of transitions that are all the same, and returns where it begins.
    private func addRow(of next: Int32) -> Int {
        let start = rowCount * symbolCount
        rowCount += 1
        transitions.ensure(rowCount * symbolCount)
        for symbol in 0..<symbolCount { transitions[start + symbol] = next }
        return start
    }

    private func feedsList(_ item: Item) -> Bool {
        guard item.track >= 0, case .slot(_, _, let slot, _) = tracks[item.track].goal else { return false }
        return slot.many && !isDefinite(item)
    }

    private func describe(_ set: PlaceSet) -> StateInfo {
        var info = StateInfo()
        let isSearching = !searches[set.search].items.isEmpty
        if set.items.isEmpty && !isSearching { info.element = Automaton.dead }
        info.isPassing = set.items.isEmpty && isSearching
        info.continues = isSearching || set.items.contains { step(of: $0) != nil }
        if !info.continues { info.row = symbolCount }
        info.namesIndices = set.items.contains { item in
            if case .index = step(of: item) { return true }
            return false
        }
        info.feedsLists = searches[set.search].feedsLists || set.items.contains(where: feedsList)
        info.actionStart = Int32(actionCount)
        for action in set.items.flatMap({ actions(at: $0) }) {
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
        info.end = end(of: set.items)
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

    private func template(of set: PlaceSet) -> Int32 {
        let members = Members(ancestors: roles(at: set), entities: entities(at: set.items))
        guard !members.entities.isEmpty || !members.ancestors.isEmpty else { return -1 }
        if let known = templateNumbers[members] { return known }
        var starts: [Item] = []
        for (ordinal, role) in members.ancestors.enumerated() { starts += slots(of: role, ordinal) }
        for (ordinal, entity) in members.entities.enumerated() {
            starts += slots(of: entity, members.ancestors.count + ordinal)
        }
        add(Template(members: members, state: state(of: starts)))
        templateNumbers[members] = Int32(templates.count - 1)
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
        if let known = endNumbers[paths] { return known }
        endNumbers[paths] = Int32(ends.count)
        ends.append(paths)
        return Int32(ends.count - 1)
    }

    /// The entities of which a node is a record.
    private func entities(at set: [Item]) -> [Int] { Set(paths(at: set).map(\.entity)).sorted() }

    /// What ancestors a node is, or may turn out to be.
    private func roles(at set: PlaceSet) -> [Role] {
        if ancestors.isEmpty { return [] }
        let taken = searches[set.search].taken.merging(taken(by: set.items), uniquingKeysWith: max)
        return taken.keys.sorted().map { Role(ancestor: $0, taken: taken[$0] ?? 0) }
    }

    /// How many steps have led to the node of some items, by the ancestors that it is, or may turn out to be.
    private func taken(by items: [Item]) -> [Int: Int] {
        var taken: [Int: Int] = [:]
        for item in items where item.track >= 0 && !ancestors.isEmpty {
            guard case .record(let entity, let number) = tracks[item.track].goal else { continue }
            for index in ancestorsOf[entity] ?? [] {
                let ancestor = ancestors[index]
                // A node below one to which steps led is no end of a beginning.
                if item.isBelow, case .beginning = ancestor.place { continue }
                let steps = ancestor.taken(at: item.position, of: tracks[item.track], records: number)
                if let steps { taken[index] = max(taken[index] ?? 0, steps) }
            }
        }
        return taken
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
