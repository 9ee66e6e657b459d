// Files that are records.
extension EntityFinder {
    /// Whether the object in each file, or in a member of it, is a record, and not what its lists have in common.
    func isRecordOfFile(_ node: Int32) -> Bool { isKnownByMember(node) || isDescribed(node) || hasValueLists(node) }

    /// Whether the object in each file is a record, and not what its lists have in common: a member that is called as
    /// identifiers or names are tells it from all others, as far as its sketch says.
    private func isKnownByMember(_ node: Int32) -> Bool {
        ownMembers(of: node).contains { member in
            let counts = tree[member].counts
            guard counts.scalars == tree[node].counts.objects, counts.nulls == 0, let facts = tree.factsOf(member),
                Names.rank(tree.name(member), of: "") <= .code
            else { return false }
            return facts.sketch.mayHave(counts.scalars)
        }
    }

    /// The members of the object in each file; those of what has its properties, as features of GeoJSON have it; and
    /// the identifier of what it is about, where that has lists: `"issue": { "id": …, "labels": […] }`.
    private func ownMembers(of node: Int32) -> [Int32] {
        let members = tree.members(of: node)
        let inner = members.filter { tree[$0].counts.objects == tree[node].counts.objects }
        return members
            + inner.flatMap { member -> [Int32] in
                let own = tree.members(of: member)
                if ["properties", "attributes", "fields"].contains(tree.name(member).lowercased()) { return own }
                guard own.contains(where: { tree[$0].counts.arrays > 0 }) else { return [] }
                return own.filter { Names.rank(tree.name($0), of: tree.name(member)) == .own }
            }
    }

    /// Whether the object in each file is a record since it says much of itself: several members differ between the
    /// files, besides what answers say of their pages. The file identifies it, or else a member.
    private func isDescribed(_ node: Int32) -> Bool {
        let varied = tree.members(of: node).compactMap { member -> ValueFacts? in
            let counts = tree[member].counts
            guard counts.scalars == tree[node].counts.objects, counts.nulls == 0, !Names.isOfPage(tree.name(member)),
                let facts = tree.factsOf(member), facts.sketch.distinct > 1.5
            else { return nil }
            return facts
        }
        let files = tree[node].counts.objects
        return varied.count >= EntityFinder.leastDescribing
            && (fileNames == .differ || varied.contains { $0.texts > 0 && $0.sketch.mayHave(files) })
    }

    /// So many members of the object in a file make it a record.
    private static let leastDescribing = 3

    /// Whether the object in each file says something of itself in lists of values, which differ between the files: the
    /// file identifies it, as nothing else would have these lists.
    private func hasValueLists(_ node: Int32) -> Bool {
        let files = tree[node].counts.objects
        let own = tree.members(of: node).filter { member in
            tree[member].owners.count * 10 >= files * 9 && !Names.isOfPage(tree.name(member))
        }
        guard fileNames == .differ, own.count > 1 else { return false }
        return own.contains { member in
            guard tree[member].counts.areLists, let element = element(of: member), tree[element].counts.areScalars,
                let facts = tree.factsOf(element)
            else { return false }
            // The same list in each file, such as one of columns, says nothing of the file.
            return 2 * facts.sketch.distinct * Double(files) > 3 * Double(tree[element].counts.values)
        }
    }
}
