import SluiceDefinition
import SluiceRecords

// Entities of what many records tell of in members of their own.
extension DraftEntity {
    /// What was found in records.
    convenience init(shared object: SharedObject) {
        let source = object.source
        self.init(source.place, records: object.records, owner: source.owner)
        (place.others, place.otherFeeds) = ([], [])
        index = -1
        (omissions.strangers, omissions.hasHeader) = (source.omissions.strangers, source.omissions.hasHeader)
        (omissions.blankRows, omissions.nonRecords) = (source.omissions.blankRows, source.omissions.nonRecords)
        for (column, absent) in [(object.key, 0)] + object.members {
            columns.append(DraftColumn(column, in: self, present: object.records - absent))
        }
        for (index, column) in columns.enumerated() { column.index = index }
        identifier = DraftIdentifier(
            columns: [columns[0]], isPartial: object.records < source.records, repeats: true)
        remarks = ["records with the same \(quoted(columns[0].ownName)) say the same of it, each time"]
    }

    /// What a list of values names.
    convenience init(named column: DraftColumn, at path: [String]) {
        let source = column.entity
        let steps = source.place.steps + path.map { .member($0) } + [.element]
        self.init(feed: source.place.feed, steps: steps, nodes: [column.node], records: column.values, owner: source)
        index = -1
        columns = [DraftColumn(column, in: self, origin: .record, present: records)]
        identifier = DraftIdentifier(columns: columns, repeats: true)
    }

    /// Takes in records elsewhere that tell of the same objects.
    func add(_ object: SharedObject) {
        let place = object.source.place
        if place.feed == self.place.feed {
            self.place.others.append(place.steps)
        } else if !self.place.otherFeeds.contains(place.feed) {
            self.place.otherFeeds.append(place.feed)
        }
        records += object.records
        omissions.strangers += object.source.omissions.strangers
        omissions.blankRows += object.source.omissions.blankRows
        if object.records < object.source.records { identifier?.isPartial = true }
        let nonRecords = [omissions.nonRecords, object.source.omissions.nonRecords].compactMap { $0 }
        if place.feed != self.place.feed, nonRecords.contains(where: \.areLeftOut) {
            // Another table may have no such column, and all of its rows would be left out.
            omissions.nonRecords = nil
            identifier?.isPartial = true
        }
        columns[0].add(present: object.records)
        for (column, member) in zip(columns.dropFirst(), object.members) {
            column.add(present: object.records - member.absent)
        }
    }

    /// Leaves out those records of its own, or of an entity that has become it, that lack what identifies the others.
    func leaveOut(lacking key: DraftColumn) {
        identifier?.isPartial = true
        let (all, lacking) = (key.entity.records, key.entity.records - key.values)
        let place = DraftPaths.text(key.entity.place.steps)
        remarks.append(
            "\(grouped(lacking)) of \(grouped(all)) at \(place) \(lacking == 1 ? "has" : "have") no"
                + " \(quoted(key.ownName)): \"where\" leaves \(lacking == 1 ? "it" : "them") out, with all that"
                + " \(lacking == 1 ? "it says" : "they say")")
    }

    /// Leaves to another entity what its records say, but for what names it.
    func tell(of other: DraftEntity, by key: DraftColumn, _ told: [DraftColumn]) {
        columns.removeAll { column in told.contains { $0 === column } }
        relationships.removeAll { $0.column === key && $0.isByName }
        hand(told, to: other)
        relationships.append(
            DraftRelationship(
                key, to: [other],
                remark: "records with the same \(quoted(key.ownName)) say the same here: what that is, is in"
                    + " \(other.name)"))
    }

    /// Leaves to another entity the references that it has told of.
    private func hand(_ told: [DraftColumn], to other: DraftEntity) {
        for relationship in relationships {
            guard case .embedded(let path) = relationship.basis, told.contains(where: { $0.isMember(in: path) }) else {
                continue
            }
            other.relationships.append(relationship)
            columns.removeAll { $0.isMember(in: path) }
            relationships.removeAll { $0.isEmbedded(at: path) }
        }
    }
}
