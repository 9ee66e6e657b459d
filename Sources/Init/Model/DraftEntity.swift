import SluiceDefinition
import SluiceRecords

/// A type of object that a feed seems to hold.
final class DraftEntity {
    var place: RecordPlace
    /// The entity in whose records these are.
    let owner: DraftEntity?
    var role = Role.records
    /// Whether only a reference would show that this is an entity: a map, and not a single object, or an object that
    /// the feed has once.
    var isDoubtful = false
    var records: Int
    var leftOut = LeftOut()
    var columns: [DraftColumn] = []
    /// Its place among all entities.
    var index = 0

    // What is decided of it once it has been measured.
    var name = "" {
        didSet { nameParts = Names.parts(name) }
    }
    /// The words of its name.
    private(set) var nameParts: [String] = []
    var identifier: DraftIdentifier?
    /// Whether records tell of the same objects again and again.
    var repeats: Bool { identifier?.repeats ?? false }
    var relationships: [DraftRelationship] = []
    /// Rows of a table that lack most of what the others have; nil: there are none, or nobody has looked.
    var thinRows: ThinRows?
    /// The objects in its records that are null, or an empty text, in some of them: a path into these finds nothing,
    /// and what is absent stays in its object.
    var nullObjects: [[String]] = []
    /// Sentences for a comment.
    var remarks: [String] = []
    var standing = Standing.drafted
    /// The members of its records that are records themselves, told in short.
    var excerpts: [[String]] = []

    /// What the records are in their feed.
    enum Role {
        /// What a list or a map has.
        case records
        /// The levels of a tree.
        case levels
        /// Objects in a member of another record, and perhaps the same one in many.
        case embedded
        /// An object that the feed has once.
        case single
        /// The lists behind keys, whose objects are records of another entity.
        case groups
    }

    /// What becomes of it in the draft.
    enum Standing {
        case drafted
        /// It is none after all.
        case dropped
        /// It is none since nothing identifies the records.
        case nameless
        /// The records are those of another entity, too.
        case same(DraftEntity)
        /// The records are those of another entity, told in short, and are known by a key, which may be called
        /// otherwise there.
        case excerpt(DraftEntity, key: DraftColumn)
    }

    init(_ place: RecordPlace, records: Int, owner: DraftEntity?) {
        (self.place, self.records, self.owner) = (place, records, owner)
    }

    convenience init(feed: Int, steps: [ShapeStep], nodes: [Int32], records: Int, owner: DraftEntity?) {
        self.init(RecordPlace(feed: feed, steps: steps, nodes: nodes), records: records, owner: owner)
    }

    var isTree: Bool { role == .levels }
    var isEmbedded: Bool { role == .embedded }
    var isSingle: Bool { role == .single }
    var isOfGroups: Bool { role == .groups }
    /// Whether it has one record, or few that may be errors.
    var isOfOneObject: Bool { records <= ErrorAnswer.mostRecords }
    /// Whether each record is a value, or a list of values, in a map.
    var isOfValues: Bool { columns.contains { $0.origin == .record } }

    var isDropped: Bool { if case .drafted = standing { false } else { true } }
    var isNameless: Bool { if case .nameless = standing { true } else { false } }
    /// The entity of which these records are, too; nil: they are of this one.
    var same: DraftEntity? { if case .same(let other) = standing { other } else { nil } }
    /// The entity whose records these are, told in short; nil: they are none.
    var whole: (entity: DraftEntity, key: DraftColumn)? {
        if case .excerpt(let other, let key) = standing { (other, key) } else { nil }
    }

    /// Whether its objects go where the record around them has them no longer: their places in it identify them, or
    /// are a part of what does, and another object may take such a place.
    var goesByPlace: Bool {
        guard let identifier, identifier.hasOwner, let owner, !isDropped, !repeats, !isTree, !owner.isDropped,
            !owner.repeats, place.others.isEmpty, place.otherFeeds.isEmpty
        else { return false }
        return identifier.hasIndex || owner.goesByPlace
    }

    /// Whether its records, or those around them, are the levels of a tree.
    var isInTree: Bool { tree != nil }

    /// The levels of the tree that it is, or that its records are in.
    var tree: DraftEntity? { sequence(first: self, next: \.owner).first(where: \.isTree) }

    /// Whether a value is that of the object at the top of its tree.
    func hasTop(at steps: [ShapeStep]) -> Bool {
        place.nodes.count > 1 && steps.dropLast() == place.steps.dropLast(2)
    }

    /// Leaves it out of the draft, if it is in it.
    func drop() { if !isDropped { standing = .dropped } }

    /// Whether its records are nowhere in the draft. What the feed has once stands at its top, and is told as that.
    var isLost: Bool { isDropped && !isEmbedded && !isSingle && !isOfGroups && same == nil && owner == nil }

    /// What records have beside an object with all that they say: which one they are, and what is about the answer.
    private static let besideEnvelope: Set = [
        "_id", "_index", "_score", "_type", "_version", "createdTime", "expand", "id", "key", "lid", "self", "type",
    ]

    /// Whether records say nothing by themselves but which ones they are: all else is in objects.
    var hasEnvelope: Bool {
        let own = columns.compactMap { $0.path?.count == 1 ? $0.path?[0] : nil }
        return own.allSatisfy(DraftEntity.besideEnvelope.contains)
    }

    /// The object that has all that a record says, by a name that says what that is: `{ "league": { "id": 78, … } }`;
    /// nil: there is none.
    var only: String? {
        let paths = columns.filter { $0.cut == nil }.compactMap(\.path)
        guard place.steps.last == .element, let first = paths.first?.first, paths.count > 1,
            !Names.isGeneric(first), !DraftEntity.saysNothing.contains(first.lowercased()),
            Names.rank(first, of: "") == .other, !DraftColumn.envelopes.contains(first),
            paths.allSatisfy({ $0.count > 1 && $0[0].isIdentical(to: first) })
        else { return nil }
        return first
    }

    private static let saysNothing: Set = [
        "base", "body", "core", "details", "general", "info", "main", "meta", "metadata", "node",
    ]

    /// Whether a column has the value at a place.
    func hasValue(at steps: [ShapeStep]) -> Bool {
        columns.contains { column in
            guard let path = column.path else { return false }
            let elements: [ShapeStep] = column.content == .list ? [.element] : []
            return steps == place.steps + path.map { .member($0) } + elements
        }
    }

    /// What only records have, and nothing that takes the place of one.
    var telling: [DraftColumn] {
        let first = identifier?.columns.prefix(1) ?? []
        if identifier?.isPartial == true {
            let lacking = identifier?.columns.filter { !$0.isAlwaysThere } ?? []
            return lacking.isEmpty ? Array(first) : lacking
        }
        if isEmbedded && leftOut.strangers > 0 { return Array(first) }
        // A kind is told by a member, too.
        guard leftOut.strangers > 0, place.kind == nil else { return [] }
        return columns.first(where: \.tellsRecords).map { [$0] } ?? []
    }

    /// The type of JSON that records are, where nothing else tells them from what stands among them; nil: something
    /// does, or they stand alone.
    var tellingType: String? {
        guard leftOut.strangers > 0, !isEmbedded, !place.isOneOrMany, !isOfValues, place.kind == nil, telling.isEmpty
        else { return nil }
        let areLists = columns.contains { if case .item([], _, _) = $0.origin { true } else { false } }
        return areLists ? "array" : "object"
    }

    /// Whether the draft leaves out what stands among its records and is none.
    var leavesOutStrangers: Bool { leftOut.strangers > 0 && (tellingType != nil || !telling.isEmpty) }

    /// The entities around whose records what identifies these needs, and of which a few records are left out.
    var partialOwners: [DraftEntity] {
        guard identifier?.hasOwner == true, !repeats, let owner else { return [] }
        return (owner.identifier?.isPartial == true && !owner.isEmbedded ? [owner] : []) + owner.partialOwners
    }

    /// Lets nothing lead to an entity that is none after all.
    func forget(_ other: DraftEntity) {
        relationships.removeAll { $0.kinds != nil && $0.leads(to: other) }
        for index in relationships.indices { relationships[index].targets.removeAll { $0 === other } }
        relationships.removeAll(where: \.targets.isEmpty)
    }

    /// Keeps those columns that most records have.
    func keepColumns(_ most: Int) {
        guard columns.count > most else { return }
        let sorted = columns.sorted { one, other in
            let areFixed = (one.isFixed, other.isFixed)
            if areFixed.0 != areFixed.1 { return areFixed.0 }
            return one.present != other.present ? one.present > other.present : one.index < other.index
        }
        let left = sorted.dropFirst(most).filter { $0.cut == nil }
        leftOut.omit(left.count, records: left.first?.present ?? 0)
        columns = sorted.prefix(most).sorted { $0.index < $1.index }
        for (index, column) in columns.enumerated() { column.index = index }
    }

    /// Lets the records be those of another entity, whose columns are called alike.
    func become(_ other: DraftEntity) {
        standing = .same(other)
        if place.feed == other.place.feed {
            other.place.others.append(place.steps)
        } else {
            other.place.otherFeeds.append(place.feed)
        }
        other.records += records
        other.leftOut.strangers += leftOut.strangers
        other.leftOut.blankRows += leftOut.blankRows
        for column in columns where column.cut == nil && !column.isKey {
            other.columns.first { $0.cut == nil && $0.origin == column.origin }?.add(column)
        }
    }
}
