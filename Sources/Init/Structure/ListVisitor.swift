/// Who looks at all lists of feeds, from below: a list that is in an element of another one comes first.
protocol ListVisitor {
    var shape: ShapeTree { get }

    /// Looks at a list.
    ///
    /// - Parameter element: the place of its elements.
    mutating func visit(_ element: Int32, of list: Int32)
}

extension ListVisitor {
    /// Looks at a place and all that is in it.
    mutating func settle(_ node: Int32) {
        for member in shape.members(of: node) { settle(member) }
        let (element, anyMember) = (shape[node].element, shape[node].anyMember)
        if anyMember >= 0, shape[anyMember].parent == node { settle(anyMember) }
        guard element >= 0, shape[element].parent == node else { return }
        settle(element)
        visit(element, of: node)
    }
}
