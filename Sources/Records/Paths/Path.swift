/// A path into a feed: a streaming subset of JSONPath (RFC 9535), with `~` and `^`.
public struct Path: Hashable, Sendable {
    /// Where a path starts.
    public enum Root: Hashable, Sendable {
        /// `$`: the top of each value of the feed.
        case feed
        /// A bare path: the record.
        case record
        /// `$for`: the record for which a service was asked; then its attribute, as one name.
        case request
    }

    /// One step from nodes to those below.
    public enum Step: Hashable, Sendable {
        /// `.name`, `['name']`
        case name(String)
        /// `[0]`
        case index(Int)
        /// `[-1]`: the element that is so many from the end, from 1.
        case indexFromEnd(Int)
        /// `[?…]`: the elements of an array, or the members of an object, that meet the filter.
        case filter(PathFilter)
        /// `[*]`, `.*`: every element of an array, every member of an object.
        case wildcard
        /// `..name`: the members of that name of the node and of all below it.
        case descendantName(String)
        /// `..[*]`, `..*`: every node below.
        case descendantWildcard

        /// Whether it looks for nodes below the next.
        public var isDescendant: Bool {
            switch self {
            case .name, .index, .indexFromEnd, .filter, .wildcard: false
            case .descendantName, .descendantWildcard: true
            }
        }

        /// Whether it leads to one node at the most.
        public var isDefinite: Bool {
            switch self {
            case .name, .index: true
            case .indexFromEnd, .filter, .wildcard, .descendantName, .descendantWildcard: false
            }
        }

        /// Whether it chooses among all elements of a list.
        public var isChoosing: Bool {
            switch self {
            case .indexFromEnd, .filter: true
            case .name, .index, .wildcard, .descendantName, .descendantWildcard: false
            }
        }

        // Of names the bytes count, as in JSON.
        /// By bytes.
        public static func == (left: Step, right: Step) -> Bool { left.key == right.key }

        /// By bytes.
        public func hash(into hasher: inout Hasher) { hasher.combine(key) }

        private var key: Key {
            switch self {
            case .name(let name): .name(ExactText(name))
            case .index(let index): .index(index)
            case .indexFromEnd(let index): .indexFromEnd(index)
            case .filter(let filter): .filter(ExactText(filter.description))
            case .wildcard: .wildcard
            case .descendantName(let name): .descendantName(ExactText(name))
            case .descendantWildcard: .descendantWildcard
            }
        }

        private enum Key: Hashable {
            case name(ExactText)
            case index(Int)
            case indexFromEnd(Int)
            case filter(ExactText)
            case wildcard
            case descendantName(ExactText)
            case descendantWildcard
        }
    }

    /// Where the path starts.
    public var root: Root
    /// How many `^` a bare path starts with: 1 is the parent node of the record.
    public var parents: Int
    /// From there on.
    public var steps: [Step]
    /// `~` at the end: not the node, but its key (a text) or index (an integer).
    public var isKey: Bool

    /// A path; that it can be followed is not checked.
    public init(root: Root, parents: Int = 0, steps: [Step], isKey: Bool = false) {
        self.root = root
        self.parents = parents
        self.steps = steps
        self.isKey = isKey
    }

    /// The steps before the first that can match several nodes.
    public var definiteSteps: ArraySlice<Step> { steps.prefix(while: \.isDefinite) }

    /// Whether the path matches one value at the most.
    public var isDefinite: Bool { definiteSteps.count == steps.count }

    /// Whether it has steps that choose among the elements of a list, `[-1]` or `[?…]`.
    public var isChoosing: Bool { steps.contains(where: \.isChoosing) }

    /// Whether it means one value: what it may match besides are the elements that do not come first among those that
    /// it chooses.
    public var isSingular: Bool { steps.allSatisfy { $0.isDefinite || $0.isChoosing } }

    /// One member step as it is written: `.name` where the name is a plain word, `['na me']` elsewhere.
    public static func spelled(name: String) -> String {
        let plain = name.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                0x80...:
                true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): index > 0
            default: false
            }
        }
        if plain && !name.isEmpty { return "." + name }
        return "[" + quoted(name) + "]"
    }

    /// A text between single quotes.
    static func quoted(_ text: String) -> String {
        var spelling = "'"
        for character in text.unicodeScalars {
            switch character {
            case "'": spelling += "\\'"
            case "\\": spelling += "\\\\"
            default: spelling.unicodeScalars.append(character)
            }
        }
        return spelling + "'"
    }
}

/// A value that an entity needs from its records: the reader fills one raw cell per slot.
public struct Slot: Hashable, Sendable {
    /// Where the value is.
    public var path: Path
    /// The JSON text is wanted, whatever the value; else containers become `object` or `array` cells.
    public var json: Bool
    /// The cell is a list of all matches, in the order of the feed; absent where the path's definite beginning matches
    /// nothing, an empty list where it matches something that holds no match. Else the only match.
    public var many: Bool
    /// The cell is a list, too: for each match, as a text, where it stands below the record. Such texts sort as the
    /// matches follow one another, and that of a node begins with those of the nodes around it: four bytes a level.
    public var isPlace = false
    /// What findings call it, where that is not the path as `Path.description` writes it; empty: they say nothing of
    /// it.
    public var label: String?
    /// Where the value may stand instead: as many levels above the record.
    public var otherPath: Path?

    /// What findings call it.
    public var name: String { label ?? path.description }

    /// A slot for what a path finds.
    public init(path: Path, json: Bool = false, many: Bool = false) {
        self.path = path
        self.json = json
        self.many = many
    }
}
