/// Where steps lead from a set of items, by what the next node is called.
///
/// There may be thousands of paths: what a name leads to is looked up, never searched for among all of them.
struct Moves {
    private var byName: [Int32: [Item]] = [:]
    private var byIndex: [Int: [Item]] = [:]
    /// What any node is.
    private var any: [Item] = []
    /// What any node that is not at the end of a step still is: its descendants are looked for.
    private(set) var below: [Item] = []

    init(_ items: [Item], _ step: (Item) -> Track.Step?) {
        for item in items {
            guard let step = step(item) else { continue }
            let next = Item(track: item.track, position: item.position + 1)
            switch step {
            case .name(let name): byName[name, default: []].append(next)
            case .index(let index): byIndex[index, default: []].append(next)
            case .wildcard: any.append(next)
            case .descendantName(let name): byName[name, default: []].append(next)
            case .descendantWildcard: any.append(next)
            }
            switch step {
            case .descendantName, .descendantWildcard:
                below.append(Item(track: item.track, position: item.position, isBelow: true))
            case .name, .index, .wildcard: break
            }
        }
    }

    /// What the member of a name is.
    func member(_ symbol: Int32) -> [Item] { named(symbol) + any }

    /// What the member of a name is to paths that name it.
    func named(_ symbol: Int32) -> [Item] { byName[symbol] ?? [] }

    /// What the element of an index is.
    func element(_ index: Int) -> [Item] { (byIndex[index] ?? []) + any }

    func names(index: Int) -> Bool { byIndex[index] != nil }

    var namesIndices: Bool { !byIndex.isEmpty }
}

/// The descendants that are looked for in a node because of nodes above it.
///
/// All nodes below share them, so that a state does not hold, for each path with `..`, that it is still on its way.
struct Search {
    let items: Set<Item>
    let moves: Moves
    /// Whether values below become elements of lists that began above.
    let feedsLists: Bool
    /// Of the ancestors that a node may turn out to be: how many steps have led to it.
    let taken: [Int: Int]
}

/// The places in paths that a node has reached.
struct PlaceSet: Hashable {
    /// Those to which steps led, in order.
    var items: [Item]
    /// The number of the `Search` that goes on in it.
    var search: Int
}
