import SluiceRecords

/// The names that paths have, numbered from 1; 0 stands for every other name.
///
/// Names are bytes here: to Swift's `String`, two spellings of one accented letter are equal; to JSON they are not.
struct SymbolTable {
    static let other: Int32 = 0

    private(set) var names: [[UInt8]: Int32] = [:]
    /// The symbols, the one for other names included.
    var count: Int { names.count + 1 }

    mutating func symbol(of name: String) -> Int32 {
        let bytes = Array(name.utf8)
        if let known = names[bytes] { return known }
        names[bytes] = Int32(names.count + 1)
        return Int32(names.count)
    }
}

/// The steps of one path, and what it means for a node to be at their end.
struct Track {
    /// A step of a path, with a symbol for the name.
    enum Step: Equatable {
        case name(Int32)
        case index(Int)
        case wildcard
        case descendantName(Int32)
        case descendantWildcard
    }

    enum Goal {
        /// The node is a record of an entity: the path is one of its paths of records.
        case record(entity: Int, path: Int)
        /// The node is a value of a slot. The ordinal counts the rows of the node where the path starts: the record, or
        /// one around records.
        case slot(ordinal: Int, slot: Int, Slot, isOutside: Bool)
    }

    var steps: [Step]
    var goal: Goal
    /// How many of the steps come before the first that can match several nodes.
    var definiteCount: Int

    init(_ path: Path, _ goal: Goal, _ symbols: inout SymbolTable) {
        steps = path.steps.map { step in
            switch step {
            case .name(let name): .name(symbols.symbol(of: name))
            case .index(let index): .index(index)
            // Who reads the definition has made wildcards of the steps that choose among what they match.
            case .wildcard, .indexFromEnd, .filter: .wildcard
            case .descendantName(let name): .descendantName(symbols.symbol(of: name))
            case .descendantWildcard: .descendantWildcard
            }
        }
        definiteCount = path.definiteSteps.count
        self.goal = goal
    }
}

extension Track {
    /// Whether steps that name their node lead to a position, and the next one to any of its elements, or members.
    ///
    /// What several steps in a row match may be of any kind: `*.*` is no word on what each member of a record is.
    func wantsElements(at position: Int) -> Bool {
        guard position < steps.count, steps[position] == .wildcard else { return false }
        switch position == 0 ? .index(0) : steps[position - 1] {
        case .name, .index: return true
        case .wildcard, .descendantName, .descendantWildcard: return false
        }
    }
}

extension Track {
    /// How steps of a path of records lead to a position at which it goes on.
    enum Holder {
        /// They name their node: what has no records there may hide some.
        case named
        /// They lead to any element or member: an element may hide some, while a member may be about something else.
        case element
    }

    /// Nil: it is no path of records, or ends there, or has looked for descendants, which may be about anything.
    func holder(at position: Int) -> Holder? {
        guard case .record = goal, position < steps.count else { return nil }
        for step in steps[..<position] {
            switch step {
            case .descendantName, .descendantWildcard: return nil
            case .name, .index, .wildcard: break
            }
        }
        return position > 0 && steps[position - 1] == .wildcard ? .element : .named
    }

    /// Whether the step at a position names a member.
    func namesMember(at position: Int) -> Bool {
        if case .name? = position < steps.count ? steps[position] : nil { true } else { false }
    }
}

/// A node at which the first `position` steps of a track have led.
struct Item: Hashable, Comparable {
    var track: Int
    var position: Int
    /// Whether the node is below the one to which the steps led: the next step looks for descendants.
    var isBelow = false

    static func < (left: Item, right: Item) -> Bool {
        (left.track, left.position, left.isBelow ? 1 : 0) < (right.track, right.position, right.isBelow ? 1 : 0)
    }
}

/// What a value does for a slot.
struct Action: BitwiseCopyable {
    enum Kind: UInt8 {
        /// The slot's only value.
        case value
        /// Its JSON text.
        case json
        /// The key or index of its node.
        case key
        /// The beginning of a list: what follows is in it.
        case listBegin
        /// The path leads on to the elements, or members, of the node, which should have some.
        case listWithin
        case listValue, listJSON, listKey
        /// Where the node stands below the record.
        case listPlace

        /// Whether it is about the value itself, and not about where it stands.
        var takesValue: Bool {
            switch self {
            case .value, .json, .listValue, .listJSON, .listWithin: true
            case .key, .listKey, .listPlace, .listBegin: false
            }
        }
    }

    var kind: Kind
    /// Whether the slot is that of records in the node where the path starts; else the node is the record itself.
    var isOutside: Bool
    /// Which row of that node.
    var ordinal: Int32
    var slot: Int32
}

/// What the walker must know of a state.
struct StateInfo: BitwiseCopyable {
    /// Where its transitions begin.
    var row = 0
    /// The state of elements whose index no path names; negative: not yet computed.
    var element: Int32 = -1
    var actionStart: Int32 = 0
    var actionCount: Int32 = 0
    /// What starts at the node: an index of the automaton's templates; negative: nothing.
    var template: Int32 = -1
    /// The paths of records that end here: an index of the automaton's `ends`; negative: none.
    var end: Int32 = -1
    /// The key that came first in the last object in this state.
    var firstKey: Int32 = 0
    /// Whether a path leads on to what the node contains.
    var continues = false
    /// Whether a path names an index.
    var namesIndices = false
    /// Whether the node is a value of one slot of its record, and nothing else.
    var isPlain = false
    /// Whether a path leads to the value of the node itself.
    var isValue = false
    /// Whether steps that led to the node lead on to what it contains, and no path to the node's own value.
    var isOnTheWay = false
    /// Whether steps lead on to records in the node, see `Track.holder`.
    var holdsRecords = false
    /// Whether they lead on to a member by its name, in which records are.
    var holdsByName = false
    /// Whether paths only pass through the node, as they look for descendants: it is nothing that they name.
    var isPassing = false
    /// Whether values below the node become elements of lists that began above it.
    var feedsLists = false
}

/// What the walker must know of a template.
struct TemplateInfo: BitwiseCopyable {
    /// The state in which the slots begin.
    var state: Int32
    /// The first of the members: the ancestors, which the entities follow.
    var memberStart: Int32
    var ancestorCount: Int32
    var entityCount: Int32
    /// The field that its records are, see `FieldTable`; negative: there was none yet.
    var field: Int32 = -1
}
