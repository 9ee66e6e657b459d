import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords

/// Drafts a definition from feeds: what they hold, what identifies it, of which types it is, and what refers to what.
///
///     let draft = try InitRun(["airports.json", "routes.json"], output: "flights.jsonc").perform()
///     print(draft.text)
package struct InitRun {
    private let given: [String]
    private let output: String?
    private let format: Source.Format?
    private let headers: GivenHeaders
    private let onRetry: @Sendable (Retry) -> Void

    /// - Parameters:
    ///   - feeds: files, archives with several of them, addresses of web services, or `-`.
    ///   - output: where the definition will be: paths in it are relative to its folder.
    ///   - format: that of all feeds; nil: as their names say.
    ///   - headers: what web services are asked with.
    ///   - onRetry: is told of each request that is made again, on the thread that downloads.
    package init(
        _ feeds: [String], output: String?, format: Source.Format? = nil, headers: GivenHeaders = GivenHeaders(),
        onRetry: @escaping @Sendable (Retry) -> Void = { _ in }
    ) {
        self.onRetry = onRetry
        given = feeds
        self.output = output
        self.format = format
        self.headers = headers
    }

    /// A definition, as a text.
    package struct Draft: Sendable {
        /// The draft: a definition with comments.
        package let text: String
        /// What it is called.
        package let file: String
        /// The variables of the environment that it needs.
        package let variables: [String]
    }

    /// Reads the feeds, and drafts.
    ///
    /// - Throws: what is wrong with a feed, as a run has it.
    package func perform() throws(Failure) -> Draft {
        let locations = try FeedLocations(given, format, headers, onRetry: onRetry)
        let survey = try FeedSurvey(locations, format)
        let name = name(locations.all)
        var writer = DraftWriter(
            feeds: survey.feeds, entities: survey.entities, sources: sources(locations, from: output),
            store: name + ".sqlite",
            remarks: locations.remarks, schema: output == nil ? nil : InstalledSchema.address)
        writer.rejects = try AllowedRejects(survey.feeds, survey.entities)
        let isWeb = survey.feeds.contains { $0.isWeb }
        return Draft(
            text: writer.text, file: output ?? name + ".jsonc", variables: isWeb ? headers.variables : [])
    }

    /// A definition beside feeds.
    package struct Comparison: Sendable {
        /// What it lacks of what the feeds hold, as a part of a definition; nil: nothing.
        package let text: String?
        /// What is told of feeds that it reads already.
        package let known: [String]
        /// What else a draft of the feeds would have, or say otherwise.
        package let differences: [String]
    }

    /// Reads the feeds, and looks for what a definition lacks of what they hold.
    package func compare(with definition: PipelineDefinition) throws(Failure) -> Comparison {
        let locations = try FeedLocations(given, format, headers, onRetry: onRetry)
        let survey = try FeedSurvey(locations, format)
        let writer = DraftWriter(
            feeds: survey.feeds, entities: survey.entities, sources: sources(locations, from: definition.file),
            store: "")
        let lacking = Lacking(definition: definition, survey: survey, locations: locations.all, writer: writer)
        let differences = lacking.differences
        return Comparison(text: lacking.text, known: lacking.known, differences: differences)
    }

    /// What the pipeline is called: as its file, or else as its archive, or its first feed.
    private func name(_ locations: [String]) -> String {
        if let output {
            let file = output.split(separator: "/").last.map(String.init) ?? output
            return file.split(separator: ".").first.map(String.init) ?? file
        }
        if given.count == 1, locations != given {
            let name = Names.feed(given[0])
            return name.isEmpty ? "feed" : name.lowercased()
        }
        let folders = locations.map { $0.split(separator: "/").dropLast().last.map(String.init) ?? "" }
        let folder = locations.count > 1 && Set(folders).count == 1 ? folders[0] : ""
        let name = folder.isEmpty ? Names.feed(locations[0]) : Names.words(folder).joined(separator: "-")
        return name.isEmpty ? "feed" : name.lowercased()
    }

    /// - Parameter file: the definition, to whose folder paths are relative.
    private func sources(_ locations: FeedLocations, from file: String?) -> [DraftWriter.SourcePlace] {
        var taken: Set<String> = []
        return locations.all.map { location in
            var base = Names.file(location).replacingExactly("=", with: "-")
            // Of `books-*.json`, the name is what is before the number.
            if locations.files[location] != nil, let last = base.lastIndex(where: { !"-_.".contains($0) }) {
                base = String(base[...last])
            }
            var (name, number) = (base, 2)
            while !taken.insert(name).inserted {
                name = base + String(number)
                number += 1
            }
            if let place = locations.archives[location] {
                let archive = locations.patterns[place.archive] ?? place.archive
                return DraftWriter.SourcePlace(name: name, location: archive, member: place.path)
            }
            let place = FeedPath(location)
            let path = RelativePath.path(locations.patterns[place.file] ?? place.file, from: file)
            return DraftWriter.SourcePlace(name: name, location: path, member: place.member)
        }
    }
}

/// What feeds hold, found in a few readings of each.
struct FeedSurvey {
    let feeds: [SurveyedFeed]
    private(set) var entities: [DraftEntity]
    private var naming = Naming()

    init(_ places: FeedLocations, _ format: Source.Format? = nil) throws(Failure) {
        let locations = places.all
        guard locations.count(where: { $0 == "-" }) <= 1 else {
            throw Failure(.usage, "only one feed can be standard input")
        }
        let copies = FeedCopies(copiesPipes: true)
        feeds = locations.enumerated().map { index, location in
            SurveyedFeed(
                location, files: places.files[location], in: places.archives, index: index, format: format,
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
        naming.name(
            entities, feeds: locations.map(Names.feed), folders: locations.map { Names.folder($0).map(Names.kind) })
        try measure()
        guard entities.contains(where: { !$0.isDropped }) else {
            throw Failure(
                .data,
                "\(names): nothing identifies the objects in it, neither what they hold nor a place in a list, so"
                    + " nothing can be drafted")
        }
    }

    private mutating func measure() throws(Failure) {
        CutFinder(entities).add()
        let measures = entities.map(RecordMeasure.init)
        RecordMeasure.compareLists(measures)
        let references = References(entities, measures)
        for (source, target) in references.within {
            measures[source.entity.index].compare(source, target)
        }
        let keys = KeyNames(entities)
        keys.compare(measures)
        for feed in feeds { try references.measure(feed, measures) }
        keys.settle(measures)
        references.judge(measures)
        try Identifying(
            measures: measures, feeds: feeds, references: references.popularity, referring: references.referring,
            known: references.known
        ).choose()
        Uniting(measures: measures, told: references.told).unite()
        for entity in entities where !entity.isDropped && !entity.place.others.isEmpty { naming.rename(entity) }
        try references.relate()
        let compounds = Compounds(entities, measures)
        try compounds.measure(feeds)
        compounds.relate()
        dropDoubtful()
        try Owning(entities: entities, measures: measures).relate()
        try Siblings(entities).relate(entities, feeds)
        try Losses(measures, feeds).settle()
        entities += Addresses.find(entities, &naming)
        entities += try SharedObjects(entities).find(entities, feeds, &naming)
        FileStems(entities: entities, feeds: feeds).settle()
        try FlawSearch.find(entities, feeds)
    }

    /// A single object is no map, unless something refers to its keys or to what is in its lists, or its values refer
    /// to something; and it is no record, unless something refers to it, or it to something.
    private func dropDoubtful() {
        Groups(entities).settle()
        let targets = entities.filter { !$0.isDropped }.flatMap(\.relationships).flatMap(\.targets)
        // Where there is nothing else, it is what the feed is about.
        guard entities.contains(where: { !$0.isDropped && !$0.isDoubtful }) else { return }
        for entity in entities where entity.isDoubtful && !entity.isOfGroups {
            if isAround(entity) { continue }
            let refers = entity.relationships.contains { entity.isSingle || $0.column?.origin == .record }
            let isMeant =
                refers || targets.contains { $0 === entity } || isGroup(entity) || isAboutMembers(entity)
                || isByOthers(entity)
            if isMeant { entity.standing = .drafted } else { entity.drop() }
        }
    }

    /// Whether an object that the feed has once is around lists of records, which refer to it then. What is at the top
    /// has the whole feed, and is not more than that.
    private func isAround(_ entity: DraftEntity) -> Bool {
        guard entity.isSingle, !entity.place.steps.isEmpty, !entity.isDropped, let identifier = entity.identifier,
            identifier.columns.count == 1, identifier.columns[0].meaning.rank == .own
        else { return false }
        let inner = entities.filter { other in
            other.place.isIn(entity.place) && other.owner == nil && !other.isDropped && !other.isSingle && !other.isTree
                && !other.repeats
        }
        for other in inner {
            other.relationships.insert(DraftRelationship(.owner, to: entity), at: 0)
        }
        return !inner.isEmpty
    }

    /// Whether the keys are what members of records elsewhere are called: their units, for one.
    private func isAboutMembers(_ entity: DraftEntity) -> Bool {
        guard !entity.isSingle, let keys = entity.columns.first(where: { $0.isKey && $0.cut == nil }) else {
            return false
        }
        let names = keys.facts.sample.texts.map { String(decoding: $0, as: UTF8.self) }
        let about = entities.first { other in
            guard other !== entity, !other.isDropped, !other.isOfValues else { return false }
            let members = Set(other.columns.map { ExactText($0.ownName) })
            return names.allSatisfy { members.contains(ExactText($0)) }
        }
        guard names.count > 2, let about else { return false }
        entity.remarks.append("its keys are the members of \(about.name)")
        return true
    }

    /// Whether the keys of a map in records name what is told of elsewhere: the votes of each party.
    private func isByOthers(_ entity: DraftEntity) -> Bool {
        guard let owner = entity.owner, !owner.isDropped, owner.records > 1 else { return false }
        return entity.relationships.contains { relationship in
            relationship.column?.isKey == true && !relationship.isByName && !relationship.leads(to: owner)
        }
    }

    /// Whether the lists behind keys group what records elsewhere name.
    private func isGroup(_ entity: DraftEntity) -> Bool {
        guard let values = entity.columns.first(where: { $0.origin == .record }), values.counts.arrays > 0 else {
            return false
        }
        let tree = feeds[entity.place.feed].tree
        let element = tree[values.node].element
        guard element >= 0, let facts = tree.factsOf(element) else { return false }
        let naming = entities.filter { $0 !== entity && !$0.isDropped }.flatMap(\.columns).first { column in
            guard column.cut == nil, column.content != .json, column.facts.texts > 0 else { return false }
            let (values, found) = column.facts.sketch.comparison(with: facts.sketch)
            return values >= 3 && Double(found) >= References.enough * Double(values)
        }
        guard let naming else { return false }
        entity.remarks.append("its lists have the values of \(quoted(naming.ownName)) in \(naming.entity.name)")
        return true
    }
}
