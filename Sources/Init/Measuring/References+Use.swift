// What references say of the columns that they stand in, and of those that they lead to.
extension References {
    /// Columns all of whose values, nearly, are found somewhere.
    var referring: Set<ObjectIdentifier> {
        Set(
            sources.filter { source in
                (matches[ObjectIdentifier(source)] ?? []).contains { match in
                    match.share >= References.enough && isTelling(source, match)
                        && match.target.entity !== source.entity && !RecordMeasure.isForItself(match.target)
                }
            }.map(ObjectIdentifier.init))
    }

    /// Objects in records that only say which object of an entity is meant: most of their identifiers are found there.
    var known: Set<ObjectIdentifier> {
        let embedded = measures.filter { $0.entity.isEmbedded && $0.deciding != nil }
        return Set(
            embedded.filter { measure in
                let own = measure.deciding.map { measure.entity.columns[$0] }
                guard let own,
                    let source = sources.first(where: {
                        $0.node == own.node && $0.entity.feed == own.entity.feed && $0.cut == nil
                    })
                else {
                    return false
                }
                return (matches[ObjectIdentifier(source)] ?? []).contains { match in
                    match.share >= 0.75 && (!source.isWhole || fit(source, match.target) >= 2)
                        && match.target.cut == nil && isTelling(source, match)
                        && !match.target.entity.isEmbedded && match.target.entity !== source.entity
                }
            }.map { ObjectIdentifier($0.entity) })
    }

    /// By column: how many others lead to it.
    var popularity: [ObjectIdentifier: Int] {
        var counts: [ObjectIdentifier: Int] = [:]
        for source in sources {
            for match in matches[ObjectIdentifier(source)] ?? []
            where match.share >= References.enough && isTelling(source, match)
                && match.target.entity !== source.entity && !RecordMeasure.isForItself(match.target)
            {
                counts[ObjectIdentifier(match.target), default: 0] += 1
            }
        }
        return counts
    }
}
