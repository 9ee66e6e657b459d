// The edges by which answers of GraphQL lead to objects.
extension EntityFinder {
    /// The object that each edge has, where it says nothing else but which place of the page it is:
    /// `"edges": [{ "cursor": "…", "node": { "id": … } }]`; nil: these are no edges, or each says something itself.
    func nodeOfEdge(_ edge: Int32, _ steps: [ShapeStep]) -> Int32? {
        guard ShapeStep.members(steps).last == "edges", steps.last == .element, isRecord(edge),
            tree[edge].counts.areObjects
        else { return nil }
        let members = tree.members(of: edge)
        guard members.allSatisfy({ EntityFinder.edgeMembers.contains(tree.name($0)) }),
            let node = members.first(where: { tree.name($0) == "node" }), isRecord(node), tree[node].anyMember < 0,
            tree[node].counts.objects == tree[edge].counts.objects
        else { return nil }
        return node
    }

    /// What edges in a record say of their places on a page, by the path from the record.
    func cursors(of edge: Int32, _ steps: [ShapeStep], _ owner: DraftEntity?) -> [String] {
        guard let owner, steps.starts(with: owner.place.steps) else { return [] }
        let way = DraftPaths.text(Array(steps.dropFirst(owner.place.steps.count)))
        guard way.hasPrefix("$.") else { return [] }
        return tree.members(of: edge).map(tree.name).filter { $0 != "node" }.map { "\(way.dropFirst(2)).\($0)" }
    }

    private static let edgeMembers: Set = ["__typename", "cursor", "node"]

    /// Whether a member only says which place of the page an edge is: it is another one after each change.
    func isCursor(_ member: Int32, of entity: DraftEntity) -> Bool {
        entity.place.isOfEdges && tree.name(member) == "cursor" && tree[member].counts.areScalars
    }
}
