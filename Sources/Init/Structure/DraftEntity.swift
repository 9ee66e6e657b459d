import SluiceDefinition
import SluiceRecords

/// A type of object that a feed seems to hold.
final class DraftEntity {
    /// Which of the feeds.
    let feed: Int
    /// The way to the records.
    let steps: [ShapeStep]
    /// The places of the records: one, but for the top of a tree, which is a place of its own.
    let nodes: [Int32]
    var records: Int
    /// The entity in whose records these are.
    let owner: DraftEntity?
    /// What the records say of themselves, where that tells them from others of their list.
    var kind: (member: [String], value: String)?
    /// Whether they are the levels of a tree.
    var isTree = false
    /// Whether they are objects in a member of another record, and perhaps the same one in many.
    var isEmbedded = false
    /// How many values in the places of records are none: null, texts, lists.
    var strangers = 0
    var hasNulls: Bool { strangers > 0 }
    /// Whether only a reference would show that this is an entity: a map, and not a single object, or an object that the
    /// feed has once.
    var isDoubtful = false
    /// Whether its records are the lists behind keys, whose objects are records of another entity.
    var isOfGroups = false
    /// Whether it is an object that the feed has once.
    var isSingle = false
    var columns: [DraftColumn] = []
    /// Whether each record is a value, or a list of values, in a map.
    var isOfValues: Bool { columns.contains { $0.origin == .record } }
    /// Whether the first record is none, but says what the others have.
    var hasHeader = false
    /// Whether they are rows of a table, in which all values are texts.
    var isOfTable = false
    /// Whether the feed is a sequence, whose values have no place to be known by.
    var isOfSequence = false
    /// Whether its records are those of one of several pages: what all of them have, others may lack.
    var isOfPage = false
    /// Whether the names of the files that its records are in tell these apart.
    var fileNames = FileNames.differ
    /// Members that are no columns, as there are too many; and how many records have one of them, at the most.
    private(set) var omitted = (count: 0, records: 0)
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
    /// Sentences for a comment.
    var remarks: [String] = []
    /// The entity whose records these are, told in short; nil: they are none.
    private(set) var whole: DraftEntity?
    /// What names that entity's records here, where it may be called otherwise.
    private(set) var wholeKey: DraftColumn?
    /// The members of its records that are records themselves, told in short.
    var excerpts: [[String]] = []
    /// Whether it is none after all.
    var isDropped = false
    /// Whether it is none since nothing identifies the records.
    var isNameless = false
    /// The entity of which these records are, too; nil: they are of this one.
    private(set) var same: DraftEntity?
    /// The ways to records of this entity which were found as another's.
    var others: [[ShapeStep]] = []

    init(feed: Int, steps: [ShapeStep], nodes: [Int32], records: Int, owner: DraftEntity?) {
        self.feed = feed
        self.steps = steps
        self.nodes = nodes
        self.records = records
        self.owner = owner
    }

    /// Whether its records are nowhere in the draft. What the feed has once stands at its top, and is told as that.
    var isLost: Bool { isDropped && !isEmbedded && !isSingle && !isOfGroups && same == nil && owner == nil }

    /// Whether a column has the value at a place.
    func hasValue(at steps: [ShapeStep]) -> Bool {
        columns.contains { column in
            guard case .member(let path) = column.origin else { return false }
            let elements: [ShapeStep] = column.content == .list ? [.element] : []
            return steps == self.steps + path.map { .member($0) } + elements
        }
    }

    /// What only records have, and nothing that takes the place of one.
    var telling: DraftColumn? {
        if identifier?.isPartial == true || isEmbedded && hasNulls { return identifier?.columns.first }
        // A kind is told by a member, too.
        guard hasNulls, kind == nil else { return nil }
        return columns.first(where: \.tellsRecords)
    }

    /// Lets nothing lead to an entity that is none after all.
    func forget(_ other: DraftEntity) {
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
        omitted = (omitted.count + left.count, max(omitted.records, left.first?.present ?? 0))
        columns = sorted.prefix(most).sorted { $0.index < $1.index }
        for (index, column) in columns.enumerated() { column.index = index }
    }

    /// Notes members that nobody looked at.
    func omit(_ count: Int, records: Int) { omitted = (omitted.count + count, max(omitted.records, records)) }

    /// Lets the records be those of another entity, told in short: nothing but which ones they are is taken from them.
    func tell(of other: DraftEntity, by key: DraftColumn) {
        (whole, wholeKey) = (other, key)
        isDropped = true
    }

    /// Lets the records be those of another entity, whose columns are called alike.
    func become(_ other: DraftEntity) {
        same = other
        isDropped = true
        other.others.append(steps)
        other.records += records
        other.strangers += strangers
        for column in columns where column.cut == nil && !column.isKey {
            other.columns.first { $0.cut == nil && $0.origin == column.origin }?.add(column)
        }
    }
}
