import SluiceRecords

/// The places of a feed whose values a draft does not have.
struct UnusedPlaces {
    /// Those beside the records, and of records that are none after all.
    let inNoEntity: [[ShapeStep]]
    /// Those in records.
    let inNoAttribute: [[ShapeStep]]

    /// - Parameter entities: all of the draft, with those that were dropped.
    init(_ feed: SurveyedFeed, _ entities: [DraftEntity]) {
        let own = entities.filter { $0.place.feed == feed.index }
        let singles = own.filter { $0.isSingle && !$0.isDropped }
        let trees = own.filter { $0.isTree && !$0.isDropped }
        let beside = feed.left.filter { steps in
            !singles.contains { $0.hasValue(at: steps) } && !trees.contains { $0.hasTop(at: steps) }
        }
        inNoEntity = beside + own.filter { $0.isLost && !$0.isNameless }.map(\.place.steps)
        inNoAttribute = UnmentionedPlaces(feed, entities).all
    }
}
