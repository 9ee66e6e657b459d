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
    var omissions = Omissions()
    /// What the document says of the positions of records that are lists; nil: nothing.
    var titles: ListTitles?
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
    /// The objects in its records of which something is known.
    var objects = InnerObjects()
    /// Sentences for a comment.
    var remarks: [String] = []
    var standing = Standing.drafted

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

    /// Whether a column has the value at a place.
    func hasValue(at steps: [ShapeStep]) -> Bool {
        columns.contains { column in
            guard let path = column.path else { return false }
            let elements: [ShapeStep] = column.content == .list ? [.element] : []
            return steps == place.steps + path.map { .member($0) } + elements
        }
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
        omissions.omit(left.count, records: left.first?.present ?? 0)
        columns = sorted.prefix(most).sorted { $0.index < $1.index }
        for (index, column) in columns.enumerated() { column.index = index }
    }
}
