/// Stages of which each says what it needs before it: their order follows from that.
package protocol OrderedStages: CaseIterable, Hashable {
    /// The stages whose results it needs.
    var needs: Set<Self> { get }
}

extension OrderedStages {
    /// All stages, each after those that it needs; of several that could be next, the first that is declared.
    package static var ordered: [Self] {
        var (order, left) = ([Self](), Array(allCases))
        while let place = left.firstIndex(where: { $0.needs.isSubset(of: order) }) {
            order.append(left.remove(at: place))
        }
        precondition(left.isEmpty, "stages that need each other: \(left)")
        return order
    }
}
