import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// What feeds hold, found in a few readings of each.
struct FeedSurvey {
    let feeds: [SurveyedFeed]
    private(set) var entities: [DraftEntity]
    private var entityNames = EntityNames()

    init(_ places: FeedLocations, _ format: Source.Format? = nil) throws(Failure) {
        let locations = places.all
        guard locations.count(where: { $0 == "-" }) <= 1 else {
            throw Failure(.usage, "only one feed can be standard input")
        }
        let copies = FeedCopies(copiesPipes: true)
        feeds = locations.enumerated().map { index, location in
            SurveyedFeed(
                location, files: places.files(of: location), in: places.archives, index: index, format: format,
                copies: copies)
        }
        for feed in feeds { try feed.observe() }
        for feed in feeds { feed.guessPages(from: feeds) }
        entities = feeds.flatMap(\.entities)
        for (index, entity) in entities.enumerated() { entity.index = index }
        let names = locations.joined(separator: ", ")
        guard entities.contains(where: { !$0.columns.isEmpty }) else {
            for feed in feeds { if let failure = try feed.lackOfRows() { throw failure } }
            throw Failure(.data, "\(names): there are no objects in it, of which to make any")
        }
        entityNames.name(
            entities, feeds: Names.feeds(locations), folders: locations.map { Names.folder($0).map(Names.kind) })
        try measure()
        guard entities.contains(where: { !$0.isDropped }) else {
            throw Failure(
                .data,
                "\(names): nothing identifies the objects in it, neither what they hold nor a place in a list, so"
                    + " nothing can be drafted\(FeedSurvey.parallel(feeds))")
        }
    }

    /// What is to be done where a feed has nothing but the columns of a table, as lists.
    private static func parallel(_ feeds: [SurveyedFeed]) -> String {
        guard let lists = feeds.lazy.compactMap({ ParallelLists.all(in: $0.tree).first }).first else { return "" }
        return "; \(lists.sentence): a command makes records of them (init.md, lists beside one another)"
    }

    /// The steps, of which each needs what those before it have found.
    private mutating func measure() throws(Failure) {
        CutFinder(entities).add()
        let measures = entities.map(RecordMeasure.init)
        let references = try readAgain(measures)
        try identify(measures, references)
        try relate(measures, references)
        entities += Addresses.find(entities, &entityNames)
        entities += try SharedObjects(entities).find(entities, feeds, &entityNames)
        FileStems(entities: entities, feeds: feeds).settle()
        try FlawSearch.find(entities, feeds)
    }

    /// Measures what is unique, and which values are found in what may identify others.
    private func readAgain(_ measures: [RecordMeasure]) throws(Failure) -> ReferenceSearch {
        RecordMeasure.compareLists(measures)
        let references = ReferenceSearch(entities, measures)
        for (source, target) in references.within {
            measures[source.entity.index].compare(source, target)
        }
        let keys = KeyNames(entities)
        keys.compare(measures)
        for feed in feeds { try references.measure(feed, measures) }
        keys.settle(measures)
        references.judge(measures)
        return references
    }

    /// Chooses identifiers, and takes together what is known by the same.
    private func identify(_ measures: [RecordMeasure], _ references: ReferenceSearch) throws(Failure) {
        try IdentifierSelection(
            measures: measures, feeds: feeds, references: references.popularity, referring: references.referring,
            links: references.links, known: references.known
        ).choose()
        EntityUnion(measures: measures, excerpts: references.excerptEntities).unite()
    }

    /// Finds the relationships, drops what nothing shows to be an entity, and has what a run would lose identified
    /// otherwise.
    private mutating func relate(_ measures: [RecordMeasure], _ references: ReferenceSearch) throws(Failure) {
        for entity in entities where !entity.isDropped && !entity.place.others.isEmpty { entityNames.rename(entity) }
        try references.relate()
        let compounds = CompoundSearch(entities, measures)
        try compounds.measure(feeds)
        compounds.relate()
        DoubtfulEntities(entities, feeds).settle()
        try OwnerRelationships(entities: entities, measures: measures).relate()
        RedundantReferences(measures: measures).settle()
        InnerReferences(entities: entities).settle()
        try SiblingSearch(entities).relate(entities, feeds)
        try Losses(measures, feeds).settle()
        SharedTexts.remark(entities)
    }
}
