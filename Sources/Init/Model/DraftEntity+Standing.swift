// What becomes of an entity in the draft.
extension DraftEntity {
    var isDropped: Bool { if case .drafted = standing { false } else { true } }
    var isNameless: Bool { if case .nameless = standing { true } else { false } }
    /// The entity of which these records are, too; nil: they are of this one.
    var same: DraftEntity? { if case .same(let other) = standing { other } else { nil } }
    /// The entity whose records these are, told in short; nil: they are none.
    var whole: (entity: DraftEntity, key: DraftColumn)? {
        if case .excerpt(let other, let key) = standing { (other, key) } else { nil }
    }

    /// Leaves it out of the draft, if it is in it.
    func drop() { if !isDropped { standing = .dropped } }

    /// Whether its records are nowhere in the draft. What the feed has once stands at its top, and is told as that.
    var isLost: Bool { isDropped && !isEmbedded && !isSingle && !isOfGroups && same == nil && owner == nil }

    /// Lets nothing lead to an entity that is none after all.
    func forget(_ other: DraftEntity) {
        relationships.removeAll { $0.kinds != nil && $0.leads(to: other) }
        for index in relationships.indices { relationships[index].targets.removeAll { $0 === other } }
        relationships.removeAll(where: \.targets.isEmpty)
    }

    /// Lets the records be those of another entity, whose columns are called alike.
    func become(_ other: DraftEntity) {
        standing = .same(other)
        if place.feed == other.place.feed {
            other.place.others.append(place.steps)
        } else {
            other.place.otherFeeds.append(place.feed)
        }
        other.records += records
        other.omissions.strangers += omissions.strangers
        other.omissions.blankRows += omissions.blankRows
        for column in columns where column.cut == nil && !column.isKey {
            other.columns.first { $0.cut == nil && $0.origin == column.origin }?.add(column)
        }
    }
}
