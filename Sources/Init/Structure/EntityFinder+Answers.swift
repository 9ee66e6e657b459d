// Answers of services: an object around a record, or around a list that is empty today.
extension EntityFinder {
    /// The record in the object of a feed, or in that of each file, where the object says nothing else but of the
    /// answer: `data`, with an identifier.
    func wrapped(in node: Int32, _ steps: [ShapeStep]) -> Int32? {
        guard steps.isEmpty && !isLines || steps == [.file], tree[node].counts.objects > 0 else { return nil }
        let members = tree.members(of: node)
        return members.first { member in
            guard tree[member].counts.objects == tree[node].counts.objects, tree[member].anyMember < 0, isRecord(member)
            else { return false }
            if isDocument(member) { return true }
            let others = members.filter { $0 != member }
            return steps == [.file] && Names.isGeneric(tree.name(member)) && isRecordOfFile(member)
                && others.allSatisfy { isOfAnswer($0) }
        }
    }

    /// Whether an object says its kind and its identifier, and has all else in objects, as JSON:API has it.
    private func isDocument(_ node: Int32) -> Bool {
        let names = Set(tree.members(of: node).filter { tree[$0].counts.areScalars }.map(tree.name))
        let inner = tree.members(of: node).filter { tree[$0].counts.hasObjects }.map(tree.name)
        return tree.name(node) == "data" && names.isSuperset(of: ["id", "type"])
            && inner.contains { MapFinder.documents.contains($0) }
    }

    /// Whether an object has what the object of JSON:API around it says of itself: no other object.
    func isOfDocument(_ node: Int32) -> Bool {
        let parent = tree[node].parent
        guard parent >= 0, MapFinder.documents.contains(tree.name(node)) else { return false }
        let names = Set(tree.members(of: parent).filter { tree[$0].counts.areScalars }.map(tree.name))
        // Strapi has no kind: `"author": { "data": { "id": 7, "attributes": { … } } }`.
        return names.isSuperset(of: ["id", "type"])
            || names.contains("id") && names.allSatisfy(Names.isPlainIdentifier)
    }

    /// Whether a member says something of the answer, rather than of what is in it.
    private func isOfAnswer(_ node: Int32) -> Bool {
        let known: Set = [
            "links", "_links", "meta", "jsonapi", "included", "errors", "error", "object", "url", "more", "self",
            "href",
            "kind", "etag", "version", "success", "ok", "code",
        ]
        let name = tree.name(node)
        return Names.isOfPage(name) || Names.words(name).contains { known.contains($0.lowercased()) }
            || known.contains(name.lowercased())
    }

    /// Whether an object says nothing but of an answer, and has a list that is empty today: no record.
    func isEmptyAnswer(_ node: Int32) -> Bool {
        let members = tree.members(of: node)
        let lists = members.filter { member in
            Names.isGeneric(tree.name(member)) && tree[member].counts.areLists && tree[member].element < 0
        }
        return !lists.isEmpty && members.allSatisfy { lists.contains($0) || isOfAnswer($0) }
    }
}
