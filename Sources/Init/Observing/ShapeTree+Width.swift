// Objects with very many members.
extension ShapeTree {
    /// What becomes of an object for one more member.
    enum Width {
        /// It gets the member.
        case more
        /// It is a record of which enough members are known.
        case full
        /// Its keys are data.
        case map
    }

    /// - Parameters:
    ///   - isTable: whether the objects are rows of a table.
    ///   - isSequence: whether the feed is a sequence of values.
    func width(of node: Int32, isTable: Bool, isSequence: Bool) -> Width {
        let place = self[node]
        guard place.children.count >= ShapeTree.mostMembers else { return .more }
        let next: Width = place.children.count < ShapeTree.mostOfRecord ? .more : .full
        if isTable || place.sketches.keys >= 0 { return next }
        guard place.step == .element || place.step == .root && isSequence else { return .map }
        if isRecord(place, members(of: node)) { return next }
        // Of one object nobody can say it yet.
        return place.counts.objects == 1 && next == .more ? .more : .map
    }

    /// Whether objects have members in common, which keys that are data would not be.
    private func isRecord(_ place: ShapeNode, _ members: [Int32]) -> Bool {
        guard place.counts.objects > 1 else { return false }
        let counts = members.map { self[$0].owners.count }
        if counts.reduce(0, +) * 2 >= counts.count * place.counts.objects { return true }
        let common = counts.count { $0 * 10 >= place.counts.objects * 9 }
        return place.counts.objects >= 10 ? common >= 1 : place.counts.objects >= 3 && common >= 2
    }
}
