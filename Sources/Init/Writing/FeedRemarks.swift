import SluiceDefinition
import SluiceRecords

/// What comments above a draft tell of a feed: what is not drafted, and what was guessed.
struct FeedRemarks {
    private let feed: SurveyedFeed
    /// All of the draft, with those that were dropped.
    private let entities: [DraftEntity]

    init(_ feed: SurveyedFeed, _ entities: [DraftEntity]) { (self.feed, self.entities) = (feed, entities) }

    var sentences: [String] {
        deep + places + nameless + texts + parallel + maps + [LinesInPairs.sentence(of: feed)].compactMap { $0 }
            + TableRemarks(feed, entities).sentences + pages + fails
    }

    private static let mostNamed = 20

    /// Some places of a feed, as a sentence names them.
    static func named(_ places: [[ShapeStep]], _ tree: ShapeTree) -> String {
        let shown = places.prefix(mostNamed).map { DraftPaths.top($0, in: tree) }
        let more = places.count > shown.count ? ["\(grouped(places.count - shown.count)) more"] : []
        return listed(shown + more)
    }

    /// The places whose values the draft does not have.
    private var places: [String] {
        let left = UnusedPlaces(feed, entities)
        return [(left.inNoEntity, "entity"), (left.inNoAttribute, "attribute")].filter { !$0.0.isEmpty }.map {
            "Of \(feed.location), these are in no \($1): \(FeedRemarks.named($0, feed.tree))."
        }
    }

    private var nameless: [String] {
        entities.filter { $0.place.feed == feed.index && $0.isLost && $0.isNameless }.map { entity in
            "Of \(feed.location), \(grouped(entity.records)) objects at \(DraftPaths.text(entity.place.steps)) are in no"
                + " entity: nothing identifies them."
        }
    }

    /// What was not looked at, and what no text can hold.
    private var texts: [String] {
        let cut =
            feed.tree.room.isFull
            ? "\(feed.location) has more than \(grouped(ShapeTree.mostNodes)) different paths: what is at others was not"
                + " looked at." : nil
        let broken =
            feed.flaws.hasHalfPairs
            ? "\(feed.location) has texts with half of a surrogate pair (\\ud83d): a record that has one where an"
                + " attribute looks is a reject." : nil
        return [cut, broken].compactMap { $0 }
    }

    /// What one path with `..` would say better.
    private var deep: [String] {
        DeepMembers.all(in: feed.tree).prefix(FeedRemarks.mostDeep).map { $0.sentence(of: feed.location) }
    }

    private static let mostDeep = 3

    private var parallel: [String] {
        ParallelLists.all(in: feed.tree).prefix(FeedRemarks.mostNamed).map { lists in
            "\(lists.sentence), which no definition says. A command makes records of them (init.md)."
        }
    }

    private var maps: [String] {
        ParallelMaps.all(of: feed, entities).prefix(FeedRemarks.mostNamed).map { maps in
            "\(FeedRemarks.named(maps.places, feed.tree)) have the same keys, as the columns of one table: what stands"
                + " behind one key belongs together, as it seems, which no definition says. A command makes records of"
                + " them (init.md, columns of data frames)."
        }
    }

    // MARK: Services

    /// What is known of the pages in which a service answers.
    private var pages: [String] {
        if let why = feed.service.pageInFile {
            return [
                "Of \(feed.location), one page of several was given, as it seems: \(why). A source"
                    + " with the address (\"url\") and \"pages\" gets all of them (services.md)."
            ]
        }
        guard let pages = feed.service.pages else {
            guard feed.isAnswer else { return [] }
            return [
                "Of \(feed.location), one answer was read, which names no next page today: if the service has pages, see"
                    + " \"pages\" of sources (services.md)."
            ]
        }
        let what = pages.isPartial ? "page" : "answer"
        return ["Of \(feed.location), one \(what) was read: \(pages.remark)."]
    }

    /// How a run knows an answer that is an error, though it comes with status 200.
    private var fails: [String] {
        guard feed.isAnswer, feed.tree[0].counts.objects > 0 else { return [] }
        guard let fails = feed.service.fails else {
            return [
                "Nothing in the answer of \(feed.location) says that all went well: where an answer with status 200 may be"
                    + " an error, see \"fails\" of sources (services.md)."
            ]
        }
        return [
            "In the answer of \(feed.location), \(fails.said): one that says something else fails a run (\"fails\")."
        ]
    }
}
