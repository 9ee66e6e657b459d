// What references say of the columns that they stand in, and of those that they lead to.
extension ReferenceSearch {
    /// Columns all of whose values, nearly, are found somewhere.
    var referring: Set<ObjectIdentifier> {
        Set(
            sources.filter { source in
                (matches[ObjectIdentifier(source)] ?? []).contains { match in
                    match.share >= ReferenceSearch.enough && isTelling(source, match)
                        && match.target.entity !== source.entity && !isOfObject(source, match.target)
                        && !RecordMeasure.isForItself(match.target)
                }
            }.map(ObjectIdentifier.init))
    }

    /// The identifiers of objects in lists of records that are those of other records, under the name of a list of
    /// these: `"related_products": [{ "id": 7, "rank": 1 }]`. Another record may name the same tomorrow.
    var links: Set<ObjectIdentifier> {
        Set(
            sources.filter { source in
                guard source.entity.owner != nil, source.meaning.ofList != nil, source.cut == nil else { return false }
                return (matches[ObjectIdentifier(source)] ?? []).contains { match in
                    match.share >= ReferenceSearch.enough && match.target.entity.owner == nil
                        && !match.target.entity.isSingle && fit(source, match.target) >= 2
                        && (isTelling(source, match) || !source.isWhole || !match.target.countsRecords)
                }
            }.map(ObjectIdentifier.init))
    }

    /// Whether a target has the values of an object in the record, which are the record's, too.
    private func isOfObject(_ source: DraftColumn, _ target: DraftColumn) -> Bool {
        target.entity.isEmbedded && target.isAtPlace(of: source)
    }

    /// Objects in records that only say which object of an entity is meant: most of their identifiers are found there.
    var known: Set<ObjectIdentifier> {
        Set(
            embedded.filter { entity, source in
                (matches[ObjectIdentifier(source)] ?? []).contains { match in
                    match.share >= 0.75 && (!source.isWhole || fit(source, match.target) >= 2)
                        && match.target.cut == nil && isTelling(source, match)
                        && !match.target.entity.isEmbedded && match.target.entity !== source.entity
                }
            }.map { ObjectIdentifier($0.entity) } + excerpts.map { ObjectIdentifier($0.entity) })
    }

    /// Embedded entities, with the columns of the records around them that have their identifiers.
    var embedded: [(entity: DraftEntity, source: DraftColumn)] {
        measures.compactMap { measure in
            guard measure.entity.isEmbedded, let objectKey = measure.objectKey else { return nil }
            return source(of: measure.entity.columns[objectKey]).map { (measure.entity, $0) }
        }
    }

    /// What is compared of a column: of one of an embedded object, the column of the records around it.
    func source(of column: DraftColumn) -> DraftColumn? {
        sources.first { $0.isAtPlace(of: column) && $0.cut == nil }
    }

    /// Whether what was found says more than what the same record says elsewhere. What is in a list is other records'.
    func mayMeanOthers(_ source: DraftColumn, _ match: Match) -> Bool {
        match.target.entity !== source.entity || source.content == .list
    }

    /// By column: how many others lead to it.
    var popularity: [ObjectIdentifier: Int] {
        var counts: [ObjectIdentifier: Int] = [:]
        for source in sources {
            for match in matches[ObjectIdentifier(source)] ?? []
            where match.share >= ReferenceSearch.enough && isTelling(source, match)
                && mayMeanOthers(source, match) && !RecordMeasure.isForItself(match.target)
            {
                counts[ObjectIdentifier(match.target), default: 0] += 1
            }
        }
        return counts
    }
}
