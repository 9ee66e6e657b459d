// What tells records from what stands among them.
extension DraftEntity {
    /// What only records have, and nothing that takes the place of one.
    var distinguishingColumns: [DraftColumn] {
        let first = identifier?.columns.prefix(1) ?? []
        if identifier?.isPartial == true {
            let lacking = identifier?.columns.filter { !$0.isAlwaysThere } ?? []
            return lacking.isEmpty ? Array(first) : lacking
        }
        // A later record may have null in its place, though none has it today.
        if isEmbedded || repeats, isMember || isEmbedded && omissions.strangers > 0 { return Array(first) }
        // A kind is told by a member, too.
        guard omissions.strangers > 0, place.kind == nil else { return [] }
        return columns.first(where: \.tellsRecords).map { [$0] } ?? []
    }

    /// Whether its records, or some of them, are in a member of another record.
    private var isMember: Bool {
        ([place.steps] + place.others).contains { if case .member? = $0.last { true } else { false } }
    }

    /// The type of JSON that records are, where nothing else tells them from what stands among them; nil: something
    /// does, or they stand alone.
    var distinguishingType: String? {
        guard omissions.strangers > 0, !isEmbedded, !place.isOneOrMany, !isOfValues, place.kind == nil,
            distinguishingColumns.isEmpty
        else { return nil }
        let areLists = columns.contains { if case .item([], _, _) = $0.origin { true } else { false } }
        return areLists ? "array" : "object"
    }

    /// Whether the draft leaves out what stands among its records and is none.
    var leavesOutStrangers: Bool {
        omissions.strangers > 0 && (distinguishingType != nil || !distinguishingColumns.isEmpty)
    }

    /// The entities around whose records what identifies these needs, and of which a few records are left out.
    var partialOwners: [DraftEntity] {
        guard identifier?.hasOwner == true, !repeats, let owner else { return [] }
        return (owner.identifier?.isPartial == true && !owner.isEmbedded ? [owner] : []) + owner.partialOwners
    }
}
