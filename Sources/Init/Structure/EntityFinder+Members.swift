import SluiceDefinition
import SluiceRecords

// The columns of records.
extension EntityFinder {
    /// The members of a record, and of the objects in it.
    ///
    /// - Parameter embedding: the object in the record whose members these are, where it may be an entity.
    mutating func addMembers(
        of node: Int32, _ path: [String], _ inner: [ShapeStep], _ entity: DraftEntity, in embedding: DraftEntity? = nil
    ) {
        for member in tree.members(of: node) where !path.isEmpty || !isCursor(member, of: entity) {
            let name = tree.name(member)
            addMember(member, path + [name], inner + [.member(name)], entity, embedding ?? entity)
        }
    }

    mutating func addMember(
        _ member: Int32, _ path: [String], _ inner: [ShapeStep], _ entity: DraftEntity, _ embedding: DraftEntity
    ) {
        let place = tree[member]
        let isObject = place.counts.hasObjects && (isEmpty(member) || areHardlyTexts(member))
        let isArray = place.counts.areLists
        let steps = entity.place.steps + inner
        if isObject, place.anyMember < 0, place.children.first >= 0, path.count < 6 {
            // The top of a tree is a record with those below it.
            if let list = treeList(in: member) {
                return visit(tree[list].element, steps + [.member(tree.name(list)), .element], entity)
            }
            remarkTexts(member, path, entity)
            if isOfManyKinds(member) { return addWhole(member, path, entity) }
            if place.counts.nulls + place.counts.scalars > 0 { entity.objects.nullable.append(path) }
            let embedded = addEmbedded(member, path, steps, embedding)
            return addMembers(of: member, path, inner, entity, in: embedded ?? embedding)
        }
        if isObject, place.anyMember >= 0, areAmounts(member) {
            return addValues(place.anyMember, steps + [.anyMember], entity)
        }
        if isObject, place.anyMember >= 0, hasObjects(place.anyMember) {
            return visit(place.anyMember, steps + [.anyMember], entity)
        }
        if place.counts.objects > 0, let own = element(of: member), alone[own] == member, entity.place.kind == nil {
            return addOneOrMany(own, member, steps, entity)
        }
        if isArray {
            let element = tree[member].element
            // The levels of a tree are records themselves.
            if element >= 0, tree[element].parent != member { return }
            if element >= 0, hasObjects(element) {
                if entity.place.kind == nil { return visit(element, steps + [.element], entity) }
                return addInner(member, element, path, entity)
            }
            if isPoint(member) { return addPoint(member, path, entity) }
            if element >= 0, tree[element].counts.scalars > 0, tree[element].counts.arrays == 0 {
                let list = column(member, element, path, .list, entity)
                append(list)
                return appendTail(of: list)
            }
        }
        let isScalar = place.counts.areScalars
        let own = column(member, member, path, isScalar ? .scalar : .json, entity)
        own.isAlwaysEmpty = !isScalar && hasNothing(place)
        append(own)
        if isScalar { appendTail(of: own) }
    }

    /// Whether a map has whole numbers under names: how many of each there are; or nothing but booleans.
    private func areAmounts(_ map: Int32) -> Bool {
        let counts = tree[tree[map].anyMember].counts
        // The keys of such a map are a set: `"followers": { "u7": true, "u9": true }`.
        if counts.booleans > 0, counts.booleans == counts.values { return tree[map].counts.objects > 1 }
        if counts.numbers > 0, counts.numbers == counts.values, tree[map].counts.objects > 1, tree.tellsOfKeys(of: map)
        {
            return true
        }
        guard counts.numbers > 0, counts.numbers == counts.values, let facts = tree.factsOf(tree[map].anyMember),
            facts.integers.count == counts.numbers, facts.integers.least >= 0, let keys = tree.keyFactsOf(map)
        else { return false }
        return tree[map].counts.objects > 1 && keys.sketch.count < 100
            && keys.sample.texts.allSatisfy { !DataKeys.isData(String(decoding: $0, as: UTF8.self)) }
    }

    /// Whether no scalar at a place says anything: `""` may stand for an object that is not there.
    private func isEmpty(_ member: Int32) -> Bool {
        let counts = tree[member].counts
        return counts.scalars == 0
            || counts.scalars == counts.texts && counts.texts < counts.objects
                && tree.factsOf(member)?.empties == counts.texts
    }

    /// Whether hardly a value at a place of objects is a text: a flaw, of which a run tells.
    private func areHardlyTexts(_ member: Int32) -> Bool {
        let counts = tree[member].counts
        return counts.scalars == counts.texts && counts.texts * EntityFinder.objectsForText <= counts.objects
    }

    private static let objectsForText = 10

    /// Tells of texts in the place of objects, which are in no attribute.
    private func remarkTexts(_ member: Int32, _ path: [String], _ entity: DraftEntity) {
        let counts = tree[member].counts
        guard counts.texts > 0, !isEmpty(member) else { return }
        entity.omissions.texts.insert(member)
        entity.remarks.append(
            "\(quoted(path.joined(separator: "."))) is a text in \(grouped(counts.texts)) of"
                + " \(grouped(counts.texts + counts.objects)), which no attribute has: the members of the objects are"
                + " attributes")
    }

    /// The list of the levels below an object that is the top of a tree.
    private func treeList(in node: Int32) -> Int32? {
        tree.members(of: node).first { list in
            let element = tree[list].element
            return element >= 0 && tree[element].parent == list && trees[element] == node
        }
    }

    /// The kinds of a list mostly have such lists alike: they stay whole.
    private func addInner(_ member: Int32, _ element: Int32, _ path: [String], _ entity: DraftEntity) {
        append(column(member, member, path, .json, entity))
        for inner in tree.members(of: element) where tree[inner].counts.scalars > 0 {
            let origin = DraftColumn.Origin.inner(path, tree.name(inner))
            append(column(origin, .inner, at: inner, present: tree[member].owners.count, entity))
        }
    }

    /// Whether objects have nothing but lists of records: what is in these is the record's around them.
    func holdsOnlyRecords(_ node: Int32) -> Bool {
        let members = tree.members(of: node)
        return !members.isEmpty && tree[node].counts.values == tree[node].counts.objects && trees[node] == nil
            && members.allSatisfy { member in
                tree[member].counts.areLists
                    && (element(of: member).map(hasObjects) ?? false)
            }
    }

    /// Whether a list or a map holds, at some level, nothing but objects with members.
    func hasObjects(_ node: Int32) -> Bool {
        guard node >= 0 else { return false }
        let place = tree[node]
        if splits.contains(where: { $0.element == node }) { return true }
        if place.counts.scalars > 0 {
            return place.step == .anyMember && tree[place.parent].step == .anyMember && place.counts.arrays == 0
        }
        if place.counts.hasObjects {
            return isRecord(node) || place.anyMember >= 0 && hasObjects(place.anyMember)
        }
        guard place.counts.hasLists, let element = element(of: node) else { return false }
        return hasObjects(element)
    }

    /// Beside a column of addresses, one of their last parts.
    private func appendTail(of column: DraftColumn) {
        guard column.facts.forms == .address, let facts = tree.tailFactsOf(column.node) else { return }
        append(DraftColumn(column, DraftColumn.Part(cut: .addressTail), facts))
    }

    func column(
        _ member: Int32, _ node: Int32, _ path: [String], _ content: DraftColumn.Content, _ entity: DraftEntity
    ) -> DraftColumn {
        column(.member(path), content, at: node, of: tree[member], entity)
    }

    /// - Parameters:
    ///   - place: what has the values, where it is not the place itself.
    ///   - present: how many records have it, where the place does not say so.
    func column(
        _ origin: DraftColumn.Origin, _ content: DraftColumn.Content, at node: Int32, of place: ShapeNode? = nil,
        present: Int? = nil, _ entity: DraftEntity
    ) -> DraftColumn {
        let place = place ?? tree[node]
        return DraftColumn(
            entity, origin, content, node: node, facts: tree.factsOf(node), place: place,
            present: present ?? place.owners.count)
    }

    /// An object with an identifier in a member of a record may be one that many records have.
    private mutating func addEmbedded(
        _ node: Int32, _ path: [String], _ steps: [ShapeStep], _ owner: DraftEntity
    ) -> DraftEntity? {
        guard !owner.isTree, tree[node].counts.objects >= 2 || tree[node].counts.objects == 1 && owner.records > 1,
            !isOfDocument(node), !isIdentity(node, of: owner), let identifying = identifying(node, path.last ?? ""),
            tree.factsOf(identifying) != nil, tree.members(of: node).count > 1
        else { return nil }
        let entity = DraftEntity(
            feed: feed, steps: steps, nodes: [node], records: tree[node].counts.objects, owner: owner)
        entity.role = .embedded
        entity.omissions.strangers = tree[node].counts.nulls + tree[node].counts.scalars
        entity.place.isOfSequence = isLines
        entities.append(entity)
        for member in tree.members(of: node) where !isEnvelope(member) { addColumn(member, [], entity) }
        for member in tree.members(of: node) where isEnvelope(member) {
            for inner in tree.members(of: member) { addColumn(inner, [tree.name(member)], entity) }
        }
        for member in tree.members(of: node) { addIdentifier(of: member, entity) }
        settleColumns(of: entity)
        return entity
    }

    /// A member of an embedded object, or of the object in it that has all that it says.
    private mutating func addColumn(_ member: Int32, _ path: [String], _ entity: DraftEntity) {
        let isScalar = tree[member].counts.areScalars
        append(column(member, member, path + [tree.name(member)], isScalar ? .scalar : .json, entity))
    }

    private func isEnvelope(_ node: Int32) -> Bool {
        tree[node].counts.areObjects && tree[node].anyMember < 0 && isOfDocument(node)
    }

    /// Whether an object in another one has what identifies that.
    private func isIdentity(_ node: Int32, of owner: DraftEntity) -> Bool {
        guard owner.isEmbedded, let own = owner.place.nodes.first, tree[node].parent == own else { return false }
        return identifying(own, owner.place.name).map { tree[$0].parent == node } ?? false
    }

    /// The member that is called as the identifier of an object: its own, or that of an object in it which is called as
    /// it is, `"organization": { "disambiguated-organization": { "identifier": … } }`.
    private func identifying(_ node: Int32, _ name: String) -> Int32? {
        let members = tree.members(of: node)
        let own = members.first { Names.isIdentifier(tree.name($0), of: name) || Names.isRegistered(tree.name($0)) }
        if let own { return own }
        if let value = valueOfReference(members, name) { return value }
        // What says much of itself may be known by its name.
        let named = members.first { Names.words(tree.name($0)).last?.lowercased() == "name" }
        if let named, members.count(where: { tree[$0].counts.scalars > 0 }) >= 4 { return named }
        // What has a name may be known by its number.
        if named != nil, let number = members.first(where: { Names.isOwnNumber(tree.name($0), of: name) }) {
            return number
        }
        let words = Names.parts(name)
        return members.lazy.filter { inner in
            tree[inner].counts.objects > 0 && !words.isEmpty
                && Names.parts(tree.name(inner)).suffix(words.count) == words[...]
        }.compactMap { inner in
            tree.members(of: inner).first { Names.isIdentifier(tree.name($0), of: tree.name(inner)) }
        }.first
    }

    /// What identifies an object in an embedded one belongs to what that one has, always the same or not.
    func addIdentifier(of node: Int32, _ entity: DraftEntity) {
        let name = tree.name(node)
        guard tree[node].counts.hasObjects, tree[node].anyMember < 0,
            let own = tree.members(of: node).first(where: { Names.isIdentifier(tree.name($0), of: name) }),
            tree.factsOf(own) != nil
        else { return }
        append(column(own, own, [name, tree.name(own)], .scalar, entity))
    }
}
