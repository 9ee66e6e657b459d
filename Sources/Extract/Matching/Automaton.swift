import SluiceRecords

/// The paths of one source as an automaton: a state is the set of all places in paths that a node has reached.
///
/// Paths may have wildcards and descendants, so the number of possible states is exponential; those that occur are few.
/// They are made when they are first met. State 0 is the dead one, which no path leaves.
///
/// Making a state takes time by what is found in its node, not by how many paths there are.
final class Automaton {
    static let dead: Int32 = 0

    /// A state whose elements are the values of the feed.
    private(set) var root: Int32 = 0
    var tables: Tables
    private(set) var states = Numbering<PlaceSet, PlaceSet>()
    /// By state, of its items; nil: not yet needed.
    private var moves: [Moves?] = []
    /// By state: the elements of a node that paths name.
    private var indices: [Int32: [Int: Int32]] = [:]
    private(set) var searches = Numbering<Set<Item>, Search>()
    var templates = Numbering<Members, Template>()
    /// Which paths of records end at one node, as often as there are different sets of them.
    var ends = Numbering<[RecordPath], [RecordPath]>()

    private(set) var symbols = SymbolTable()
    let symbolCount: Int
    /// Whether a path looks for descendants.
    let hasDescendants: Bool
    let model: Model
    private(set) var tracks: [Track] = []
    /// Those of all entities of the source, by entity.
    let ancestors: [Ancestor]
    /// Their numbers, by entity.
    private(set) var ancestorsOf: [Int: [Int]] = [:]

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
        tables = Tables(transitions: Table(capacity: symbolCount * 16))
        // The rows of the states whose members are not yet known, and of those that no path leaves.
        _ = addRow(of: -1)
        _ = addRow(of: Automaton.dead)
        _ = search([], with: 0)
        _ = state(of: [])
        let initial = state(of: starts)
        root = state(of: [Item(track: -1, position: 0)])
        tables.infos[Int(root)].element = initial
    }

    deinit { tables.deallocate() }

    /// The state of the member of a node; its name is a symbol.
    func next(_ state: Int32, symbol: Int32) -> Int32 {
        let (moves, search) = moves(of: state)
        let next = self.state(of: moves.member(symbol) + search.moves.member(symbol), below: state)
        if tables.infos[Int(state)].row == 0 { tables.infos[Int(state)].row = addRow(of: -1) }
        tables.transitions[tables.infos[Int(state)].row + Int(symbol)] = next
        return next
    }

    /// The state of the element of a node.
    func next(_ state: Int32, index: Int) -> Int32 {
        if let next = indices[state]?[index] { return next }
        let (moves, search) = moves(of: state)
        let isNamed = moves.names(index: index)
        if !isNamed && tables.infos[Int(state)].element >= 0 { return tables.infos[Int(state)].element }
        let next = self.state(of: moves.element(index) + search.moves.element(index), below: state)
        if isNamed {
            indices[state, default: [:]][index] = next
        } else {
            tables.infos[Int(state)].element = next
        }
        return next
    }

    /// The entities whose records a step out of a state looks for in a member of this name.
    func recordsNaming(_ symbol: Int32, in state: Int32) -> [Int] {
        let (moves, search) = moves(of: state)
        let entities = (moves.named(symbol) + search.moves.named(symbol)).compactMap { item -> Int? in
            guard case .record(let entity, _) = tracks[item.track].goal else { return nil }
            return entity
        }
        return Set(entities).sorted()
    }

    /// Whether a step out of a state names a member.
    func names(_ symbol: Int32, in state: Int32) -> Bool {
        let (moves, search) = moves(of: state)
        return !moves.named(symbol).isEmpty || !search.moves.named(symbol).isEmpty
    }

    /// The single values, and the whole lists, of a record that a node in this state decides: by row of the record's
    /// node, and slot.
    func decided(by state: Int32) -> [(ordinal: Int, slot: Int)] {
        states[Int(state)].items.compactMap { item in
            guard case .slot(let ordinal, let slot, _, isOutside: false) = tracks[item.track].goal else { return nil }
            return isDefinite(item) ? (ordinal, slot) : nil
        }
    }

    /// The single values, and the whole lists, of a node around records that one in this state decides.
    func decidedOutside(by state: Int32, ordinal: Int) -> [Int] {
        let values = states[Int(state)].items.compactMap { item -> Int? in
            guard case .slot(ordinal, let value, _, isOutside: true) = tracks[item.track].goal else { return nil }
            return isDefinite(item) ? value : nil
        }
        return Set(values).sorted()
    }

    /// The rows, by their number in the node in which the state's paths start, whose values outside their record a step
    /// out of the state looks for in a member of this name.
    func ancestorsNaming(_ symbol: Int32, in state: Int32) -> [Int] {
        let (moves, search) = moves(of: state)
        let ordinals = (moves.named(symbol) + search.moves.named(symbol)).compactMap { item -> Int? in
            guard case .slot(let ordinal, _, _, isOutside: true) = tracks[item.track].goal else { return nil }
            return ordinal
        }
        return Set(ordinals).sorted()
    }

    /// Where steps lead from a state: from its own items, and from what is looked for because of nodes above.
    private func moves(of state: Int32) -> (Moves, Search) {
        let set = states[Int(state)]
        if let known = moves[Int(state)] { return (known, searches[set.search]) }
        let made = Moves(set.items) { step(of: $0) }
        moves[Int(state)] = made
        return (made, searches[set.search])
    }

    func add(_ path: Path, _ goal: Track.Goal) -> Item {
        tracks.append(Track(path, goal, &symbols))
        return Item(track: tracks.count - 1, position: 0)
    }

    func step(of item: Item) -> Track.Step? {
        // The root is on no track.
        guard item.track >= 0 else { return nil }
        let steps = tracks[item.track].steps
        return item.position < steps.count ? steps[item.position] : nil
    }

    /// Whether no step so far could have led to another node.
    func isDefinite(_ item: Item) -> Bool {
        item.position <= tracks[item.track].definiteCount && !item.isBelow
    }

    /// The number of the state for a set of items, new or not, of a node below one in another state.
    func state(of items: [Item], below outer: Int32 = Automaton.dead) -> Int32 {
        var search = 0
        if outer != Automaton.dead {
            let found = moves(of: outer).0.below
            search = self.search(found, with: states[Int(outer)].search)
        }
        let set = PlaceSet(items: items.count < 2 ? items : Set(items).sorted(), search: search)
        if let number = states.number(of: set) { return Int32(number) }
        let number = Int32(states.add(set, as: set))
        moves.append(nil)
        tables.infos.ensure(states.count)
        // Other states are made for it, so that the table may move.
        let info = describe(set)
        tables.infos[Int(number)] = info
        return number
    }

    /// The number of the search for some more descendants besides those of another.
    private func search(_ added: [Item], with outer: Int) -> Int {
        var items: Set<Item> = []
        if searches.count > 0 {
            if added.allSatisfy(searches[outer].items.contains) { return outer }
            items = searches[outer].items
        }
        items.formUnion(added)
        if let known = searches.number(of: items) { return known }
        let sorted = items.sorted()
        let search = Search(
            items: items, moves: Moves(sorted) { step(of: $0) }, feedsLists: sorted.contains(where: feedsList),
            taken: taken(by: sorted))
        return searches.add(search, as: items)
    }

    /// Adds a row of transitions that are all the same, and returns where it begins.
    private func addRow(of next: Int32) -> Int {
        let start = tables.rowCount * symbolCount
        tables.rowCount += 1
        tables.transitions.ensure(tables.rowCount * symbolCount)
        for symbol in 0..<symbolCount { tables.transitions[start + symbol] = next }
        return start
    }

    private func holder(_ item: Item) -> Track.Holder? {
        item.track >= 0 && !item.isBelow ? tracks[item.track].holder(at: item.position) : nil
    }

    /// The entities whose records a node in this state should hold and does not; no other path of theirs takes it as
    /// it is.
    ///
    /// - Parameters:
    ///   - isElement: whether the node is an element of an array.
    ///   - isArray: whether the node is an array, in which those are missed that are looked for in a member by its
    ///     name; else it is a scalar.
    func recordsMissed(in state: Int32, isElement: Bool, isArray: Bool) -> Set<Int> {
        var (missed, taken): (Set<Int>, Set<Int>) = ([], [])
        for item in states[Int(state)].items {
            guard item.track >= 0, case .record(let entity, _) = tracks[item.track].goal else { continue }
            let isMissed = isArray ? tracks[item.track].namesMember(at: item.position) : step(of: item) != nil
            if !isMissed {
                taken.insert(entity)
            } else if let holder = holder(item), isElement || holder == .named {
                missed.insert(entity)
            }
        }
        return missed.subtracting(taken)
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
        info.actionStart = Int32(tables.actionCount)
        for action in set.items.flatMap({ actions(at: $0) }) {
            info.isValue = info.isValue || action.kind.takesValue
            tables.actions.ensure(tables.actionCount + 1)
            tables.actions[tables.actionCount] = action
            tables.actionCount += 1
        }
        let holders = set.items.filter { holder($0) != nil }
        info.holdsRecords = !holders.isEmpty
        info.holdsByName = holders.contains { tracks[$0.track].namesMember(at: $0.position) }
        info.isOnTheWay = !info.isValue && set.items.contains { step(of: $0) != nil }
        info.actionCount = Int32(tables.actionCount) - info.actionStart
        if info.actionCount == 1 {
            let only = tables.actions[Int(info.actionStart)]
            info.isPlain = only.kind == .value && !only.isOutside && !info.holdsRecords
        }
        info.template = template(of: set)
        info.end = end(of: set.items)
        return info
    }
}
