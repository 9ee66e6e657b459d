/// Takes records of one kind together that stand at several places in others: who wrote something, and to whom it is
/// assigned.
struct EntityUnion {
    let measures: [RecordMeasure]
    /// Records that are those of other entities, in short.
    let excerpts: Set<ObjectIdentifier>

    func unite() {
        let known = measures.filter { canUnite($0) && $0.entity.repeats && !$0.entity.isDropped }
            .sorted { weight($0.entity) > weight($1.entity) }
        for measure in measures where canUnite(measure) && measure.entity.same == nil {
            let entity = measure.entity
            let other = known.first { other in
                other.entity !== entity && !other.entity.isDropped && canStand(entity, with: other.entity)
                    && other.isLike(measure)
                    && (!entity.repeats || weight(other.entity) > weight(entity))
            }
            guard let other else { continue }
            entity.become(other.entity)
            if let key = measure.objectKey, !entity.columns[key].isAlwaysThere {
                other.entity.leaveOut(lacking: entity.columns[key])
            }
        }
    }

    /// Whether one definition of records finds those of both: at several places of a feed, or in the same way in
    /// several feeds.
    private func canStand(_ entity: DraftEntity, with other: DraftEntity) -> Bool {
        let (own, their) = (entity.place, other.place)
        if own.feed == their.feed { return own.otherFeeds.isEmpty && their.otherFeeds.isEmpty }
        return own.steps == their.steps && own.others.isEmpty && their.others.isEmpty && own.otherFeeds.isEmpty
            && !their.otherFeeds.contains(own.feed) && entity.isEmbedded == other.isEmbedded
    }

    /// The best name is that of the most records, and of one object in another one rather than of a list.
    private func weight(_ entity: DraftEntity) -> Double {
        Double(entity.records) + (entity.isEmbedded ? 0.5 : 0) - Double(entity.index) / 10_000
    }

    /// Whether nothing but its records is in question.
    private func canUnite(_ measure: RecordMeasure) -> Bool {
        measure.objectKey != nil && !excerpts.contains(ObjectIdentifier(measure.entity)) && !measure.entity.isTree
            && !measure.entity.omissions.hasHeader && measure.entity.place.kind == nil
            && !measures.contains { $0.entity.owner === measure.entity && !$0.entity.isEmbedded }
    }
}
