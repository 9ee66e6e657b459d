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
    var identifier: Identifier?
    /// What identifies the records by itself, if something does, whatever was chosen.
    var alone: Identifier?
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
    /// Whether some records lack what identifies all others, and are left out.
    var isPartlyNamed = false
    /// Whether some objects have what identifies another one.
    var isNotQuiteUnique = false
    /// Whether records tell of the same objects again and again.
    var repeats = false
    /// The entity of which these records are, too; nil: they are of this one.
    private(set) var same: DraftEntity?
    /// The ways to records of this entity which were found as another's.
    var others: [[ShapeStep]] = []

    /// What names an object.
    struct Identifier {
        var columns: [DraftColumn]
        /// Whether what names the owner is a part of it.
        var hasOwner = false
        /// The places in lists that are a part of it: after so many steps of the way to the record.
        var places: [Int] = []
        /// Whether the line in which a record stands is a part of it.
        var hasLine = false
        /// Whether the name of the file is, beside the line.
        var hasFile = false
        /// Whether it holds only while the order of the feed stays.
        var hasIndex: Bool { !places.isEmpty || hasLine }
    }

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
        if isPartlyNamed || isEmbedded && hasNulls { return identifier?.columns.first }
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
    private(set) var place: ShapeNode
    /// How many records have it.
    private(set) var present: Int
    /// The part of each text that counts: no attribute, but perhaps a reference. Nil: all of it.
    var cut: TextCut?
    /// Whether it only refers to something together with others.
    var isPart = false
    /// Of a list: whether a record has a value more than once in it; nil: that was not looked at.
    var hasRepeats: Bool?
    /// Of a key: the member that has it, too, in every record.
    var sameAs: DraftColumn?
    /// What `facts` are of, where it is not the feed.
    var partFacts: PartFacts?
    /// Its place among the entity's columns.
    var index = 0
    private(set) lazy var memberName = MemberName(ownName)
    /// How much its name is like that of an identifier of what its object is called in the feed: 0 is most.
    private(set) lazy var rank = Names.rank(ownName, of: RecordMeasure.name(of: entity))
    /// The names that may say what it refers to.
    private(set) lazy var meanings = meaningNames.map(MemberName.init)
    /// What the list is called in which objects have it as their own identifier: the `id` in a list of `companies` may be that
    /// of a company, of which the objects are no records. Nil: it is no such identifier, or the list says nothing.
    private(set) lazy var listMeaning = listName.map { MemberName($0 + "_id") }
    /// Whether it is called as references are.
    private(set) lazy var isCalledReference = Names.isReference(ownName)

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

    /// The same values, as those of another entity: nothing of them is null there.
    convenience init(_ column: DraftColumn, in entity: DraftEntity, origin: Origin? = nil, present: Int) {
        var place = column.place
        place.nulls = 0
        if column.content == .list { (place.arrays, place.texts) = (0, column.facts.texts) }
        self.init(
            entity, origin ?? column.origin, .scalar, node: column.node, facts: column.facts, place: place,
            present: present)
    }

    /// Takes in records that have it, too.
    func add(present count: Int) { present += count }

    /// Takes in what is known of a column of the same type.
    fileprivate func add(_ other: DraftColumn) {
        if place.scalars == 0 { facts = other.facts }
        present += other.present
        place.nulls += other.place.nulls
        place.texts += other.place.texts
        place.numbers += other.place.numbers
        place.booleans += other.place.booleans
        place.objects += other.place.objects
        place.arrays += other.place.arrays
    }

    var isKey: Bool { if case .key = origin { true } else { false } }
    /// Whether it has the names of the files that the records are in.
    var isFile: Bool { origin == .key(steps: 1) && entity.steps.first == .file }
    /// Whether it has the paths of these files, as their names do not tell them apart. No value in a definition has these.
    var isPathOfFile: Bool { isFile && entity.fileNames != .differ }

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
    var isAlwaysThere: Bool { present >= entity.records && place.nulls == 0 && content == .scalar }

    /// The member's own name.
    var ownName: String {
        switch origin {
        case .member(let path): path.last ?? ""
        case .key: "key"
        case .record: "value"
        case .inner(_, let name): name
        case .item(_, let name, _): name
        }
    }

    private var listName: String? {
        guard case .member(let path) = origin, path.count == 1, entity.owner != nil, !entity.isEmbedded,
            Names.isPlainIdentifier(ownName)
        else { return nil }
        return entity.steps.reversed().lazy.compactMap { step in
            if case .member(let name) = step, !Names.isGeneric(name) { name } else { nil }
        }.first
    }

    private var meaningNames: [String] {
        switch origin {
        // The id of an author in `author` is `author`.
        case .member(let path) where path.count > 1: return [ownName, path[path.count - 2] + "_id"]
        case .key(let steps):
            return entity.steps[..<(steps - 1)].compactMap { step in
                if case .member(let name) = step { name } else { nil }
            }.suffix(1)
        default: return [ownName]
        }
    }

    /// How many values there are that could be an identifier.
    var values: Int { facts.texts + facts.numbers - facts.empties }
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
    /// Of one to many: whether each target is named once by a record.
    var isSet = false
    /// What was measured.
    var remark: String
    /// Whether none of the values was found.
    var isByName = false

    var isByOwner: Bool { if case .owner = via { true } else { false } }

    func isEmbedded(at path: [String]) -> Bool { if case .embedded(path) = via { true } else { false } }

    enum Via {
        case column, owner
        /// By several values, one for each part of the identifier.
        case columns([DraftColumn])
        case embedded([String])
        /// To what is in another list of a record around.
        case sibling(DraftEntity, DraftColumn)
        case listed(String)
    }
}
