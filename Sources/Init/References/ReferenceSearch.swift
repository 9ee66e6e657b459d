import Glibc
import SluiceDefinition
import SluiceRecords

/// Finds which columns hold the identifiers of other objects, by their values.
final class ReferenceSearch {
    let entities: [DraftEntity]
    /// Columns whose values are counted, and where.
    private(set) var counted: [ObjectIdentifier: Int] = [:]
    private(set) var counts: Table<HashCounts>
    /// Those that may be references, and those that they may lead to.
    private(set) var sources: [DraftColumn] = []
    private(set) var targets: [DraftColumn] = []
    /// Where the sketches let each of the former lead.
    private var possible: [ObjectIdentifier: [DraftColumn]] = [:]

    var measures: [RecordMeasure] = []

    /// Values counted at once, in all columns.
    private static let mostValues = 8 << 20
    /// And of them in one column, at the least.
    private static let leastValues = 1 << 11
    /// What is found to this share is a reference.
    static let enough = 0.95

    init(_ entities: [DraftEntity], _ measures: [RecordMeasure]) {
        self.entities = entities
        counts = Table(capacity: 1)
        targets = measures.flatMap { measure in
            measure.candidates.filter { $0.columns.count == 1 && $0.columns[0] >= 0 }
                .map { measure.entity.columns[$0.columns[0]] }.filter { !$0.isPathOfFile }
                + (measure.objectKey.map { [measure.entity.columns[$0]] } ?? [])
        }
        let index = SketchIndex(targets.map(\.facts.sketch))
        for column in entities.filter({ !$0.isEmbedded }).flatMap(\.columns) where ReferenceSearch.canRefer(column) {
            let led = zip(targets, index.comparisons(of: column.facts.sketch)).filter { target, common in
                canLead(column, to: target, common) || mayShare(column, target, common)
            }.map(\.0)
            if !led.isEmpty || targets.contains(where: { mayMean(column, $0) }) {
                sources.append(column)
                possible[ObjectIdentifier(column)] = led
            }
        }
        let used = Set(
            (possible.values.joined() + targets.filter { target in sources.contains { mayMean($0, target) } })
                .map(ObjectIdentifier.init))
        targets = targets.filter { used.contains(ObjectIdentifier($0)) }
        let columns = sources + targets.filter { target in !sources.contains { $0 === target } }
        let most = min(max(ReferenceSearch.mostValues / max(1, columns.count), ReferenceSearch.leastValues), 1 << 20)
        counts.ensure(max(1, columns.count))
        for (index, column) in columns.enumerated() {
            counted[ObjectIdentifier(column)] = index
            counts[index] = HashCounts(most: most)
        }
    }

    deinit {
        for index in 0..<counted.count { unsafe counts.base[index].deallocate() }
        counts.deallocate()
    }

    /// Measures a feed.
    func measure(_ feed: SurveyedFeed, _ measures: [RecordMeasure]) throws(Failure) {
        try feed.measure(measures, counts: &counts, counted: counted)
    }

    private static func canRefer(_ column: DraftColumn) -> Bool {
        let facts = column.facts
        guard column.content != .json, column.part?.isPartial != true, column.values > 0, facts.reals.count == 0,
            facts.longest <= 300, !column.isPathOfFile
        else { return false }
        if column.content == .scalar, !column.isKey, column.counts.booleans > 0 { return false }
        // Zero and one are answers, unless the name says something else.
        if column.isWhole, facts.integers.areBits, !column.meaning.isReference { return false }
        return facts.texts == facts.empties || facts.forms.isDisjoint(with: TextForms.moments.union(.duration))
    }

    /// Whether the sketches let one column lead to the other.
    private func canLead(_ column: DraftColumn, to target: DraftColumn, _ common: (values: Int, found: Int)) -> Bool {
        let (values, found) = common
        guard values < 20 ? found == values || found * 2 >= values && values > 2 : found * 10 >= values * 6 else {
            return false
        }
        let isSame = column.isAtPlace(of: target)
        guard column !== target, !isSame || column.cut != nil && !target.entity.isOfGroups else { return false }
        if let cut = column.cut, !CutFinder.canLead(column, cut, to: target) { return false }
        return true
    }

    /// Whether a column has the keys of the lists that its records are in, where these may be an entity.
    private func isOfOwnGroups(_ column: DraftColumn, _ target: DraftColumn) -> Bool {
        target.entity.isOfGroups && column.isAtPlace(of: target)
    }

    /// Whether one of several targets of a column may be this one.
    private func mayShare(
        _ column: DraftColumn, _ target: DraftColumn, _ common: (values: Int, found: Int)
    ) -> Bool {
        guard common.found > 0, column !== target, !isOfOwnGroups(column, target) else { return false }
        if column.isWhole { return column.meaning.isReference && target.isWhole && areClose(column, target) }
        return column.facts.bytes >= 4 * (column.facts.texts - column.facts.empties)
    }

    /// Columns that may refer to objects of their own entity.
    var within: [(DraftColumn, DraftColumn)] {
        sources.flatMap { source in
            targets.filter { $0.entity === source.entity && $0 !== source && source.content == .scalar }
                .map { (source, $0) }
        }
    }

    // MARK: What was found

    /// Takes what was measured of the records into account from now on.
    func judge(_ measures: [RecordMeasure]) { self.measures = measures }

    /// A target, with how many of a column's values it has.
    struct Match {
        var target: DraftColumn
        var values: Int
        var found: Int
        var isExact: Bool
        var share: Double { values == 0 ? 0 : Double(found) / Double(values) }

        /// How many of the values are found.
        func figures(_ target: String) -> String {
            guard isExact else { return "\(sampledShare) found in \(target)" }
            if found == 0 { return "none of \(grouped(values)) found in \(target)" }
            if found == values { return "all \(grouped(values)) found in \(target)" }
            return "\(grouped(found)) of \(grouped(values)) found in \(target); \(grouped(values - found)) "
                + (values - found == 1 ? "is not" : "are not")
        }

        /// Of values of which a sample was counted, a share is known, and no number.
        var sampledShare: String {
            if found == values { return "about all" }
            return "about \(values == 0 ? 0 : 100 * found / values)%"
        }
    }

    func countsOf(_ column: DraftColumn) -> HashCounts? {
        counted[ObjectIdentifier(column)].map { counts[$0] }
    }

    /// A column with the same values that were counted: those of an object in a record are counted as the record's.
    func countedColumn(for column: DraftColumn) -> DraftColumn {
        guard counted[ObjectIdentifier(column)] == nil, column.cut == nil, !column.isKey else { return column }
        for entity in entities where entity.place.feed == column.entity.place.feed {
            for other in entity.columns where other.node == column.node && other.cut == nil && !other.isKey {
                if counted[ObjectIdentifier(other)] != nil { return other }
            }
        }
        return column
    }

    func match(_ column: DraftColumn, _ target: DraftColumn) -> Match? {
        guard let own = countsOf(column), let other = countsOf(target) else { return nil }
        let (values, found) = own.overlap(with: [other])
        // A word for no value refers to nothing.
        let missing =
            column.content == .scalar && column.cut == nil && !column.isKey
            ? own.counts(of: MissingTexts.hashes.keys, lackingIn: other) : 0
        let rest = values > missing ? values - missing : values
        return Match(target: target, values: rest, found: found, isExact: own.isExact && other.isExact)
    }

    /// The words for no value among the values of a column that the identifiers of some entities do not have.
    private func missingTexts(of source: DraftColumn, beside targets: [DraftEntity]) -> [String] {
        guard source.content == .scalar, source.cut == nil, !source.isKey,
            let own = countsOf(countedColumn(for: source))
        else {
            return []
        }
        let others = targets.compactMap { $0.identifier?.only.flatMap { countsOf(countedColumn(for: $0)) } }
        let words = MissingTexts.hashes.filter { word in
            own.contains(word.key) && !others.contains { $0.contains(word.key) }
        }
        return words.values.sorted()
    }

    private(set) lazy var matches: [ObjectIdentifier: [Match]] = {
        var all: [ObjectIdentifier: [Match]] = [:]
        for source in sources {
            all[ObjectIdentifier(source)] = (possible[ObjectIdentifier(source)] ?? [])
                .compactMap { match(source, $0) }.filter { $0.found > 0 }
        }
        return all
    }()

    /// See ``Excerpt``.
    private(set) lazy var excerpts = findExcerpts()

    /// Sets the relationships of all entities, whose identifiers are chosen.
    func relate() throws(Failure) {
        settleExcerpts()
        var open: [(source: DraftColumn, matches: [Match])] = []
        for source in sources where !source.entity.isDropped && source.sameAs == nil {
            if relateExcerpt(source) || relateByKinds(source) { continue }
            if let matches = relate(source) { open.append((source, matches)) }
        }
        // What identifies a record leads to the same of another list, rather than a text that both have.
        for (source, matches) in open.filter({ isOwnName($0.source) }) + open.filter({ !isOwnName($0.source) }) {
            if let other = try other(source, matches) { try add(source, other) }
        }
        for column in entities.filter({ !$0.isDropped }).flatMap(\.columns) where !column.isOfExcerpt {
            relateByName(column)
        }
        for entity in entities { entity.relationships = entity.relationships.filter { !isTold(by: $0, of: entity) } }
        for (source, matches) in open { remark(source, matches) }
    }

    /// Whether a part of a text, such as an address, leads to what another value of the same object leads to as it is:
    /// `"caller": { "link": "…/user/7", "value": "7" }`.
    private func isTold(by relationship: DraftRelationship, of entity: DraftEntity) -> Bool {
        guard let column = relationship.column, column.cut != nil, !column.parent.isEmpty else { return false }
        return entity.relationships.contains { other in
            guard let its = other.column, its.cut == nil, its.content == column.content else { return false }
            return its.parent == column.parent && other.by == nil && relationship.targets.allSatisfy(other.leads)
        }
    }

    /// Returns what a column's values are found in, where that identifies nothing.
    private func relate(_ source: DraftColumn) -> [Match]? {
        // The whole address comes before its last part.
        let isRelated = source.entity.relationships.contains { $0.column?.origin == source.origin }
        if source.cut != nil, isRelated { return nil }
        let all = (matches[ObjectIdentifier(source)] ?? []).filter { !$0.target.entity.isDropped }
        let direct = all.filter { isIdentifier($0.target) }
        let good = direct.filter { isEnough(source, $0) && isTelling(source, $0) && isDirected(source, $0) }
            .sorted { isBetter($0, $1, source) }
        let together = good.first?.share == 1 ? nil : targetGroup(of: source, direct)
        if let best = meant(good, source), together.map({ !isBetter($0, than: best, source) }) ?? true {
            var remark = best.figures(best.target.fullName)
            let other = good.first { $0.target.entity !== best.target.entity }
            if let other, isAsNear(source, other, as: best), other.share >= best.share {
                remark += "; \(best.share == 1 ? "all of them" : "as many") are in \(other.target.entity.name), too"
            }
            if let cut = source.cut { remark = cut.words + ": " + remark }
            remark += doubts(source, best)
            let separator = separator(of: source, in: best)
            if let separator { remark += "; these have several, with \(quoted(separator)) between them" }
            add(source, [best.target.entity], remark, separator)
        } else if let together {
            add(source, together.targets.map(\.target.entity), together.remark)
        } else {
            return all
        }
        return nil
    }

    /// The best of several, or the one to which the objects of that refer by what identifies them: `dependsOn` names
    /// components, rather than what says on which others each of them depends.
    func meant(_ good: [Match], _ source: DraftColumn) -> Match? {
        guard let best = good.first else { return nil }
        let further = good.dropFirst().first { other in
            other.share >= best.share && other.target.entity !== source.entity
                && isAsNear(source, other, as: best)
                && (matches[ObjectIdentifier(best.target)] ?? []).contains { match in
                    match.target === other.target && match.share >= ReferenceSearch.enough
                        && isDirected(best.target, match)
                }
        }
        return further ?? best
    }

    /// - Parameter separator: what stands between several identifiers in a text; nil: each is one.
    func add(_ source: DraftColumn, _ targets: [DraftEntity], _ remark: String, _ separator: String? = nil) {
        var relationship = DraftRelationship(source, to: targets, remark: remark)
        relationship.separator = separator
        if separator != nil { (relationship.isMany, relationship.isSet) = (true, true) }
        relationship.missing = missingTexts(of: source, beside: targets)
        if !relationship.missing.isEmpty {
            relationship.remark += "; \(listed(relationship.missing.map { quoted($0) })) taken for null"
        }
        source.entity.relationships.append(relationship)
    }

    func isIdentifier(_ column: DraftColumn) -> Bool { column.entity.identifier?.only === column }

    func isBetter(_ one: Match, _ other: Match, _ source: DraftColumn) -> Bool {
        let fits = (fit(source, one.target), fit(source, other.target))
        if fits.0 != fits.1 { return fits.0 > fits.1 }
        let near = (nearness(source, one.target), nearness(source, other.target))
        if near.0 != near.1 { return near.0 > near.1 }
        if one.share != other.share { return one.share > other.share }
        // An object is meant rather than a value.
        let areValues = (one.target.entity.isOfValues, other.target.entity.isOfValues)
        if areValues.0 != areValues.1 { return areValues.1 }
        // A list of them, rather than what is told of them again and again.
        let areTold = (one.target.entity.repeats, other.target.entity.repeats)
        if areTold.0 != areTold.1 { return areTold.1 }
        let (left, right) = (one.target.facts.sketch.distinct, other.target.facts.sketch.distinct)
        return source.isWhole ? left < right : left > right
    }
}
