import SluiceExtract
import SluiceStore

extension JSONValue {
    /// The value as a tree, in which everything is called by the keys that lead to it.
    func tree(named name: String) -> JSONTree {
        var names: [String] = []
        let root = node(called: "", &names)
        return JSONTree(file: name, root: root, names: names)
    }

    private func node(called name: String, _ names: inout [String]) -> JSONNode {
        let position = JSONPosition(line: 0, column: 0, offset: UInt64(names.count))
        names.append(name)
        let kind: JSONNode.Kind =
            switch self {
            case .null: .null
            case .boolean(let value): .boolean(value)
            case .integer, .real, .number: json == "null" ? .null : .number(json)
            case .text(let text): .string(text)
            case .list(let elements):
                .array(elements.enumerated().map { $1.node(called: "\(name)[\($0)]", &names) })
            case .object(let members):
                .object(
                    members.map { member in
                        let path = name.isEmpty ? member.key : "\(name).\(member.key)"
                        let value = member.value.node(called: path, &names)
                        return JSONMember(key: member.key, at: value.position, value: value)
                    })
            }
        return JSONNode(kind, at: position)
    }
}
