import SluiceDefinition
import SluiceRecords

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
        /// An element of a list that is none, but a point: what it is called, and its place.
        case item([String], String, Int)
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
    private(set) var facts: ValueFacts
    /// What is at the place that it is of.
    private(set) var counts: ValueCounts
    /// How many objects have it more than once.
    let repeated: Int
    /// How many records have it.
    private(set) var present: Int
    /// Nil: all of each text counts.
    let part: Part?
    /// Of a list: whether a record has a value more than once in it; nil: that was not looked at.
    var hasRepeats: Bool?
    /// Of a key: the member that has it, too, in every record.
    var sameAs: DraftColumn?
    /// Of a table: the few texts of another kind than all others; nil: there are none, or nobody has looked.
    var oddTexts: OddTexts?
    /// Whether nothing has it but what stands among the records and is none.
    var isOfStrangers = false
    /// Whether it has nothing but lists and objects without anything in them.
    var isAlwaysEmpty = false
    /// Its place among the entity's columns.
    var index = 0
    private(set) lazy var meaning = ColumnMeaning(self)
    /// Whether all texts are amounts with a unit, or with a minus behind some of them, as far as a sample tells.
    private(set) lazy var isAmount = amounts != nil || areMarkedNumbers

    /// Whether nearly all texts are numbers with a fraction, as far as a sample tells: one is a word.
    private(set) lazy var areNearlyFractions = TextKind.areNearlyFractions(self)

    /// The part of each text that counts: no attribute, but perhaps a reference.
    struct Part {
        let cut: TextCut
        /// What the column's facts are of; nil: they are those of the feed.
        var facts: PartFacts?
        /// Whether it only refers to something together with others.
        var isPartial = false
    }

    init(
        _ entity: DraftEntity, _ origin: Origin, _ content: Content, node: Int32, facts: ValueFacts?,
        place: ShapeNode, present: Int
    ) {
        (self.entity, self.origin, self.content, self.node) = (entity, origin, content, node)
        (counts, repeated, self.present) = (place.counts, place.owners.repeated, present)
        (part, self.facts) = (nil, facts ?? ValueFacts())
    }

    /// The same values, as those of another entity: nothing of them is null there.
    init(_ column: DraftColumn, in entity: DraftEntity, origin: Origin? = nil, present: Int) {
        (self.entity, self.origin, content) = (entity, origin ?? column.origin, .scalar)
        (node, facts, counts, repeated) = (column.node, column.facts, column.counts, column.repeated)
        (part, self.present) = (nil, present)
        counts.nulls = 0
        if column.content == .list { (counts.arrays, counts.texts) = (0, facts.texts) }
    }

    /// A part of each text of another column.
    ///
    /// - Parameter facts: what the parts have in common.
    init(_ column: DraftColumn, _ part: Part, _ facts: ValueFacts) {
        (entity, origin, content, node) = (column.entity, column.origin, column.content, column.node)
        (counts, repeated, present) = (column.counts, column.repeated, column.present)
        (self.part, self.facts) = (part, facts)
    }

    var cut: TextCut? { part?.cut }

    /// Takes in records that have it, too.
    func add(present count: Int) { present += count }

    /// Takes in what is known of a column of the same type.
    func add(_ other: DraftColumn) {
        if counts.scalars == 0 { facts = other.facts }
        present += other.present
        counts += other.counts
    }

    /// Whether it has its values at the same place as another one.
    func isAtPlace(of other: DraftColumn) -> Bool {
        node == other.node && entity.place.feed == other.entity.place.feed
    }

    var isKey: Bool { if case .key = origin { true } else { false } }
    /// Whether it has the names of the files that the records are in.
    var isFile: Bool { origin == .key(steps: 1) && entity.place.steps.first == .file }
    /// Whether it has the paths of these files, as their names do not tell them apart. No value in a definition has
    /// these.
    var isPathOfFile: Bool { isFile && entity.place.fileNames != .differ }

    /// Whether its entity is nothing without it.
    var isFixed: Bool { isKey || origin == .record }

    /// Whether all records have it, and nothing that is no object.
    var tellsRecords: Bool {
        switch origin {
        case .member, .item([], _, _): isAlwaysThere && cut == nil
        case .key, .record, .inner, .item: false
        }
    }

    /// Whether every record has it, and never as null.
    var isAlwaysThere: Bool { present >= entity.records && counts.nulls == 0 && content == .scalar }

    /// Its entity, and what it is called there.
    var fullName: String { "\(entity.name).\(names[0])" }

    /// The member's own name.
    var ownName: String {
        switch origin {
        case .member(let path): namePath?.last ?? path.last ?? ""
        case .key: "key"
        case .record: "value"
        case .inner(_, let name): name
        case .item(_, let name, _): name
        }
    }

    /// How many values there are that could be an identifier.
    var values: Int { facts.texts + facts.numbers - facts.empties }
}
