// Where the values of a column are, and what it may be called.
extension DraftColumn {
    /// The members that lead to it from the record; nil: it is no member.
    var path: [String]? { if case .member(let path) = origin { path } else { nil } }

    /// The members that lead to the object that has it; none: it is the record, or it is no member.
    var parent: [String] { path?.dropLast() ?? [] }

    /// Whether it is a member of the record itself.
    var isOwnMember: Bool { path?.count == 1 }

    /// Whether it is a member, or something in it.
    func isIn(_ path: [String]) -> Bool { self.path?.starts(with: path) ?? false }

    /// Whether it is a member of an object in the record, or of what is in that.
    func isMember(in path: [String]) -> Bool { isIn(path) && origin != .member(path) }

    /// Whether the last part of its path is a member called so.
    func isMember(_ name: String) -> Bool { path?.last == name }

    /// Whether it is a part of what identifies the records.
    var isIdentifying: Bool { entity.identifier?.columns.contains { $0 === self } ?? false }

    /// Whether it is in an object that is a record itself, told in short.
    var isOfExcerpt: Bool { entity.objects.excerpts.contains { isIn($0) } }

    /// Whether it says what people call its record, in one language or in several: `name`, `localised_name.en`.
    var isNameOfRecord: Bool {
        guard content == .scalar, cut == nil, !isKey, let path, let last = path.last else { return false }
        if path.count == 1 { return Names.isName(last) }
        return last.utf8.count == 2 && Names.words(path[path.count - 2]).last.map(Names.isName) ?? false
    }

    /// Whether it says of which kind, version or language a record is.
    var isOfVersions: Bool {
        isOwnMember && content == .scalar && cut == nil && facts.sketch.distinct > 1.5
            && (KindLog.names.contains(ownName) || DraftColumn.versions.contains(ownName.lowercased()) || isOfLanguage)
    }

    /// Whether it refers to the language that a record is in: `local_language_id`.
    var isOfLanguage: Bool { meaning.isReference && meaning.member.base.last == "language" }

    private static let versions: Set = ["version", "lang", "language", "locale", "edition", "variant"]

    /// The members that lead to it, but for those at the end that only say of which type the value is, as exports of
    /// document stores have it: `{ "_id": { "$oid": "65…" }, "total": { "N": "9.5" }, "at": { "$date": { … } } }`.
    var telling: [String]? {
        guard let path, path.count > 1, let last = path.last, DraftColumn.isWrapper(last) else { return path }
        var rest = path
        while rest.count > 1, let last = rest.last, DraftColumn.isWrapper(last), isAlone(in: rest.dropLast()) {
            rest.removeLast()
        }
        // DynamoDB says of objects on the way that they are some, too, and Firestore: `"mapValue": { "fields": … }`.
        if rest.count == path.count || last.hasPrefix("$") { return rest }
        return rest.indices.filter { index in
            let isInner = index > 0 && rest[index - 1].isIdentical(to: "mapValue")
            return !rest[index].isIdentical(to: "M") && !rest[index].isIdentical(to: "mapValue")
                && !(isInner && rest[index].isIdentical(to: "fields"))
        }.map { rest[$0] }
    }

    /// Whether an object has no other value, but perhaps one that says that there is none.
    private func isAlone(in parent: [String]) -> Bool {
        !entity.columns.contains { other in
            other !== self && other.cut == nil && other.isIn(parent) && other.origin != origin && !other.isMarkOfNull
        }
    }

    /// Whether a member is called as the types of MongoDB's exports, of DynamoDB's, and of Firestore's.
    private static func isWrapper(_ name: String) -> Bool {
        name.utf8.first == UInt8(ascii: "$") && name.utf8.count > 1 || wrappers.contains { name.isIdentical(to: $0) }
    }

    private static let wrappers = [
        "S", "N", "B", "BOOL", "SS", "NS", "BS", "L", "M", "NULL",
        "stringValue", "integerValue", "doubleValue", "booleanValue", "timestampValue", "referenceValue", "bytesValue",
    ]

    /// Whether it only says that there is no value, as DynamoDB has it: `{ "NULL": true }` beside `{ "S": "…" }`.
    var isMarkOfNull: Bool {
        guard let path, path.count > 1, path[path.count - 1].isIdentical(to: "NULL"), counts.booleans > 0 else {
            return false
        }
        return counts.booleans == counts.values && entity.columns.contains { $0 !== self && $0.parent == parent }
    }

    /// Whether another value stands in its place where it is null.
    var hasMarkOfNull: Bool {
        guard let last = path?.last, DraftColumn.isWrapper(last), !isMarkOfNull else { return false }
        return entity.columns.contains { $0.parent == parent && $0.isMarkOfNull }
    }

    /// Whether it is called as a time is, by its name or by its type.
    var isCalledTime: Bool { Names.mayBeTime(ownName) || path?.contains("$date") ?? false }

    /// Likewise, or after the unit of its numbers, which are moments if they can be.
    var isCalledMoment: Bool { isCalledTime || Names.isOfMoment(ownName) }

    /// Whether the last member says that texts are numbers: `{ "$numberLong": "5" }`, `{ "N": "9.5" }`.
    var isWrappedNumber: Bool {
        guard let last = path?.last, telling?.count != path?.count else { return false }
        return last.hasPrefix("$number") || ["N", "integerValue", "doubleValue"].contains { last.isIdentical(to: $0) }
    }

    /// What it may be called, the best first.
    var names: [String] {
        switch origin {
        case .record: return ["value"]
        case .inner(let list, let name): return [list.joined(separator: "_"), name]
        case .item(let path, let name, let index):
            return [name, path.isEmpty ? "column\(index)" : path.joined(separator: "_") + "_" + name]
        case .key where isFile: return ["file"]
        case .key(let steps):
            let own = steps == entity.place.steps.count ? "key" : nil
            let above = ShapeStep.members(entity.place.steps[..<(steps - 1)]).last
            let group = above.map { Names.singular($0) }
            return [own, group.map { $0 + "_key" }, "group"].compactMap { $0 }
        case .member(let own):
            let path = namePath ?? own
            guard path.count > 1 else { return path }
            if let inner = pathInEnvelope(path) { return DraftColumn.names(of: inner) + [path.joined(separator: "_")] }
            return DraftColumn.names(of: path)
        }
    }

    /// What values at a path may be called, the best first.
    private static func names(of path: [String]) -> [String] {
        guard path.count > 1 else { return path }
        let last = path[path.count - 1]
        if last.hasPrefix("@") { return [(path.dropLast() + [String(last.dropFirst())]).joined(separator: "_")] }
        let joined = path.joined(separator: "_")
        let generic = ["id", "name", "type", "code", "value", "url", "key", "title"]
        let saysNothing = generic.contains(last.lowercased()) || last.utf8.first?.isDigit == true
        return saysNothing ? [joined] : [last, joined]
    }

    /// What formats put around all that a record says, beside its identifier: JSON:API, GeoJSON, Airtable and Jira, and
    /// Elasticsearch.
    static let envelopes: Set = ["attributes", "properties", "fields", "_source", "relationships"]

    /// Whether it is in an object that has all that a record says, which gives no name.
    var isInEnvelope: Bool { namePath.flatMap(pathInEnvelope) != nil }

    /// The path in the object that has all that a record says; nil: it is in none, or the record says something, too.
    private func pathInEnvelope(_ path: [String]) -> [String]? {
        guard path.count > 1, DraftColumn.envelopes.contains(path[0]), entity.hasEnvelope else { return nil }
        // What JSON:API has between the name of a reference and what it refers to.
        let isReference = path[0] == "relationships" && path.count > 3 && path[2] == "data"
        return isReference ? [path[1]] + path[3...] : Array(path[1...])
    }

    /// The members that it is called after; nil: it is none.
    var namePath: [String]? {
        guard var all = telling else { return nil }
        // Converters of XML write a text as that of an element, beside its attributes.
        if all.count > 1, all[all.count - 1].isIdentical(to: "#text") { all.removeLast() }
        return entity.place.isOfEdges && all.count > 1 && all[0] == "node" ? Array(all.dropFirst()) : all
    }

    /// What it may be called where another column has its name, too: after the object that it is in, unless it is a
    /// member of the record.
    var namesBesideOthers: [String] {
        guard let path = namePath, path.count > 1, names.count > 1 else { return names }
        return [path.suffix(2).joined(separator: "_"), path.joined(separator: "_")]
    }
}

extension DraftColumn.Origin {
    /// The names that lead to the value in a record; nil: it is none of a member.
    var members: [String]? {
        switch self {
        case .member(let path): path
        case .item(let path, let name, _): path + [name]
        case .key, .record, .inner: nil
        }
    }
}
