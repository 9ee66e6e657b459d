import SluiceRecords

/// The attributes and relationships of an entity, as a definition has them.
struct EntityMembers {
    /// One of them.
    struct Member {
        var name: String
        /// Its value, as JSON.
        var text: String
        /// What was measured of it.
        var remark = ""
        /// Where it looks.
        var path: String
    }

    let entity: DraftEntity
    private let pages: [[String]]
    var memberNames: MemberNames
    /// The names that several columns would have.
    private var several: Set<String> = []
    /// The ways to objects after which all is called that is in them, as something in them has another one's name.
    private var naming: Set<[String]> = []
    private(set) var attributes: [Member] = []
    var relationships: [Member] = []
    /// The names of the attributes that identify an object.
    private(set) var identifier: [String] = []
    /// What the relationship to the record around is called; nil: there is none.
    var owner: String?

    /// - Parameter names: those that something else has already.
    init(_ entity: DraftEntity, hasRelationships: Bool = true, beside names: [String] = []) {
        self.entity = entity
        memberNames = MemberNames(names)
        pages = entity.innerPages
        noteSeveral()
        addIdentifier()
        addAttributes()
        if hasRelationships { addRelationships() }
        takeStems()
    }

    /// Takes the names of files without their endings, where these refer to something, or something to them.
    private mutating func takeStems() {
        let isKnown = entity.place.isKnownByStem
        if isKnown {
            for at in attributes.indices { attributes[at].text = FileStems.text(attributes[at].text, in: entity) }
        }
        for (at, relationship) in zip(relationships.indices, entity.relationships)
        where isKnown || FileStems.isName(relationship) {
            relationships[at].text = FileStems.text(relationships[at].text, in: entity)
        }
    }

    // MARK: Attributes

    private mutating func addIdentifier() {
        guard let own = entity.identifier else { return }
        if own.hasOwner, let owner = entity.owner { addOwner(owner) }
        for column in own.columns { addAttribute(column, isName: true) }
        for path in DraftPaths.lines(own) { addLine(path) }
        for place in own.places {
            let name = memberNames.free(["number", "position"])
            let path = DraftPaths.key(place, of: entity)
            let text = JSONText.object([("type", "\"integer\""), ("from", DraftText.quoted(path))])
            attributes.append(Member(name: name, text: text, path: path))
            identifier.append(name)
        }
    }

    /// The line in which a record stands, or the name of the file.
    private mutating func addLine(_ path: String) {
        let own = String(path.dropFirst())
        let isTaken = entity.columns.contains { $0.ownName.lowercased().isIdentical(to: own) }
        let name = memberNames.free(isTaken ? ["feed_" + own] : [own])
        let text = JSONText.object([
            ("type", DraftText.quoted(EntityMembers.type(at: path))), ("from", DraftText.quoted(path)),
        ])
        attributes.append(Member(name: name, text: text, path: path))
        identifier.append(name)
    }

    /// The type of a place in a list, of a line, or of the name of a file.
    private static func type(at path: String) -> String { path.isIdentical(to: DraftPaths.file) ? "text" : "integer" }

    /// What identifies the owner, as attributes of what is in it.
    private mutating func addOwner(_ owner: DraftEntity) {
        for (path, column) in zip(DraftPaths.identifier(of: owner, from: entity), EntityMembers.parts(of: owner)) {
            let isLine = path.isIdentical(to: DraftPaths.line) || path.isIdentical(to: DraftPaths.file)
            let last = column?.names[0].drop { $0 == "@" }.description ?? (isLine ? String(path.dropFirst()) : "number")
            let prefix = Names.lowered(owner.name)
            let isTelling =
                column.map { part in
                    !part.isKey && Names.words(part.ownName).count > 1
                        && !entity.columns.contains { $0.ownName.isIdentical(to: part.ownName) }
                } ?? false
            let own = "\(prefix)_\(["key", prefix].contains(last) ? "id" : last)"
            let name = memberNames.free((isTelling ? [last] : []) + [own])
            // The value is read as it is there: with the format of a time, too.
            let type = column.map { DraftType($0, isName: true) } ?? DraftType(EntityMembers.type(at: path))
            let members = [("type", DraftText.quoted(type.type)), ("from", DraftText.quoted(path))] + type.keys
            attributes.append(Member(name: name, text: JSONText.object(members), path: path))
            identifier.append(name)
        }
    }

    /// The columns that identify an entity, those of its owners before its own; nil stands for a place, or a line.
    static func parts(of entity: DraftEntity) -> [DraftColumn?] {
        guard let identifier = entity.identifier else { return [] }
        let above = identifier.hasOwner ? entity.owner.map { parts(of: $0) } ?? [] : []
        let places = DraftPaths.lines(identifier).count + identifier.places.count
        return above + identifier.columns.map { $0 } + Array(repeating: nil, count: places)
    }

    private mutating func addAttributes() {
        let references = entity.relationships.flatMap { relationship in
            if case .columns(let columns) = relationship.basis {
                columns
            } else {
                [relationship.column].compactMap { $0 }.filter { !$0.isNameOfRecord }
            }
        }
        for column in entity.columns where !column.isIdentifying && !references.contains(where: { $0 === column }) {
            if isAttribute(column) { addAttribute(column, isName: false) }
        }
    }

    /// Whether a column is one, unless it identifies, or refers to something.
    private func isAttribute(_ column: DraftColumn) -> Bool {
        if column.content == .inner || column.cut != nil || column.sameAs != nil { return false }
        if isInner(column) || column.isOfExcerpt || column.isFile || column.isMarkOfNull { return false }
        if column.isOfStrangers { return false }
        guard let path = column.path else { return true }
        if pages.contains(column.parent) { return false }
        let isEmbedded = entity.relationships.contains { relationship in
            if case .embedded(let member) = relationship.basis { path.starts(with: member) } else { false }
        }
        // What all records of a kind say of themselves says nothing.
        return !isEmbedded && entity.place.kind.map { path != $0.member } ?? true
    }

    /// The names that several columns would have: those in objects are called after these, too, and what is in none
    /// keeps its own.
    private mutating func noteSeveral() {
        let columns = entity.columns.filter { $0.path != nil && ($0.isOwnMember && $0.cut == nil || isAttribute($0)) }
        several = EntityMembers.repeated(columns.compactMap(\.names.first))
        let inner = columns.filter { !$0.isOwnMember && isOfSeveral($0) }
        several.formUnion(EntityMembers.repeated(inner.compactMap(\.namesBesideOthers.first)))
        naming = Set(inner.filter { !$0.isInEnvelope }.map(\.parent))
    }

    private static func repeated(_ names: [String]) -> Set<String> {
        var known: Set<String> = []
        return Set(names.map { $0.lowercased() }.filter { !known.insert($0).inserted })
    }

    func isOfSeveral(_ column: DraftColumn) -> Bool {
        column.names.first.map { several.contains($0.lowercased()) } ?? false
    }

    /// What a column may be called.
    private func names(of column: DraftColumn) -> [String] {
        guard isOfSeveral(column) || naming.contains(column.parent) else { return column.names }
        let names = column.namesBesideOthers
        return names.count > 1 && several.contains(names[0].lowercased()) ? Array(names.dropFirst()) : names
    }

    /// Whether an attribute has the object of an embedded one in which a column is.
    private func isInner(_ column: DraftColumn) -> Bool {
        guard entity.isEmbedded, let path = column.path, path.count > 1 else { return false }
        return entity.columns.contains { $0.origin == .member([path[0]]) }
    }

    private mutating func addAttribute(_ column: DraftColumn, isName: Bool) {
        let name = memberNames.free(names(of: column))
        // A number with a fraction refers to nothing.
        let isCalledSo =
            Names.rank(column.ownName, of: entity.name) < .usual
            || Names.isReference(column.ownName) && !column.areFractions
        let type = DraftType(column, isName: isName || isCalledSo && column.counts.numbers == 0)
        var members: [(String, String)] = [("type", "\"\(type.type)\"")]
        let path = column.content == .list ? path(of: column) : DraftPaths.own(column)
        if column.origin != .member([name]) { members.append(("from", DraftText.quoted(path))) }
        members += type.keys
        let mayBeNull = column.hasMarkOfNull || column.path.map { isInNull($0.dropLast()) } == true
        if mayBeNull, !isName { members.append(("onAbsent", "\"null\"")) }
        let text = members.count == 1 ? members[0].1 : JSONText.object(members)
        attributes.append(
            Member(name: name, text: text, remark: remark(column, type, isName) ?? "", path: path))
        if isName { identifier.append(name) }
    }

    private func path(of column: DraftColumn) -> String {
        if let path = column.path { return DraftPaths.member(path) }
        return DraftPaths.own(column)
    }

    /// How many records leave a member out.
    private func absent(_ column: DraftColumn) -> Int {
        column.isKey || column.origin == .record ? 0 : entity.records - column.present
    }

    private func remark(_ column: DraftColumn, _ type: DraftType, _ isName: Bool) -> String? {
        var parts = type.remark.map { [$0] } ?? []
        if !isName { parts += absences(of: column) }
        if column.repeated > 0 { parts.append("twice in \(grouped(column.repeated))") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// In how many records a value is null, or absent.
    func absences(of column: DraftColumn) -> [String] {
        guard !column.isKey, column.origin != .record else { return [] }
        let (nulls, absent) = (column.counts.nulls, absent(column))
        return (nulls > 0 && column.counts.values > nulls ? ["null in \(grouped(nulls))"] : [])
            + (absent > 0 ? ["absent in \(grouped(absent))"] : [])
    }
}
