import SluiceRecords

/// Finds objects that many records tell of in members of their own, and makes entities of them. Whether the same is
/// always told is measured in one more reading, of the feeds that it concerns.
struct SharedObjects {
    private let objects: [SharedObject]
    /// So many are measured.
    private static let most = 32

    /// - Parameter entities: all of them, with their identifiers and relationships.
    init(_ entities: [DraftEntity]) {
        let sources = entities.filter { entity in
            !entity.isDropped && !entity.isTree && !entity.isSingle && !entity.isEmbedded && !entity.repeats
                && !entity.isOfValues && entity.records > 2
        }
        let known = Set(
            entities.filter(\.isEmbedded).filter { !$0.isDropped || $0.whole != nil || $0.same != nil }.map(
                \.place.steps))
        objects = Array(
            sources.flatMap { entity in
                entity.columns.filter { SharedObjects.canBeKey($0, known) }.compactMap(SharedObjects.object)
            }.prefix(SharedObjects.most))
    }

    /// Measures the feeds that have some, and returns the entities that were found.
    func find(_ entities: [DraftEntity], _ feeds: [SurveyedFeed], _ entityNames: inout EntityNames) throws(Failure)
        -> [DraftEntity]
    {
        guard !objects.isEmpty else { return [] }
        let rows = entities.map(RowForwarder.init)
        for object in objects { rows[object.source.index].add(object) }
        try SurveyedFeed.measure(feeds, rows, objects.flatMap(\.columns))
        return relate(&entityNames)
    }

    // MARK: What may be one

    private static func canBeKey(_ column: DraftColumn, _ known: Set<[ShapeStep]>) -> Bool {
        let entity = column.entity
        guard let path = column.path, canTell(column), column.facts.reals.count == 0,
            column.facts.empties == 0, column.counts.booleans == 0, column.sameAs == nil, column.values > 2,
            column.facts.sketch.distinct < 0.9 * Double(column.values), column.facts.longest <= 200
        else { return false }
        if column.isIdentifying, entity.identifier?.hasOwner == false, entity.identifier?.columns.count == 1 {
            return false
        }
        if path.count > 1, known.contains(entity.place.steps + path.dropLast().map { .member($0) }) { return false }
        return !entity.relationships.contains { $0.column?.origin == column.origin && !$0.isByName }
    }

    /// Whether a column says something by itself.
    private static func canTell(_ column: DraftColumn) -> Bool {
        guard case .member = column.origin, column.content == .scalar, column.cut == nil else { return false }
        return column.values > 0 && !column.isOfExcerpt && column.sameAs == nil
    }

    private static func object(_ key: DraftColumn) -> SharedObject? {
        let entity = key.entity
        let free = entity.columns.filter { column in
            column !== key && canTell(column)
                && !column.isIdentifying
                && !entity.relationships.contains { $0.column?.origin == column.origin || $0.by === column }
        }
        let named = isCalledKey(key) ? free.filter { isCalled($0, after: key) } : []
        if !named.isEmpty {
            let others = free.filter { column in !named.contains { $0 === column } && column.facts.sketch.distinct > 1.5
            }
            return SharedObject(key, named: named, others: others)
        }
        let near = free.filter { $0.parent == key.parent }
        guard isOwnKey(key), !near.isEmpty else { return nil }
        let keys = entity.columns.filter { column in
            column.isKey && column.cut == nil && column.sameAs == nil && !column.isPathOfFile
                && !column.isIdentifying
        }
        return SharedObject(key, named: [], others: near + keys + linked(entity, key.parent))
    }

    /// What identifies the objects in an object in the record, to which the record refers.
    private static func linked(_ entity: DraftEntity, _ parent: [String]) -> [DraftColumn] {
        guard !parent.isEmpty else { return [] }
        return entity.relationships.compactMap { relationship in
            guard case .embedded(let path) = relationship.basis, path.starts(with: parent), path != parent else {
                return nil
            }
            let name = relationship.targets[0].identifier?.columns.first?.ownName ?? ""
            return entity.columns.first {
                $0.origin == .member(path + [name]) && $0.content == .scalar && $0.cut == nil
            }
        }
    }

    /// Whether a column is called as the identifier of something else.
    private static func isCalledKey(_ key: DraftColumn) -> Bool {
        isValue(key) && key.facts.forms == .address || isCode(key)
            || key.meaning.isReference && (key.meaning.rank > .own || key.ownName.lowercased() == "uid")
    }

    /// Whether a column has the code of something else, `Country Code`, which stands in several records on average.
    private static func isCode(_ key: DraftColumn) -> Bool {
        key.meaning.rank == .code && Names.words(key.ownName).last?.lowercased() == "code"
            && !key.meaning.member.base.isEmpty && 5 * key.facts.sketch.distinct <= Double(key.values)
    }

    /// Whether a column is what an object around it says, whose name is that of the column: `"country": { "type":
    /// "uri", "value": … }`.
    private static func isValue(_ column: DraftColumn) -> Bool {
        column.ownName.lowercased() == "value" && !column.parent.isEmpty
    }

    /// Whether a column is called as what is said of the object with a key: `location` and `location_type` of
    /// `locationId`.
    private static func isCalled(_ column: DraftColumn, after key: DraftColumn) -> Bool {
        if isValue(key) {
            let (own, other) = (key.parent, column.parent)
            return isValue(column) && own.dropLast() == other.dropLast() && own != other
                && Names.parts(other[other.count - 1]).starts(with: Names.parts(own[own.count - 1]))
        }
        let base = key.meaning.member.base.isEmpty ? ["user"] : key.meaning.member.base
        return column.parent == key.parent && Names.parts(column.ownName).starts(with: base)
    }

    /// Whether a column is called as the identifier of the objects in a list, or of an object in the record, which is
    /// not the record itself.
    private static func isOwnKey(_ key: DraftColumn) -> Bool {
        let (entity, parent) = (key.entity, key.parent)
        guard let last = parent.last else {
            let isName = Names.isRegistered(key.ownName) || key.ownName.lowercased() == "name"
            return entity.owner != nil && key.isAlwaysThere
                && (key.meaning.rank == .own || isName && key.facts.sketch.distinct >= 5)
        }
        let isOfRecord =
            entity.identifier?.columns.contains { $0.parent.starts(with: parent) } ?? true
        return !isOfRecord && Names.rank(key.ownName, of: last) <= .ending || isLink(key)
    }

    /// Whether the objects in a list are known in their record by an object in each of them, which others have, too.
    private static func isLink(_ key: DraftColumn) -> Bool {
        guard let identifier = key.entity.identifier, identifier.hasOwner, identifier.columns.count == 1 else {
            return false
        }
        return identifier.columns[0] === key && key.isAlwaysThere && Names.rank(key.ownName, of: "") <= .code
            && key.facts.sketch.distinct >= 5
    }

    // MARK: What was found

    private func relate(_ entityNames: inout EntityNames) -> [DraftEntity] {
        var found: [(object: SharedObject, entity: DraftEntity)] = []
        for object in objects where object.isFound {
            // Another key of the same record may have said it.
            let left = object.members.filter { member in object.source.columns.contains { $0 === member.column } }
            guard left.count == object.members.count else { continue }
            if let same = found.first(where: { $0.object.isLike(object) }) {
                object.source.tell(of: same.entity, by: object.key, object.members.map(\.column))
                same.entity.add(object)
            } else {
                let entity = DraftEntity(shared: object)
                entityNames.name(entity, like: names(object))
                object.source.tell(of: entity, by: object.key, object.members.map(\.column))
                found.append((object, entity))
            }
        }
        return found.map(\.entity)
    }

    private func names(_ object: SharedObject) -> [String] {
        let base = object.key.meaning.member.base.joined(separator: "_")
        let isAround = !object.isNamed || SharedObjects.isValue(object.key)
        let above = isAround ? object.key.parent.last : nil
        let own = above ?? (base.isEmpty && object.key.ownName.lowercased() == "uid" ? "user" : base)
        let source = object.source.name
        let name = Names.entity(Names.referred(own))
        return (own.isEmpty ? [] : [name, source + name]) + ["Shared" + source]
    }
}
