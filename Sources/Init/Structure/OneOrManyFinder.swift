import SluiceRecords

/// Finds members that are an object where there is one of something, and a list of such objects where there are
/// several: converters of XML write so.
@safe
struct OneOrManyFinder: ListVisitor {
    private let tree: UnsafeMutablePointer<ShapeTree>
    /// By the place of the objects in the lists: that of the object alone.
    private(set) var found: [Int32: Int32] = [:]

    init(_ tree: UnsafeMutablePointer<ShapeTree>) { unsafe self.tree = tree }

    var shape: ShapeTree { unsafe tree.pointee }

    /// Has the members of an object that is alone found in the lists, too.
    mutating func visit(_ element: Int32, of list: Int32) {
        guard isOneOrMany(list, element) else { return }
        unsafe tree.pointee.addMembers(of: list, to: element)
        found[element] = list
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
