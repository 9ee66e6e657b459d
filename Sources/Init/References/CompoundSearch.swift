import SluiceRecords

/// Finds references to objects that several values identify together. Whether they are is measured in one more reading,
/// of the feeds that it concerns.
final class CompoundSearch {
    private let entities: [DraftEntity]
    private let measures: [RecordMeasure]
    private(set) var candidates: [CompoundReference] = []
    /// So many of all entities, and of one entity to another.
    private static let most = (all: 64, pair: 6)

    /// - Parameters:
    ///   - entities: all of them, with their identifiers.
    ///   - measures: what was measured of each.
    init(_ entities: [DraftEntity], _ measures: [RecordMeasure]) {
        self.entities = entities
        self.measures = measures
        for target in entities where !target.isDropped {
            guard let parts = CompoundTarget(target) else { continue }
            for source in entities where canRefer(source, target) { add(source, parts) }
        }
    }

    /// Measures the feeds that hold what is compared.
    func measure(_ feeds: [SurveyedFeed]) throws(Failure) {
        guard !candidates.isEmpty else { return }
        let rows = entities.map(RowForwarder.init)
        for candidate in candidates {
            candidate.target.begin(rows)
            rows[candidate.source.index].add(candidate)
        }
        try SurveyedFeed.measure(feeds, rows, candidates.flatMap { $0.columns + $0.target.parts })
    }

    /// Sets the relationships that were found; of an entity to another the best one, or one for each column that names
    /// an object of its own: the winner and the loser of a game, together with the year.
    func relate() {
        var related: Set<[Int]> = []
        for candidate in candidates.sorted(by: { $0.weight > $1.weight }) where candidate.isFound {
            let (source, target) = (candidate.source, candidate.target.entity)
            let place = [source.index, target.index] + (candidate.ownColumn.map { [$0.index] } ?? [])
            guard !related.contains(place), !isTaken(candidate) else { continue }
            related.insert(place)
            var relationship = DraftRelationship(.columns(candidate.columns), to: target, remark: candidate.remark)
            relationship.name = candidate.ownColumn.map { DraftRelationship.name(within: $0.ownName) } ?? ""
            source.relationships.append(relationship)
        }
    }

    /// Whether each of the columns alone says the same.
    private func isTaken(_ candidate: CompoundReference) -> Bool {
        candidate.source.relationships.contains { relationship in
            relationship.leads(to: candidate.target.entity)
                && (relationship.isByOwner || candidate.columns.contains { $0 === relationship.column })
        }
    }

    // MARK: Columns that may be meant

    private func canRefer(_ source: DraftEntity, _ target: DraftEntity) -> Bool {
        guard !source.isDropped, !source.isEmbedded else { return false }
        // What is in a record refers to it anyway.
        var owner = source.owner
        while let one = owner {
            if one === target { return false }
            owner = one.owner
        }
        return true
    }

    private func add(_ source: DraftEntity, _ target: CompoundTarget) {
        let choices = target.parts.map { part in
            source.columns.filter { isMeant($0, part) && mayBe($0, part) }
                .sorted { CompoundSearch.likeness($0, $1, to: part) }.prefix(4)
        }
        guard choices.allSatisfy({ !$0.isEmpty }), candidates.count < CompoundSearch.most.all else { return }
        var sets: [[DraftColumn]] = [[]]
        for choice in choices { sets = sets.flatMap { set in choice.map { set + [$0] } } }
        let fitting = sets.map { CompoundReference(source, $0, target) }.filter {
            $0.isPlausible && !isInverse($0) && !isOfSame($0) && !isRefuted($0)
        }
        candidates += fitting.sorted { $0.weight > $1.weight }.prefix(CompoundSearch.most.pair)
    }

    /// Whether the target refers to the source by one of the parts, and no other part is called as it is there: then
    /// many lead to one, and not the one to one of them.
    private func isInverse(_ candidate: CompoundReference) -> Bool {
        let pairs = zip(candidate.columns, candidate.target.parts)
        let own = candidate.source.identifier?.columns ?? []
        guard own.count == 1, candidate.source.identifier?.hasOwner == false else { return false }
        let isBack = pairs.contains { column, part in
            column === own[0]
                && part.entity.relationships.contains { $0.column === part && $0.leads(to: candidate.source) }
        }
        return isBack && pairs.allSatisfy { $0 === own[0] || CompoundReference.likeness($0, $1) < 3 }
    }

    /// Whether a record is known by all of what it would refer by, under the same names: both say something of the same
    /// thing, and neither is a part of the other.
    private func isOfSame(_ candidate: CompoundReference) -> Bool {
        guard let own = candidate.source.identifier, !own.hasOwner, !own.hasIndex, own.line == nil,
            candidate.target.ownerParts == 0,
            Set(own.columns.map(ObjectIdentifier.init)) == Set(candidate.columns.map(ObjectIdentifier.init))
        else { return false }
        return zip(candidate.columns, candidate.target.parts).allSatisfy {
            $0.meaning.member.lower == $1.meaning.member.lower
        }
    }

    /// Whether of the first records hardly any leads to an object.
    private func isRefuted(_ candidate: CompoundReference) -> Bool {
        let target = candidate.target
        guard target.ownerParts == 0,
            let known = measures[target.entity.index].candidates.first(where: { known in
                !known.isGone && known.columns == target.parts.map(\.index)
            })
        else { return false }
        var (values, found) = (0, 0)
        unsafe measures[candidate.source.index].forEachSampled { row in
            guard let hash = unsafe CompoundTarget.hash(candidate.columns, row) else { return }
            values += 1
            if known.contains(hash) ?? true { found += 1 }
        }
        return values >= 20 && found * 5 < values
    }

    /// Whether the name of a column lets it be a part.
    private func isMeant(_ column: DraftColumn, _ part: DraftColumn) -> Bool {
        column.sameAs == nil && (column.cut != nil || CompoundReference.likeness(column, part) >= 2)
    }

    /// Whether the sketches let a column hold what another one holds.
    private func mayBe(_ column: DraftColumn, _ part: DraftColumn) -> Bool {
        guard column.content == .scalar, column !== part, column.values > 0, column.facts.reals.count == 0,
            column.origin != .record
        else { return false }
        let (values, found) = column.facts.sketch.comparison(with: part.facts.sketch)
        if values == 0 { return !part.facts.sketch.isExact }
        return values < 20 ? found * 2 >= values : found * 10 >= values * 9
    }

    private static func likeness(_ one: DraftColumn, _ other: DraftColumn, to part: DraftColumn) -> Bool {
        CompoundReference.likeness(one, part) > CompoundReference.likeness(other, part)
    }
}

/// An entity that several values identify.
final class CompoundTarget: RowListener {
    let entity: DraftEntity
    /// Those of the owner before its own.
    let parts: [DraftColumn]
    /// How many of them are the owner's.
    let ownerParts: Int
    /// Its identifiers, by their hashes.
    fileprivate(set) var identifiers = HashCounts(most: 1 << 20)

    /// Nil: one value does, or a place in a list is among them.
    init?(_ entity: DraftEntity) {
        guard let identifier = entity.identifier, !identifier.hasIndex, identifier.line == nil else { return nil }
        var parts: [DraftColumn] = []
        if identifier.hasOwner {
            guard let above = entity.owner?.identifier, !above.hasOwner, !above.hasIndex else { return nil }
            parts = above.columns
        }
        ownerParts = parts.count
        parts += identifier.columns
        guard (2...3).contains(parts.count) else { return nil }
        self.entity = entity
        self.parts = parts
    }

    deinit { identifiers.deallocate() }

    private var isMeasured = false

    /// Has its identifiers taken from the rows, once.
    fileprivate func begin(_ rows: [RowForwarder]) {
        guard !isMeasured else { return }
        isMeasured = true
        rows[entity.index].add(self)
        if ownerParts > 0, let owner = entity.owner { rows[owner.index].add(CompoundOwner(self)) }
    }

    /// Of some columns together; nil: a part is missing.
    static func hash(_ columns: some Sequence<DraftColumn>, _ row: UnsafePointer<UInt64>) -> UInt64? {
        var hash: UInt64 = 0
        for column in columns {
            let value = unsafe row[column.index + 1]
            if value == ValueFingerprint.none { return nil }
            hash = hash == 0 ? value : ValueFingerprint.joined(hash, value)
        }
        return hash
    }

    /// What waits for the values of the owner, whose identifier may be behind its members.
    private var waiting: [UInt64] = []

    func take(_ row: UnsafePointer<UInt64>) {
        guard ownerParts == 0 else {
            // They are joined in their order, so that the owner's come first.
            waiting += parts[ownerParts...].map { unsafe row[$0.index + 1] }
            return
        }
        if let hash = unsafe CompoundTarget.hash(parts, row) { identifiers.add(hash) }
    }

    /// Takes all that waits in the owner, whose record ends here.
    fileprivate func complete(_ row: UnsafePointer<UInt64>) {
        defer { waiting.removeAll(keepingCapacity: true) }
        guard let owner = unsafe CompoundTarget.hash(parts[..<ownerParts], row) else { return }
        let width = parts.count - ownerParts
        for start in stride(from: 0, to: waiting.count, by: width) {
            var hash = owner
            for value in waiting[start..<start + width] { hash = ValueFingerprint.joined(hash, value) }
            if !waiting[start..<start + width].contains(ValueFingerprint.none) { identifiers.add(hash) }
        }
    }
}

/// Gives the rows of the owner to an entity in its records.
private final class CompoundOwner: RowListener {
    private let target: CompoundTarget

    init(_ target: CompoundTarget) { self.target = target }

    func take(_ row: UnsafePointer<UInt64>) { unsafe target.complete(row) }
}
