import SluiceDefinition
import SluiceRecords

/// Writes an entity.
struct EntityWriter {
    private let entity: DraftEntity
    private let sources: [String]
    private let members: EntityMembers

    /// - Parameters:
    ///   - sources: what the sources of its records are called; none: there is only one.
    ///   - names: what members of the entity are called already.
    init(_ entity: DraftEntity, sources: [String], beside names: [String] = []) {
        self.entity = entity
        self.sources = sources
        members = EntityMembers(entity, beside: names)
    }

    var lines: [String] {
        var lines = comment(
            (entity.records == 1 ? "1 record" : "\(grouped(entity.records)) records")
                + (entity.repeats && entity.records > 1 ? ", which tell of objects again and again" : ""))
        for remark in entity.remarks + omissionRemarks + entity.sums + goings { lines += comment(remark) }
        var parts: [[String]] = []
        if !sources.isEmpty { parts.append(["\"source\": \(DraftText.list(sources))"]) }
        parts.append(["\"records\": \(DraftText.list(DraftPaths.records(of: entity)))"])
        let conditions = EntityConditions(entity).all
        if !conditions.isEmpty { parts.append(["\"where\": \(JSONText.object(conditions))"]) }
        parts.append(["\"identifier\": \(DraftText.list(members.identifier))"])
        if entity.repeats { parts.append(["\"repeats\": true"]) }
        if !ignored.isEmpty { parts.append(["\"ignore\": \(DraftText.list(ignored))"]) }
        if entity.goesByPlace, let owner = members.owner {
            parts += [["\"absent\": \"delete\""], ["\"within\": \(DraftText.quoted(owner))"]]
            // Where a list has lost its first object, all others have other places, and what is in them goes.
            if entity.owner?.goesByPlace == true { parts.append(["\"limits\": { \"deletes\": null }"]) }
        }
        return lines + object(parts + blocks(members.attributes, members.relationships))
    }

    /// What says of lists in records which part of them is there: a run is not to tell of it each night.
    private var ignored: [String] { entity.innerPages.map(DraftPaths.member) + entity.objects.cursors }

    /// What a definition lacks of an entity.
    struct Gap {
        fileprivate(set) var attributes: [EntityMembers.Member] = []
        fileprivate(set) var relationships: [EntityMembers.Member] = []

        var isEmpty: Bool { attributes.isEmpty && relationships.isEmpty }
        var names: [String] { (attributes + relationships).map(\.name) }
        var paths: [Path] { (attributes + relationships).compactMap { try? Path.parse($0.path) } }

        static func + (one: Gap, other: Gap) -> Gap {
            var both = one
            both.attributes += other.attributes
            both.relationships += other.relationships
            return both
        }
    }

    /// What a definition lacks of it.
    ///
    /// - Parameters:
    ///   - isKnown: whether the definition looks at a path already, or passes over it.
    ///   - narrow: paths of its relationships that lead to fewer entities than those of the draft.
    func gap(where isKnown: (Path) -> Bool, narrow: Set<Path> = []) -> Gap {
        func isLacking(_ member: EntityMembers.Member) -> Bool {
            guard let path = try? Path.parse(member.path) else { return true }
            return !isKnown(path)
        }
        var gap = Gap()
        gap.attributes = members.attributes.filter { isLacking($0) && !members.identifier.containsExactly($0.name) }
        gap.relationships = members.relationships.filter { member in
            isLacking(member) || (try? Path.parse(member.path)).map(narrow.contains) == true
        }
        return gap
    }

    /// The entity with nothing but what a definition lacks of it.
    func lines(of gap: Gap) -> [String] { object(blocks(gap.attributes, gap.relationships)) }

    private func blocks(_ attributes: [EntityMembers.Member], _ relationships: [EntityMembers.Member]) -> [[String]] {
        [("attributes", attributes, true), ("relationships", relationships, false)].filter { !$0.1.isEmpty }
            .map { block($0.0, $0.1, isBehind: $0.2) }
    }

    private func object(_ parts: [[String]]) -> [String] {
        var lines = ["\(JSONText.quoted(entity.name)): {"]
        for (index, part) in parts.enumerated() {
            var part = part
            if index < parts.count - 1 { part[part.count - 1] += "," }
            lines += part.map { "  " + $0 }
        }
        return lines + ["}"]
    }

    /// - Parameter isBehind: whether remarks stand behind what they are about, and not before.
    private func block(_ name: String, _ members: [EntityMembers.Member], isBehind: Bool) -> [String] {
        var lines = ["\"\(name)\": {"]
        for (index, member) in members.enumerated() {
            let line = "  \(JSONText.quoted(member.name)): \(member.text)" + (index < members.count - 1 ? "," : "")
            if isBehind {
                lines.append(line + (member.remark.isEmpty ? "" : "  // " + member.remark.printable))
            } else {
                if !member.remark.isEmpty { lines += comment(member.remark).map { "  " + $0 } }
                lines.append(line)
            }
        }
        return lines + ["}"]
    }

    /// What becomes of objects that are identified by a place which the feed has no longer.
    private var goings: [String] {
        if entity.goesByPlace, let owner = entity.owner, members.owner != nil {
            return ["what \(owner.name) no longer has at its place goes (\"absent\")"]
        }
        if staysWithOwner, let owner = entity.owner, let name = members.owner {
            return [
                "what \(owner.name) no longer has stays: \"absent\": \"delete\" with \"within\": \(quoted(name)) removes it"
                    + " (deletions.md)"
            ]
        }
        guard entity.identifier?.hasIndex == true, entity.owner == nil else { return [] }
        return [
            "where a feed is shorter than the one before, objects stay that it no longer has: \"absent\": \"delete\""
                + " removes them (deletions.md)"
        ]
    }

    /// Whether objects are a part of the record around them, and would stay where that has them no longer.
    private var staysWithOwner: Bool {
        guard let identifier = entity.identifier, identifier.hasOwner, let owner = entity.owner else { return false }
        return !entity.repeats && !entity.isInTree && !owner.isDropped && !owner.repeats && entity.place.others.isEmpty
            && entity.place.otherFeeds.isEmpty
    }

    /// What of the records is not drafted.
    private var omissionRemarks: [String] {
        var sentences: [String] = []
        if entity.omissions.hasHeader { sentences.append("the first list names the columns: \"where\" leaves it out") }
        if entity.place.isOneOrMany {
            sentences.append("one object, or a list of several: \"where\" passes over the lists themselves")
        } else if entity.omissions.strangers > 0, !entity.isEmbedded, entity.leavesOutStrangers {
            let one = entity.omissions.strangers == 1
            sentences.append(
                "\(grouped(entity.omissions.strangers)) other \(one ? "value" : "values") among them \(one ? "is" : "are") no"
                    + " \(one ? "object" : "objects"): \"where\" leaves \(one ? "it" : "them") out")
        }
        if let rows = entity.omissions.nonRecords { sentences.append(rows.remark) }
        if entity.omissions.blankRows > 0 {
            let one = entity.omissions.blankRows == 1
            sentences.append(
                "\(grouped(entity.omissions.blankRows)) \(one ? "row" : "rows") without a value: \"where\" leaves"
                    + " \(one ? "it" : "them") out")
        }
        let pages = entity.innerPages.map { quoted($0.joined(separator: ".")) }
        if !pages.isEmpty {
            sentences.append(
                "\(listed(pages)) \(pages.count == 1 ? "says" : "say") whether a list in the record has further pages, and no"
                    + " attribute does: a second source asks for these (services.md, one request for each)")
        }
        if entity.omissions.members > 0 {
            let most = entity.omissions.records
            sentences.append(
                "they have about \(grouped(entity.omissions.members)) more members, which are no attributes here: each is in"
                    + " at most \(grouped(most)) \(most == 1 ? "record" : "records")")
        }
        return sentences
    }
}
