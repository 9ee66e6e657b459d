// Objects that hold next to nothing.
extension EntityFinder {
    /// Whether nothing is in the lists and objects at a place.
    func hasNothing(_ place: ShapeNode) -> Bool {
        place.counts.scalars == 0 && place.element < 0 && place.anyMember < 0 && place.children.first < 0
    }

    /// What says in an object which other one is meant, beside how that is called: `"CustomerRef": { "value": "12",
    /// "name": … }`.
    func valueOfReference(_ members: [Int32], _ name: String) -> Int32? {
        guard Names.isReferenceObject(name), members.contains(where: { Names.isName(tree.name($0)) }) else {
            return nil
        }
        return members.first { tree.name($0).isIdentical(to: "value") }
    }
}
