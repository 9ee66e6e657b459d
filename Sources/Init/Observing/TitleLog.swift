/// Texts of lists that a feed has once, or that are the same in each record, in their order: one of them may say what
/// is at the positions of other lists, as `"columns": ["name", "population"]` or
/// `"fields": [{ "name": "name" }, { "name": "population" }]`.
struct TitleLog {
    /// Names of lists that say so, each word by itself.
    private static let lists: Set<String> = [
        "attribute", "col", "column", "field", "head", "header", "heading", "key", "label", "name", "schema", "title",
        "variable",
    ]
    /// Members of their elements, the best first.
    private static let members = ["fieldname", "field", "key", "name", "id", "code", "label", "title"]

    /// By place.
    private var texts: [Int32: [String]] = [:]
    /// Where a list stands in each of several records: which of its texts comes next.
    private var next: [Int32: Int] = [:]
    /// Places whose texts say nothing of the kind: there are too many, one is none, or nothing is called so.
    private var unfit: Set<Int32> = []
    /// What the first list at a place says of the others there.
    private var headers: [Int32: [String]] = [:]
    /// Of a further document: which of these texts comes next.
    private var nextOfHeader: [Int32: Int] = [:]
    /// Places of which one document says something else than another.
    private var unlike: Set<Int32> = []

    mutating func beginHeader(of list: Int32) {
        if headers[list] == nil { headers[list] = [] } else { nextOfHeader[list] = 0 }
    }

    mutating func addHeader(_ text: UnsafePointer<UInt8>, _ length: Int, of list: Int32) {
        let title = unsafe String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self)
        guard let place = nextOfHeader[list], let known = headers[list] else {
            headers[list]?.append(title)
            return
        }
        if place >= known.count || !known[place].isIdentical(to: title) { unlike.insert(list) }
        nextOfHeader[list] = place + 1
    }

    /// Nil: there is none, or another one in each document.
    func header(of list: Int32) -> [String]? { unlike.contains(list) ? nil : headers[list] }

    mutating func note(_ text: UnsafePointer<UInt8>, _ length: Int, at node: Int32, _ tree: ShapeTree) {
        if unfit.contains(node) { return }
        // What a place is called is looked at once, and not for each text of a feed.
        let isFit = texts[node].map { $0.count <= PositionLog.most } ?? (TitleLog.rank(node, tree) != nil)
        guard isFit, (1...64).contains(length) else { return omit(node) }
        let title = unsafe String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self)
        if !repeats(title, at: node, tree) { texts[node, default: []].append(title) }
    }

    private mutating func omit(_ node: Int32) {
        unfit.insert(node)
        (texts[node], next[node]) = (nil, nil)
    }

    /// Whether a text is that of a further record, which has the same ones.
    private mutating func repeats(_ title: String, at node: Int32, _ tree: ShapeTree) -> Bool {
        guard let known = texts[node], let first = known.first else { return false }
        if let place = next[node] {
            if !known[place].isIdentical(to: title) { omit(node) } else { next[node] = (place + 1) % known.count }
            return true
        }
        guard first.isIdentical(to: title), !tree.isSingle(TitleLog.list(of: node, tree)) else { return false }
        next[node] = 1 % known.count
        return true
    }

    /// The list whose texts are at a place.
    private static func list(of node: Int32, _ tree: ShapeTree) -> Int32 {
        tree[node].step == .element ? tree[node].parent : tree[tree[node].parent].parent
    }

    /// Whether each document has the list of these texts once.
    static func isOnce(_ node: Int32, _ tree: ShapeTree) -> Bool { tree.isSingleInDocument(list(of: node, tree)) }

    /// What so many positions are called, and where the texts are that say it; nil: nothing says it.
    ///
    /// - Parameter record: the object that has the lists: what each record says is about its own.
    func titles(_ count: Int, _ tree: ShapeTree, in record: Int32) -> (node: Int32, texts: [String])? {
        let found = texts.filter { node, texts in
            texts.count == count && Set(texts.map { $0.lowercased() }).count == count
                && (TitleLog.isOnce(node, tree) || tree[TitleLog.list(of: node, tree)].parent == record)
        }
        return found.min { one, other in
            let ranks = (TitleLog.rank(one.key, tree) ?? .max, TitleLog.rank(other.key, tree) ?? .max)
            return ranks.0 != ranks.1 ? ranks.0 < ranks.1 : one.key < other.key
        }.map { (node: $0.key, texts: $0.value) }
    }

    /// How well the texts of a place may say it: 0 is best; nil: they do not.
    private static func rank(_ node: Int32, _ tree: ShapeTree) -> Int? {
        let (parent, step) = (tree[node].parent, tree[node].step)
        if step == .element { return isList(parent, tree) ? 0 : nil }
        guard step == .member, parent >= 0, tree[parent].step == .element, !tree[parent].positions.arePlaces else {
            return nil
        }
        return members.firstIndex(of: tree.name(node).lowercased()).flatMap { place in
            isList(tree[parent].parent, tree) ? place + 1 : nil
        }
    }

    static func isList(_ node: Int32, _ tree: ShapeTree) -> Bool {
        node >= 0 && tree[node].step == .member
            && Names.words(tree.name(node)).contains { lists.contains(Names.singular($0.lowercased())) }
    }
}
