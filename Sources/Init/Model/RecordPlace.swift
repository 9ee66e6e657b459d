import SluiceRecords

/// Where the records of an entity are.
struct RecordPlace {
    /// Which of the feeds.
    let feed: Int
    /// The way to the records.
    let steps: [ShapeStep]
    /// The places of the records: one, but for the top of a tree, which is a place of its own.
    let nodes: [Int32]
    /// What the records say of themselves, where that tells them from others of their list.
    var kind: (member: [String], value: String)?
    /// The ways to records of the same entity which were found as another's.
    var others: [[ShapeStep]] = []
    /// Feeds that have records of the same entity in the same way.
    var otherFeeds: [Int] = []
    /// Whether they are rows of a table, in which all values are texts.
    var isOfTable = false
    /// Whether semicolons stand between its cells, as where the comma stands before the fraction.
    var hasSemicolons = false
    /// Whether the feed is a sequence, whose values have no place to be known by.
    var isOfSequence = false
    /// Whether each record has its object in a member `node`, as lists of GraphQL have it.
    var isOfEdges = false
    /// Whether the records are in lists, or alone in the place of one.
    var isOneOrMany = false
    /// Whether the records are those of one of several pages: what all of them have, others may lack.
    var isOfPage = false
    /// What a regular expression matches in the name of the file, where something names the file without its ending;
    /// nil: the name is taken as it is.
    var stem: String?
    /// Whether records elsewhere refer to these by that, so that it identifies these.
    var isKnownByStem = false
    /// Whether the names of the files that the records are in tell these apart.
    var fileNames = FileNames.differ

    /// Of the levels of a tree: the members of the object around the highest, if it is none, that are no values.
    var membersAbove: Set<ExactText> = []

    init(feed: Int, steps: [ShapeStep], nodes: [Int32]) { (self.feed, self.steps, self.nodes) = (feed, steps, nodes) }

    /// Which of the feeds have records of the entity.
    var feeds: [Int] { [feed] + otherFeeds }

    /// The members on the way, but for those that GraphQL puts around the objects of each list: `edges` and
    /// `node`, or `nodes`.
    var names: [String] {
        let all = ShapeStep.members(steps)
        return all.indices.filter { index in
            let isEdges = all[index] == "edges" && (index + 1 < all.count ? all[index + 1] == "node" : isOfEdges)
            // Of an answer, behind what the list is called.
            let isNodes = all[index] == "nodes" && index > 1 && all[0] == "data"
            return !isEdges && !isNodes && !(all[index] == "node" && index > 0 && all[index - 1] == "edges")
                && !(index > 0 && RecordPlace.isWrapper(all[index])) && !RecordPlace.isAround(all[index], at: index)
        }.map { all[$0] }
    }

    /// Whether a member is around whatever there is: HAL has each list in `_embedded`, and the second version of OData
    /// all of an answer in `d`.
    private static func isAround(_ name: String, at index: Int) -> Bool {
        name == "_embedded" || index == 0 && name == "d"
    }

    /// Of members on the way to a list, those that say something: none of them, where nothing does.
    func meaningfulNames(of way: [String]) -> [String] {
        let names = names
        return way.filter(names.contains)
    }

    /// Whether a member only says that lists or objects are some, as exports of DynamoDB and Firestore have it.
    private static func isWrapper(_ name: String) -> Bool { ["L", "M", "arrayValue", "mapValue"].contains(name) }

    /// The last member on the way that says something; empty: there is none.
    var name: String { names.last ?? ShapeStep.members(steps).last ?? "" }

    /// Whether it is in another place of the same feed.
    func isIn(_ other: RecordPlace) -> Bool {
        feed == other.feed && steps.count > other.steps.count && steps.starts(with: other.steps)
    }

    /// The steps from another place around it.
    func steps(from other: RecordPlace) -> ArraySlice<ShapeStep> { steps.dropFirst(other.steps.count) }
}
