import SluiceDefinition
import SluiceRecords
import SluiceReport

/// The sources of a run, once all of them are read: what the report says of each, and of which the run may not have
/// seen all that there is.
struct ReadSources {
    /// By source.
    let facts: [FeedFacts]
    /// The sources whose lists may have moved while they were read, or may have records that the run has not seen.
    let shifting: Set<Int>
    /// The sources of which the next run is to ask for the same once more: this one may have missed records that their
    /// services have, or what belongs to these records.
    private let doubtful: Set<Int>
    /// By source: how many records its first page had when it last led to others; nil: that is not known.
    private let earlierFirstPages: [UInt64?]
    private let definition: PipelineDefinition
    private let work: RunWork
    private let web: WebFeeds
    /// When the run began.
    private let started: Timestamp

    init(
        _ read: [FeedFacts], _ definition: PipelineDefinition, _ work: RunWork, _ web: WebFeeds, started: Timestamp
    ) {
        let earlier = work.inputs.map { work.collector.baseline?.firstPage(of: $0.feed) }
        var facts = read
        for source in facts.indices {
            // What is new comes on fewer pages than all.
            let input = work.inputs[source]
            let pages = input.source.isIncremental ? nil : work.collector.baseline?.values(of: input.feed)
            facts[source].pages?.compare(firstPageThatLedOn: earlier[source], pages: pages)
        }
        let passing = ReadSources.passing(facts, web)
        self.facts = facts
        shifting = ReadSources.mixed(work, web, started).union(passing).union(ReadSources.cutShort(facts))
        doubtful = ReadSources.withParents(passing, definition, work)
        earlierFirstPages = earlier
        (self.definition, self.work, self.web, self.started) = (definition, work, web, started)
    }

    // MARK: Which may not have been seen as a whole

    /// The sources of which the run may have passed over records that their services have: a service has not found
    /// something, or answered with something else; a page was short, or pages counted fewer records from one to the
    /// next.
    private static func passing(_ facts: [FeedFacts], _ web: WebFeeds) -> Set<Int> {
        Set(
            facts.indices.filter { source in
                facts[source].pages?.passesOver == true || web.notFound(of: source) != nil || web.hasShrunk(source)
            })
    }

    /// The sources that may have records behind what the run has read: a file is none of the feed; the way to the next
    /// page is lost, or an answer leads to one, for which nobody asks. The next run would read no more of them.
    private static func cutShort(_ facts: [FeedFacts]) -> Set<Int> {
        Set(facts.indices.filter { facts[$0].pages?.isDoubtful == true || facts[$0].oddFile != nil })
    }

    /// The sources of which some answers were kept, by a run that died long ago or in the cache, and others were not: a
    /// record may be in none of them.
    private static func mixed(_ work: RunWork, _ web: WebFeeds, _ started: Timestamp) -> Set<Int> {
        Set(work.inputs.indices.filter { work.answers.areOld[$0] || web.mixesPages(of: $0, before: started) })
    }

    /// Sources, with those for whose records they are asked.
    private static func withParents(
        _ sources: Set<Int>, _ definition: PipelineDefinition, _ work: RunWork
    ) -> Set<Int> {
        let parents = sources.compactMap { work.inputs[$0].parentsOfAnswers?.entity }
        let added = Set(parents.flatMap { definition.model.entities[$0].sources })
        return added.isSubset(of: sources) ? sources : withParents(sources.union(added), definition, work)
    }

    // MARK: What the report says of each

    /// What the report says of the sources.
    ///
    /// - Parameters:
    ///   - since: has seen all records.
    ///   - counts: what became of them, by entity; nil: that is not known yet.
    func reported(_ since: SinceWatch, _ counts: [EntityCounts]? = nil) -> [RunReport.SourceFacts] {
        facts.indices.map { reported($0, since, counts) }
    }

    private func reported(
        _ source: Int, _ since: SinceWatch, _ counts: [EntityCounts]?
    ) -> RunReport.SourceFacts {
        let (input, read) = (work.inputs[source], facts[source])
        var reported = RunReport.SourceFacts(
            name: input.source.name, location: input.location, bytes: read.bytes, values: read.values,
            sha256: read.sha256)
        reported.digestOfBeginning = read.digestOfBeginning
        reported.since = mark(of: source, since, counts)
        reported.taken = since.marks.taken(of: input.source, isOwn: input.isOwn)
        reported.isAnew = input.isOwn && since.marks.isAnew(input.source)
        reported.isOutdated = work.news.outdated.contains(source)
        reported.firstPage = read.pages.flatMap { $0.isLedOn ? $0.firstPage : nil } ?? earlierFirstPages[source]
        reported.unused = unusedLists(of: source)
        if input.isOwn, losesObjects(of: source), let baseline = work.collector.baseline {
            reported.goneFiles = baseline.goneFiles(of: input.feed)
        }
        return reported
    }

    /// The mark of a source for the next run; nil: the source is not asked for what is new.
    private func mark(
        of source: Int, _ since: SinceWatch, _ counts: [EntityCounts]?
    ) -> RunReport.SourceFacts.Since? {
        let input = work.inputs[source]
        let isDoubtful = doubtful.contains(source)
        if let own = input.source.since, own.relationship != nil {
            // Of answers that another run has left, what has changed since is older than what others bring.
            let isKnown =
                input.isOwn && !isDoubtful && !work.answers.areOfOthers[source]
                && !wantsRecordsAgain(of: source, counts)
            return .init(attribute: definition.model.names(own)[0], value: isKnown ? SinceMarks.stored : nil)
        }
        // What is on pages to which the way is lost is asked for again, unless it has higher values.
        let isCut = facts[source].pages?.lacksWay == true && !since.isInOrder(source)
        return since.mark(
            of: source, kept: web.keptPages(of: source, before: started),
            isHeld: !input.isOwn || isDoubtful || isCut || hasParentsOfOldAnswers(source)
                || wantsRecordsAgain(of: source, counts))
    }

    /// Whether records are to come again: those that were refused, and those of objects that a run with better feeds
    /// would have deleted.
    private func wantsRecordsAgain(of source: Int, _ counts: [EntityCounts]?) -> Bool {
        guard let counts, work.inputs[source].source.since != nil else { return false }
        return definition.model.entities.indices.contains { index in
            definition.model.entities[index].sources.contains(source)
                && ReadSources.wantsAgain(definition.model.entities[index], counts[index])
        }
    }

    /// One whose target is missing may be loaded once that is there, though nothing of it changes; of one that comes
    /// twice, the copy that does not count must not come alone the next time; and what was absent from a list that
    /// nobody could read, nothing says again.
    private static func wantsAgain(_ entity: Entity, _ count: EntityCounts) -> Bool {
        if count.keptAbsent > 0 { return true }
        if entity.relationships.contains(where: { $0.missing.rejectsRecords }), count.rejected > 0 { return true }
        // A copy that is rejected counts among the rejects.
        return entity.duplicates == .first && count.conflicting > 0
            || entity.duplicates == .reject && count.rejected > 0
    }

    /// Whether some records of a source are those for which another source was asked by a run that had died: what has
    /// changed since is not in the answers, though the records of this run may say when it did.
    private func hasParentsOfOldAnswers(_ source: Int) -> Bool {
        work.inputs.indices.contains { child in
            guard work.answers.areOfOthers[child], let parents = work.inputs[child].web?.parents else { return false }
            return definition.model.entities[parents.entity].sources.contains(source)
        }
    }

    /// The lists of a source's documents of which no entity has records. Files that are read no more have them still.
    private func unusedLists(of source: Int) -> [RunReport.SourceFacts.UnusedList]? {
        let input = work.inputs[source]
        guard let names = facts[source].drift.lists else { return nil }
        let before = work.collector.baseline?.unusedLists(of: input.feed)
        let used = definition.listsUsed(besidesRecordsOf: source)
        let now = names.filter { !used.contains(ExactText($0)) }.map {
            Path(root: .feed, steps: [.name($0)]).description
        }
        let kept =
            input.source.isNew || input.source.isIncremental ? (before ?? []).filter { !now.containsExactly($0) } : []
        return (now + kept).map { path in .init(path: path, isNew: before.map { !$0.containsExactly(path) }) }
    }

    /// Whether something is done with objects that the records of a source hold no longer.
    private func losesObjects(of source: Int) -> Bool {
        !definition.sources[source].isNew
            && definition.model.entities.contains { $0.sources.contains(source) && $0.removesAbsent }
    }
}
