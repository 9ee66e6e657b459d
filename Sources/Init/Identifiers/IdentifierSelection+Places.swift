import SluiceDefinition
import SluiceRecords

// Records that their places in lists, or the keys of maps around them, identify.
extension IdentifierSelection {
    /// Whether records have a place in a list or a map. What a feed has once has none.
    func hasPlace(_ entity: DraftEntity) -> Bool {
        let place = entity.place
        let isPlaced = below(entity).contains { place.steps[$0] == .element } || !keys(entity).isEmpty
        return isPlaced && !entity.isTree
            && (entity.owner != nil || !place.isOfSequence && place.fileNames != .same)
    }

    func choosePlace(_ entity: DraftEntity, _ why: String) {
        let places = below(entity).filter { entity.place.steps[$0] == .element }.map { $0 + 1 }
        entity.identifier = DraftIdentifier(columns: keys(entity), hasOwner: entity.owner != nil, places: places)
        // The keys of maps identify in whatever order they are.
        guard !places.isEmpty else { return }
        entity.remarks.append(
            "\(why): their place in the feed identifies them, which holds only while the order of the feed stays")
    }

    private func keys(_ entity: DraftEntity) -> [DraftColumn] { entity.columns.filter { $0.isKey && $0.cut == nil } }

    private func below(_ entity: DraftEntity) -> Range<Int> {
        (entity.owner?.place.steps.count ?? 0)..<entity.place.steps.count
    }

    // MARK: Amounts

    /// A number of what is measured or counted that is a part of an identifier in the lists of records; nil: there is
    /// none. The next feed may have another one.
    func quantity(in choice: Choice, _ entity: DraftEntity) -> DraftColumn? {
        guard choice.hasOwner,
            below(entity).contains(where: { entity.place.steps[$0] == .element }),
            hasPlace(entity)
        else { return nil }
        return choice.columns.first(where: isQuantity(named:))
    }

    private func isQuantity(named column: DraftColumn) -> Bool {
        Names.isMeasure(column.ownName) && column.facts.texts == 0 && column.facts.numbers > 0 && !isTarget(column)
            && !referring.contains(ObjectIdentifier(column))
    }

    /// What is unique in each record without a quantity, unless that is what people write, or else the place in the
    /// list.
    func chooseWithout(_ quantity: DraftColumn, of best: Choice, _ evidence: Evidence) -> Bool {
        let entity = evidence.entity
        let other = evidence.choices.first { choice in
            choice.repeats == 0 && choice.hasOwner
                && !choice.columns.contains { isQuantity(named: $0) || Names.isProse($0.ownName) }
        }
        if let other {
            entity.identifier = DraftIdentifier(columns: other.columns, hasOwner: true)
            return true
        }
        let rest = best.columns.filter { $0 !== quantity }
        guard !rest.isEmpty else {
            choosePlace(entity, "nothing but \(quoted(quantity.ownName)), which may change, is unique in each record")
            return true
        }
        let known = evidence.choices.first { choice in
            choice.hasOwner && choice.columns.count == rest.count
                && choice.columns.allSatisfy { own in rest.contains { $0 === own } }
        }
        let names = rest.map { quoted($0.ownName) }.joined(separator: " and ")
        let but = known.map { " but for \(grouped($0.repeats)) of \(grouped(entity.records))" } ?? ""
        choosePlace(
            entity,
            "\(names) \(rest.count == 1 ? "is" : "are") unique in each \(entity.owner?.name ?? "record")\(but), and"
                + " \(quoted(quantity.ownName)) tells these apart, which may change")
        return true
    }
}
