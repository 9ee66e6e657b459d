import SluiceRecords

/// A type of object that a feed seems to hold.
final class DraftEntity {
    /// Which of the feeds.
    let feed: Int
    /// The way to the records.
    let steps: [ShapeStep]
    /// The places of the records: one, but for the top of a tree, which is a place of its own.
    let nodes: [Int32]
    let records: Int
    /// The entity in whose records these are.
    let owner: DraftEntity?
    /// What the records say of themselves, where that tells them from others of their list.
    var kind: (member: String, value: String)?
    /// Whether they are the levels of a tree.
    var isTree = false
    /// Whether they are objects in a member of another record, and perhaps the same one in many.
    var isEmbedded = false
    /// Whether only a reference would show that this is a map, and not a single object.
    var isDoubtful = false
    var columns: [DraftColumn] = []
    /// Whether they are rows of a table, in which all values are texts.
    var isOfTable = false
    /// Its place among all entities.
    var index = 0

    // What is decided of it once it has been measured.
    var name = ""
    var identifier: Identifier?
    var relationships: [DraftRelationship] = []
    /// Sentences for a comment.
    var remarks: [String] = []
    /// Why it is none after all; nil: it is one.
    var isDropped = false
    /// Whether records tell of the same objects again and again.
    var repeats = false

    /// What names an object.
    struct Identifier {
        var columns: [DraftColumn]
        /// Whether what names the owner is a part of it.
        var hasOwner = false
        /// Whether the place among the owner's, or in the feed, is a part of it.
        var hasIndex = false
    }

    init(feed: Int, steps: [ShapeStep], nodes: [Int32], records: Int, owner: DraftEntity?) {
        self.feed = feed
        self.steps = steps
        self.nodes = nodes
        self.records = records
        self.owner = owner
    }
}

/// A value that the records of an entity have.
final class DraftColumn {
    enum Origin: Hashable {
        /// A member of the record, or of an object in it.
        case member([String])
        /// The key by which the record, or what is around it, is in a map: after so many steps of the way to it.
        case key(steps: Int)
        /// The record itself.
        case record
        /// A member of the objects in a list that the record has.
        case inner([String], String)
    }

    enum Content {
        case scalar, list, json
        /// Only looked at for what it may refer to: no attribute.
        case inner
    }

    unowned let entity: DraftEntity
    let origin: Origin
    let content: Content
    /// Where the scalars are: those of a list are its elements.
    let node: Int32
    let facts: ValueFacts
    let place: ShapeNode
    /// How many records have it.
    let present: Int
    /// Whether only the last part of each address counts: no attribute, but perhaps a reference.
    var isTail = false
    /// Its place among the entity's columns.
    var index = 0
    var name = ""

    init(
        _ entity: DraftEntity, _ origin: Origin, _ content: Content, node: Int32, facts: ValueFacts?,
        place: ShapeNode, present: Int
    ) {
        self.entity = entity
        self.origin = origin
        self.content = content
        self.node = node
        self.facts = facts ?? ValueFacts()
        self.place = place
        self.present = present
    }

    var isKey: Bool { if case .key = origin { true } else { false } }

    /// Whether every record has it, and never as null.
    var isAlwaysThere: Bool { present >= entity.records && place.nulls == 0 && content == .scalar }

    /// The member's own name.
    var ownName: String {
        switch origin {
        case .member(let path): path.last ?? ""
        case .key: "key"
        case .record: "value"
        case .inner(_, let name): name
        }
    }

    /// How many values there are that could be an identifier.
    var values: Int { facts.texts + facts.numbers - facts.empties }

    /// Whether all values are short texts of one length.
    var isCode: Bool {
        let length = facts.longest
        return !isKey && facts.numbers == 0 && facts.texts > 2 && (2...8).contains(length)
            && facts.bytes == length * facts.texts
    }

    /// Whether all values are whole numbers, as such or as texts.
    var isWhole: Bool { facts.integers > 0 && facts.integers == values }
}

/// A reference that was found.
struct DraftRelationship {
    var name: String
    var column: DraftColumn?
    /// The attribute of the target whose values these are; nil: its identifier.
    var by: DraftColumn?
    /// To the entity in whose records these are, or to one that is embedded in them.
    var via: Via = .column
    var targets: [DraftEntity]
    var isMany = false
    /// What was measured.
    var remark: String

    enum Via {
        case column, owner
        case embedded([String])
        case listed(String)
    }
}
