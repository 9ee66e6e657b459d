import SluiceRecords

// By which column objects may be known that many records tell of.
extension RecordMeasure {
    static func objectKey(of entity: DraftEntity) -> Int? {
        guard entity.isEmbedded || entity.owner != nil else { return nil }
        // A name is one for others, too, where objects have nothing else.
        let most = entity.columns.count { $0.cut == nil } == 1 ? NameRank.code : .usual
        let eligible = entity.columns.filter { column in
            column.content == .scalar && !column.isKey && column.cut == nil && column.origin != .record
                && column.isAlwaysThere
        }
        let own = eligible.filter { $0.meaning.rank <= most && !isSaidOfAll($0, eligible) }
        let named = own.min { $0.meaning.rank < $1.meaning.rank }
        let registered = entity.isEmbedded ? eligible.first { Names.isRegistered($0.ownName) } : nil
        return
            (named ?? registered ?? partly(entity) ?? eligible.first { isNumberOfNamed($0, eligible) }
            ?? eligible.first { isNameOfMuch($0, eligible) }
            ?? eligible.first { isName($0, eligible) })?.index
    }

    /// What is called as the identifier of objects in records, a few of which have none: of users, those that are gone.
    private static func partly(_ entity: DraftEntity) -> DraftColumn? {
        guard entity.isEmbedded else { return nil }
        return entity.columns.filter { column in
            column.content == .scalar && column.cut == nil && column.isOwnMember && column.meaning.rank <= .ending
                && column.values < entity.records && (entity.records - column.values) * 20 <= entity.records
                && column.facts.sketch.distinct > 1.5
        }.min { $0.meaning.rank < $1.meaning.rank }
    }

    /// Whether what is called as the identifier of something else is the same in all objects, which differ.
    private static func isSaidOfAll(_ column: DraftColumn, _ others: [DraftColumn]) -> Bool {
        column.meaning.rank > .own && column.facts.sketch.distinct < 1.5
            && others.contains { $0.facts.sketch.distinct > 1.5 }
    }

    /// Whether objects in records may be known by a number, as they have a name, and something else besides: the
    /// customers of invoices.
    private static func isNumberOfNamed(_ column: DraftColumn, _ others: [DraftColumn]) -> Bool {
        let distinct = column.facts.sketch.distinct
        guard column.entity.isEmbedded, Names.isOwnNumber(column.ownName, of: column.entity.place.name),
            distinct >= 3, 4 * distinct < Double(column.entity.records)
        else { return false }
        let varied = others.filter { $0 !== column && $0.facts.sketch.distinct > 1.5 }
        return varied.count > 1 && varied.contains { Names.words($0.ownName).last?.lowercased() == "name" }
    }

    /// Whether objects in records may be known by a name, as they say much of themselves.
    private static func isNameOfMuch(_ column: DraftColumn, _ others: [DraftColumn]) -> Bool {
        let distinct = column.facts.sketch.distinct
        guard column.entity.isEmbedded, Names.words(column.ownName).last?.lowercased() == "name", !column.isWhole,
            distinct >= 3, 4 * distinct < Double(column.entity.records)
        else { return false }
        return others.count { $0 !== column && $0.facts.sketch.distinct > 1.5 } > 1
    }

    /// Whether objects in lists may be known by a name, as records name the same one again and again, and something
    /// else is said of each.
    private static func isName(_ column: DraftColumn, _ others: [DraftColumn]) -> Bool {
        let (entity, distinct) = (column.entity, column.facts.sketch.distinct)
        // Of pairs of a name and a value, each record has its own.
        let isRegistered = Names.isRegistered(column.ownName)
        guard !entity.isEmbedded, isRegistered || column.ownName.lowercased() == "name", !column.isWhole, distinct >= 5,
            column.facts.sketch.isRepeated(among: entity.records),
            !others.contains(where: { $0.ownName.lowercased() == "value" })
        else { return false }
        return isRegistered || others.contains { $0 !== column && 2 * $0.facts.sketch.distinct >= distinct }
    }
}
