import SluiceRecords

/// Finds members that are an object where there is one of something, and a list of such objects where there are
/// several: converters of XML write so.
@safe
struct OneOrManyFinder {
    private let tree: UnsafeMutablePointer<ShapeTree>
    /// By the place of the objects in the lists: that of the object alone.
    private(set) var found: [Int32: Int32] = [:]

    init(_ tree: UnsafeMutablePointer<ShapeTree>) { unsafe self.tree = tree }

    private var shape: ShapeTree { unsafe tree.pointee }

    /// Looks at a place and all that is in it, from below.
    mutating func settle(_ node: Int32) {
        for member in shape.members(of: node) { settle(member) }
        let (element, anyMember) = (shape[node].element, shape[node].anyMember)
        if anyMember >= 0, shape[anyMember].parent == node { settle(anyMember) }
        guard element >= 0, shape[element].parent == node else { return }
        settle(element)
        if isOneOrMany(node, element) {
            unsafe tree.pointee.addMembers(of: node, to: element)
            found[element] = node
        }
    }

    /// Whether objects alone and those in lists are alike, have nothing but values, and one of these is in all of them:
    /// it tells them from the lists.
    private func isOneOrMany(_ node: Int32, _ element: Int32) -> Bool {
        let (one, many) = (shape[node], shape[element])
        guard one.step == .member, one.counts.objects > 0, one.counts.arrays > 0, one.counts.scalars == 0,
            one.anyMember < 0, many.anyMember < 0, many.counts.objects > 0,
            many.counts.values == many.counts.objects
        else { return false }
        let own = shape.members(of: node)
        let others = shape.members(of: element)
        let names = Set(others.map { ExactText(shape.name($0)) })
        guard own.allSatisfy({ names.contains(ExactText(shape.name($0))) }),
            (own + others).allSatisfy({ shape[$0].counts.areScalars && shape[$0].counts.scalars > 0 })
        else { return false }
        return own.contains { member in
            let same = others.first { shape.name($0).isIdentical(to: shape.name(member)) }
            return isInAll(member, of: one) && same.map { isInAll($0, of: many) } ?? false
        }
    }

    private func isInAll(_ member: Int32, of objects: ShapeNode) -> Bool {
        shape[member].owners.count == objects.counts.objects && shape[member].counts.nulls == 0
    }
}
