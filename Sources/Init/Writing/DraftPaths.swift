import SluiceRecords

/// Paths as a definition has them.
enum DraftPaths {
    /// The name of the file that a record is in, and the line.
    static let file = "$file"
    static let line = "$line"

    static func text(_ steps: [ShapeStep], isKey: Bool = false) -> String {
        if isKey, steps.last == .file { return file }
        var text = "$"
        for step in steps {
            switch step {
            case .file: break
            case .element: text += "[*]"
            case .anyMember: text += ".*"
            case .position(let index): text += "[\(index)]"
            case .member(let name): text += Path(root: .feed, steps: [.name(name)]).description.dropFirst()
            }
        }
        return text + (isKey ? "~" : "")
    }

    /// A path from the top of a feed, as people say it. A list that is called so in what is in it, too, stands for all
    /// of these: the levels of a tree.
    static func top(_ steps: [ShapeStep], in tree: ShapeTree) -> String {
        var path = "$"
        var node: Int32? = 0
        for (index, step) in steps.enumerated() {
            node = node.flatMap { tree.node(step, in: $0) }
            let element = node.map { tree[$0].element } ?? -1
            let own = text([step]).dropFirst()
            guard case .member(let name) = step, element >= 0, index + 1 < steps.count, steps[index + 1] == .element,
                let inner = tree.member(at: [name], in: element), tree[inner].element == element
            else {
                path += own
                continue
            }
            path += Path(root: .feed, steps: [.descendantName(name)]).description.dropFirst()
        }
        if path.utf8.count == 1 { return path }
        let isName = path.hasPrefix("$.") && !path.hasPrefix("$..")
        return String(path.dropFirst(isName ? 2 : 1))
    }

    /// The paths of an entity's records.
    static func records(of entity: DraftEntity) -> [String] {
        guard entity.isTree, case .member(let name)? = entity.place.steps.dropLast().last else {
            return ([entity.place.steps] + entity.place.others).map { path(to: $0, in: entity.tree) }
        }
        let above = text(Array(entity.place.steps.dropLast(2)))
        let below = Path(root: .feed, steps: [.descendantName(name)]).description.dropFirst()
        // Without an object at the top that is like them, `..` finds the first level, too.
        return entity.place.nodes.count > 1 ? [above, "\(above)\(below)[*]"] : ["\(above)\(below)[*]"]
    }

    /// A path from the top of a feed, which leads through all levels of a tree, if it is in one.
    private static func path(to steps: [ShapeStep], in tree: DraftEntity?) -> String {
        guard let tree, steps.starts(with: tree.place.steps), let levels = records(of: tree).last else {
            return text(steps)
        }
        return levels + text(Array(steps.dropFirst(tree.place.steps.count))).dropFirst()
    }

    /// A path from the record.
    static func member(_ path: [String]) -> String {
        Path(root: .record, steps: path.map { .name($0) }).description
    }

    /// What names an object around a record.
    static func identifier(of owner: DraftEntity, from entity: DraftEntity) -> [String] {
        guard let identifier = owner.identifier else { return [] }
        var paths: [String] = []
        if identifier.hasOwner, let above = owner.owner { paths += self.identifier(of: above, from: entity) }
        paths += identifier.columns.map { column in path(of: column, around: entity) }
        paths += lines(identifier)
        paths += identifier.places.map { place in
            owner.isInTree ? key(place, of: entity) : text(Array(owner.place.steps.prefix(place)), isKey: true)
        }
        return paths
    }

    /// Where a record stands, as far as that is a part of its identifier: what is in the record stands there, too.
    static func lines(_ identifier: DraftIdentifier) -> [String] {
        switch identifier.line {
        case .ofFile: [file, line]
        case .ofFeed: [line]
        case .file: [file]
        case nil: []
        }
    }

    static func path(of column: DraftColumn, around entity: DraftEntity) -> String {
        let owner = column.entity
        // At each level of a tree, another record is around.
        if owner.isInTree {
            let levels = entity === owner ? 2 : entity.place.steps.count - owner.place.steps.count
            switch column.origin {
            case .key(let steps): return key(steps, of: entity)
            case .record, .inner: return Path(root: .record, parents: levels, steps: []).description
            case .item(let path, _, let index):
                let steps = path.map { Path.Step.name($0) } + [.index(index)]
                return Path(root: .record, parents: levels, steps: steps).description
            case .member(let path):
                return Path(root: .record, parents: levels, steps: path.map { .name($0) }).description
            }
        }
        switch column.origin {
        case .key(let steps): return text(Array(owner.place.steps.prefix(steps)), isKey: true)
        case .record, .inner: return text(owner.place.steps)
        case .item(let path, _, let index):
            return text(owner.place.steps + path.map { .member($0) } + [.position(index)])
        case .member(let path): return text(owner.place.steps + path.map { .member($0) })
        }
    }

    /// The key, or the place in a list, of a record, or of what is around it: after so many steps of the way to it.
    static func key(_ steps: Int, of entity: DraftEntity) -> String {
        if entity.place.steps[steps - 1] == .file { return file }
        return Path(root: .record, parents: entity.place.steps.count - steps, steps: [], isKey: true).description
    }

    /// The path of a column, from its own record.
    static func own(_ column: DraftColumn) -> String {
        switch column.origin {
        case .record: return "@"
        case .inner(let list, let name):
            return member(list) + "[*]" + Path(root: .feed, steps: [.name(name)]).description.dropFirst()
        case .item(let path, _, let index):
            return Path(root: .record, steps: path.map { .name($0) } + [.index(index)]).description
        case .key(let steps): return key(steps, of: column.entity)
        case .member(let path):
            return column.content == .list ? member(path) + "[*]" : member(path)
        }
    }
}
