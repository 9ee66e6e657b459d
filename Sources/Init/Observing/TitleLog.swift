/// Texts of lists that a feed has once, in their order: one of them may say what is at the positions of other lists, as
/// `"columns": ["name", "population"]` or `"fields": [{ "name": "name" }, { "name": "population" }]`.
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
    /// Places whose texts say nothing of the kind: there are too many, one is none, or nothing is called so.
    private var unfit: Set<Int32> = []
    /// What the first list at a place says of the others there.
    private var headers: [Int32: [String]] = [:]

    mutating func beginHeader(of list: Int32) { headers[list] = [] }

    mutating func addHeader(_ text: UnsafePointer<UInt8>, _ length: Int, of list: Int32) {
        headers[list]?.append(unsafe String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self))
    }

    /// Nil: there is none, or none yet.
    func header(of list: Int32) -> [String]? { headers[list] }

    mutating func note(_ text: UnsafePointer<UInt8>, _ length: Int, at node: Int32, _ tree: ShapeTree) {
        if unfit.contains(node) { return }
        // What a place is called is looked at once, and not for each text of a feed.
        let isFit = texts[node].map { $0.count <= PositionLog.most } ?? (TitleLog.rank(node, tree) != nil)
        guard isFit, (1...64).contains(length) else {
            unfit.insert(node)
            texts[node] = nil
            return
        }
        let title = unsafe String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self)
        texts[node, default: []].append(title)
    }

    /// What so many positions are called; nil: nothing says it.
    func titles(_ count: Int, _ tree: ShapeTree) -> [String]? {
        let found = texts.filter { $1.count == count && Set($1.map { $0.lowercased() }).count == count }
        return found.min { one, other in
            let ranks = (TitleLog.rank(one.key, tree) ?? .max, TitleLog.rank(other.key, tree) ?? .max)
            return ranks.0 != ranks.1 ? ranks.0 < ranks.1 : one.key < other.key
        }?.value
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

    private static func isList(_ node: Int32, _ tree: ShapeTree) -> Bool {
        node >= 0 && tree.isSingle(node) && tree[node].step == .member
            && Names.words(tree.name(node)).contains { lists.contains(Names.singular($0.lowercased())) }
    }
}
