/// Puts a tree together from what the parser reports, token by token.
struct TreeBuilder {
    /// A container whose end has not come.
    private struct Open {
        var isObject: Bool
        var position: JSONPosition
        var elements: [JSONNode] = []
        var members: [JSONMember] = []
        var key = ""
        var keyPosition: JSONPosition
    }

    /// No definition is nested deeper, and a deeper tree would be more than recursion can follow.
    static let maxDepth = 200

    private(set) var root: JSONNode?
    private var open: [Open] = []

    /// The innermost container whose end has not come: what it is, and where it starts.
    var innermost: (name: String, position: JSONPosition)? {
        open.last.map { ($0.isObject ? "object" : "array", $0.position) }
    }

    /// Opens a container; false: the text is nested too deep.
    mutating func begin(isObject: Bool, at position: JSONPosition) -> Bool {
        open.append(Open(isObject: isObject, position: position, keyPosition: position))
        return open.count <= TreeBuilder.maxDepth
    }

    mutating func end() {
        guard let last = open.popLast() else { return }
        add(last.isObject ? .object(last.members) : .array(last.elements), at: last.position)
    }

    mutating func key(_ key: String, at position: JSONPosition) {
        guard !open.isEmpty else { return }
        open[open.count - 1].key = key
        open[open.count - 1].keyPosition = position
    }

    mutating func add(_ kind: JSONNode.Kind, at position: JSONPosition) {
        let node = JSONNode(kind, at: position)
        guard let last = open.indices.last else {
            root = node
            return
        }
        if open[last].isObject {
            open[last].members.append(JSONMember(key: open[last].key, at: open[last].keyPosition, value: node))
        } else {
            open[last].elements.append(node)
        }
    }
}
