import SluiceDefinition
import SluiceRecords

/// Entities that only a reference would show to be some: a map that may as well be a single object, and an object that
/// the feed has once.
struct DoubtfulEntities {
    private let entities: [DraftEntity]
    private let feeds: [SurveyedFeed]

    /// - Parameter entities: all of them, with their identifiers and relationships.
    init(_ entities: [DraftEntity], _ feeds: [SurveyedFeed]) { (self.entities, self.feeds) = (entities, feeds) }

    /// A single object is no map, unless something refers to its keys or to what is in its lists, or its values refer
    /// to something; and it is no record, unless something refers to it, or it to something.
    func settle() {
        GroupEntities(entities).settle()
        let targets = entities.filter { !$0.isDropped }.flatMap(\.relationships).flatMap(\.targets)
        // Where there is nothing else, it is what the feed is about.
        guard entities.contains(where: { !$0.isDropped && !$0.isDoubtful }) else { return }
        for entity in entities where entity.isDoubtful && !entity.isOfGroups {
            if isAround(entity) { continue }
            let refers = entity.relationships.contains { entity.isSingle || $0.column?.origin == .record }
            let isMeant =
                refers || targets.contains { $0 === entity } || isGroup(entity) || isAboutMembers(entity)
                || isByOthers(entity)
            if isMeant { entity.standing = .drafted } else { entity.drop() }
        }
    }

    /// Whether an object that the feed has once is around lists of records, which refer to it then. What is at the top
    /// has the whole feed, and is not more than that.
    private func isAround(_ entity: DraftEntity) -> Bool {
        guard entity.isSingle, !entity.place.steps.isEmpty, !entity.isDropped, let identifier = entity.identifier,
            identifier.columns.count == 1, identifier.columns[0].meaning.rank == .own
        else { return false }
        let inner = entities.filter { other in
            other.place.isIn(entity.place) && other.owner == nil && !other.isDropped && !other.isSingle && !other.isTree
                && !other.repeats
        }
        for other in inner {
            other.relationships.insert(DraftRelationship(.owner, to: entity), at: 0)
        }
        return !inner.isEmpty
    }

    /// Whether the keys are what members of records elsewhere are called: their units, for one.
    private func isAboutMembers(_ entity: DraftEntity) -> Bool {
        guard !entity.isSingle, let keys = entity.columns.first(where: { $0.isKey && $0.cut == nil }) else {
            return false
        }
        let names = keys.facts.sample.texts.map { String(decoding: $0, as: UTF8.self) }
        let about = entities.first { other in
            guard other !== entity, !other.isDropped, !other.isOfValues else { return false }
            let members = Set(other.columns.map { ExactText($0.ownName) })
            return names.allSatisfy { members.contains(ExactText($0)) }
        }
        // What has an address is one of these records, rather than what their members are in.
        let values = entity.columns.first { $0.origin == .record }?.facts.sample.texts ?? []
        let hasAddress = values.contains { String(decoding: $0, as: UTF8.self).contains("://") }
        guard names.count > 2, let about, !hasAddress else { return false }
        entity.remarks.append("its keys are the members of \(about.name)")
        return true
    }

    /// Whether the keys of a map in records name what is told of elsewhere: the votes of each party.
    private func isByOthers(_ entity: DraftEntity) -> Bool {
        guard let owner = entity.owner, !owner.isDropped, owner.records > 1 else { return false }
        return entity.relationships.contains { relationship in
            relationship.column?.isKey == true && !relationship.isByName && !relationship.leads(to: owner)
        }
    }

    /// Whether the lists behind keys group what records elsewhere name.
    private func isGroup(_ entity: DraftEntity) -> Bool {
        guard let values = entity.columns.first(where: { $0.origin == .record }), values.counts.arrays > 0 else {
            return false
        }
        let tree = feeds[entity.place.feed].tree
        let element = tree[values.node].element
        guard element >= 0, let facts = tree.factsOf(element) else { return false }
        let naming = entities.filter { $0 !== entity && !$0.isDropped }.flatMap(\.columns).first { column in
            guard column.cut == nil, column.content != .json, column.facts.texts > 0 else { return false }
            let (values, found) = column.facts.sketch.comparison(with: facts.sketch)
            return values >= 3 && Double(found) >= ReferenceSearch.enough * Double(values)
        }
        guard let naming else { return false }
        entity.remarks.append("its lists have the values of \(quoted(naming.ownName)) in \(naming.entity.name)")
        return true
    }
}
