import SluiceRecords

/// Finds lists whose elements have lists of their kind in them: they are the levels of a tree.
@safe
struct RecursionFinder: ListVisitor {
    private let tree: UnsafeMutablePointer<ShapeTree>
    /// The objects at the levels of a tree, and the object in which the first list is, where that is like them; -1: it
    /// is not.
    private(set) var found: [Int32: Int32] = [:]

    init(_ tree: UnsafeMutablePointer<ShapeTree>) { unsafe self.tree = tree }

    var shape: ShapeTree { unsafe tree.pointee }

    /// Folds a list in the element of one with the same name into that.
    mutating func visit(_ element: Int32, of list: Int32) {
        guard shape[list].step == .member else { return }
        let name = shape.name(list)
        let names = shape.members(of: element).map(shape.name)
        guard let inner = shape.members(of: element).first(where: { shape.name($0) == name }),
            shape[inner].element >= 0, shape[inner].element != element, shape[inner].counts.scalars == 0,
            isLike(shape[inner].element, names)
        else { return }
        found[shape[inner].element] = nil
        unsafe tree.pointee.fold(inner, into: element)
        let root = shape[list].parent
        let isRoot = root >= 0 && shape[root].step == .member && isLike(root, names)
        found[element] = isRoot ? root : -1
    }

    private func isLike(_ node: Int32, _ names: [String]) -> Bool {
        shape[node].counts.objects > 0 && MapFinder.likeness([shape.members(of: node).map(shape.name), names]) >= 0.7
    }
}
