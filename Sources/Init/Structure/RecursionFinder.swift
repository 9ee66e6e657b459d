import SluiceRecords

/// Finds lists whose elements have lists of their kind in them: they are the levels of a tree.
@safe
struct RecursionFinder: ListVisitor {
    private let tree: UnsafeMutablePointer<ShapeTree>
    /// The objects at the levels of a tree, and the object in which the first list is, where that is like them; -1: it
    /// is not.
    private(set) var found: [Int32: Int32] = [:]
    /// By where a tree begins, and what its lists are called: whether all that is called so below is a level.
    private var known: [Beginning: Bool] = [:]

    private struct Beginning: Hashable {
        let node: Int32
        let name: ExactText
    }

    /// Whether the feed is one value, which may be the top of a tree.
    private let isOfOneValue: Bool

    init(_ tree: UnsafeMutablePointer<ShapeTree>, isOfOneValue: Bool) {
        unsafe self.tree = tree
        self.isOfOneValue = isOfOneValue
    }

    var shape: ShapeTree { unsafe tree.pointee }

    /// Folds a list in the element of one with the same name into that.
    mutating func visit(_ element: Int32, of list: Int32) {
        guard shape[list].step == .member else { return }
        let name = shape.name(list)
        let names = shape.members(of: element).map(shape.name)
        guard let inner = shape.members(of: element).first(where: { shape.name($0) == name }),
            shape[inner].element >= 0, shape[inner].element != element, shape[inner].counts.scalars == 0,
            isLike(shape[inner].element, names), areLevels(from: beginning(of: list, name), ExactText(name))
        else { return }
        found[shape[inner].element] = nil
        unsafe tree.pointee.fold(inner, into: element)
        let root = shape[list].parent
        let isRoot =
            root == 0
            ? isOfOneValue && Set(names) == Set(shape.members(of: root).map(shape.name))
            : root > 0 && shape[root].step == .member && isLike(root, names) && !hasFields(shape[root].parent, names)
        found[element] = isRoot ? root : -1
    }

    private func isLike(_ node: Int32, _ names: [String]) -> Bool {
        shape[node].counts.objects > 0 && SharedNames([shape.members(of: node).map(shape.name), names]).likeness >= 0.7
    }

    /// Whether an object has values under names that levels have: the levels below would take it for the one above.
    private func hasFields(_ node: Int32, _ names: [String]) -> Bool {
        let known = Set(names.map { ExactText($0) })
        // One level leads two places up.
        let around = shape[node].parent
        return around >= 0
            && shape.members(of: around).contains { member in
                known.contains(ExactText(shape.name(member))) && shape[member].counts.hasValues
            }
    }

    // MARK: What is called as the levels are

    /// What has the first of the lists of one name that are around a list.
    private func beginning(of list: Int32, _ name: String) -> Int32 {
        var (first, node) = (list, list)
        while node > 0 {
            if shape[node].step == .member, shape.name(node).isIdentical(to: name) { first = node }
            node = shape[node].parent
        }
        return shape[first].parent
    }

    /// Whether all that is called as the levels of a tree is one: the path with `..` takes whatever is in it for
    /// records, values of a map, too.
    private mutating func areLevels(from node: Int32, _ name: ExactText) -> Bool {
        let beginning = Beginning(node: node, name: name)
        if let known = known[beginning] { return known }
        let areLevels = areLevels(in: node, name, isLevel: true)
        known[beginning] = areLevels
        return areLevels
    }

    /// - Parameter isLevel: whether the place is that of records of the tree, or of what has the first of them.
    private func areLevels(in node: Int32, _ name: ExactText, isLevel: Bool) -> Bool {
        for member in shape.members(of: node) {
            let isCalledSo = shape[member].step == .member && ExactText(shape.name(member)) == name
            if isCalledSo, !isEmpty(member), !isLevel || !isListOfRecords(member) { return false }
            if !areLevels(in: member, name, isLevel: false) { return false }
            // What is folded is looked at where it is now.
            let element = shape[member].element
            guard element >= 0, shape[element].parent == member else { continue }
            if !areLevels(in: element, name, isLevel: isCalledSo) { return false }
        }
        let (element, anyMember) = (shape[node].element, shape[node].anyMember)
        if anyMember >= 0, !areLevels(in: anyMember, name, isLevel: false) { return false }
        // The elements of a list that is in no object: lists in lists.
        guard shape[node].step != .member, element >= 0, shape[element].parent == node else { return true }
        return areLevels(in: element, name, isLevel: false)
    }

    /// Whether nothing is in what stands at a place: `{}`, `[]` or null.
    private func isEmpty(_ node: Int32) -> Bool {
        shape[node].counts.scalars == 0 && shape[node].element < 0 && shape[node].anyMember < 0
            && shape[node].children.first < 0
    }

    private func isListOfRecords(_ list: Int32) -> Bool {
        guard shape[list].counts.objects == 0, shape[list].counts.scalars == 0, shape[list].element >= 0 else {
            return false
        }
        let counts = shape[shape[list].element].counts
        return counts.objects > 0 && counts.arrays == 0
    }
}
