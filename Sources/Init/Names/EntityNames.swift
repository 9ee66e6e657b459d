import SluiceDefinition
import SluiceRecords

/// Gives entities their names.
struct EntityNames {
    private var taken: Set<String> = []

    /// Gives each of them a name.
    ///
    /// - Parameters:
    ///   - feeds: what each feed holds, by its name.
    ///   - folders: likewise, what a folder holds whose files are called alike; nil: there is none.
    mutating func name(_ entities: [DraftEntity], feeds: [String], folders: [String?]) {
        // Those above first, as others are called after them; what is hardly one takes no other's name.
        let last = entities.filter { $0.isSingle || $0.isOfGroups }
        let first = entities.filter { !$0.isSingle && !$0.isOfGroups }
        for entity in first.sorted(by: { $0.place.steps.count < $1.place.steps.count }) + last {
            // A record that is a file by itself is one of the folder's.
            let isFile = entity.place.steps == [.file] && entity.place.fileNames == .same
            let feed = (isFile ? folders[entity.place.feed] : nil) ?? feeds[entity.place.feed]
            let names = candidates(entity, feed: feed, count: entities.count)
            entity.name = free(
                ofFile(entity, feeds[entity.place.feed], entities) + inner(entity, among: entities)
                    + EntityNames.beside(entity, among: entities) + names)
        }
    }

    /// Names one more, by the first of some names that is free.
    mutating func name(_ entity: DraftEntity, like names: [String]) { entity.name = free(names) }

    /// Calls one whose records stand at several places by what the names of all these end with: `homeTeam` and
    /// `awayTeam` have a team.
    mutating func rename(_ entity: DraftEntity) {
        let names = ([entity.place.steps] + entity.place.others).map { steps in
            ShapeStep.members(steps).last.map { Names.words(Names.referred($0)) } ?? []
        }
        var ending = names[0]
        for name in names.dropFirst() {
            let common = zip(ending.reversed(), name.reversed()).prefix { $0.lowercased() == $1.lowercased() }.count
            ending = ending.suffix(common)
        }
        guard !ending.isEmpty, names.allSatisfy({ $0.count > ending.count }) else { return }
        let own = ending.joined(separator: "_")
        guard !Names.isGeneric(own), Names.rank(own, of: "") == .other else { return }
        let name = Names.entity(own)
        if NameChecks.wrong(name) == nil, taken.insert(name.lowercased()).inserted { entity.name = name }
    }

    /// The name of the record that each file is, where the records of a list in it are called as the feed is:
    /// `releases` of `releases.json`.
    private func ofFile(_ entity: DraftEntity, _ feed: String, _ entities: [DraftEntity]) -> [String] {
        guard entity.place.steps == [.file] else { return [] }
        let isTaken = entities.contains { other in
            guard other.owner === entity, !other.isEmbedded,
                case .member(let list)? = other.place.steps.last(where: { $0 != .element })
            else { return false }
            return Names.entity(list).isIdentical(to: Names.entity(feed))
        }
        return isTaken ? [Names.entity(feed) + "File"] : []
    }

    /// The name of a list whose own says little, `items`, where others stand beside it: then the document is not about
    /// these alone.
    private static func beside(_ entity: DraftEntity, among entities: [DraftEntity]) -> [String] {
        guard let list = top(entity), ["items", "features", "entries"].contains(list.lowercased()) else { return [] }
        let hasOthers = entities.contains { other in
            other !== entity && other.place.feed == entity.place.feed && !other.isSingle
                && top(other).map { !Names.isGeneric($0) } ?? false
        }
        return hasOthers ? [Names.entity(list)] : []
    }

    /// What a list of records at the top of a document is called; nil: it is none.
    private static func top(_ entity: DraftEntity) -> String? {
        entity.owner == nil && !entity.isEmbedded && entity.place.kind == nil && entity.place.names.count == 1
            ? entity.place.names[0] : nil
    }

    /// The name of a list in a member of a record, where other members of the record have a list that is called so,
    /// too: `sdk.files` and `runtime.files`.
    private func inner(_ entity: DraftEntity, among entities: [DraftEntity]) -> [String] {
        guard let place = EntityNames.place(of: entity), !Names.isGeneric(place.list) else { return [] }
        let hasOthers = entities.contains { other in
            guard other !== entity, other.owner === entity.owner, other.place.feed == entity.place.feed,
                let owner = entity.owner
            else { return false }
            // The list may be a member of the record, too.
            guard let its = EntityNames.place(of: other) else {
                return ShapeStep.members(other.place.steps(from: owner.place)) == [place.list]
            }
            return its.list.isIdentical(to: place.list) && !its.member.isIdentical(to: place.member)
        }
        return hasOthers ? [Names.entity(place.member) + Names.entity(place.list)] : []
    }

    /// What a list in a record is called, and the member of the record that has it; nil: the list is a member itself.
    private static func place(of entity: DraftEntity) -> (member: String, list: String)? {
        guard let owner = entity.owner, entity.place.kind == nil, !entity.isTree, !entity.isEmbedded,
            !entity.place.isOfEdges
        else { return nil }
        let names = ShapeStep.members(entity.place.steps(from: owner.place))
        guard names.count > 1, names[names.count - 2].contains(where: \.isLetter) else { return nil }
        return (names[names.count - 2], names[names.count - 1])
    }

    private func candidates(_ entity: DraftEntity, feed: String, count: Int) -> [String] {
        if let (member, kind) = entity.place.kind {
            return [EntityNames.bare(kind, of: member), kind, feed + "_" + kind].map(Names.entity)
        }
        // The levels of a tree are called as the object at its top, if there is one.
        let steps =
            entity.isTree && entity.place.nodes.count > 1 ? Array(entity.place.steps.dropLast(2)) : entity.place.steps
        let all = steps.count == entity.place.steps.count ? entity.place.names : ShapeStep.members(steps)
        let members = all.filter { !Names.isGeneric($0) && $0.contains(where: \.isLetter) }
        let last = entity.isEmbedded ? members.last.map(Names.referred) : members.last
        let own = last ?? (entity.owner == nil ? entity.only : nil) ?? feed
        let above = members.count > 1 ? members[members.count - 2] : feed
        let owner = entity.owner?.name ?? Names.entity(above)
        let isOwned =
            entity.owner.map {
                $0.place.steps.count > entity.place.steps.lastIndex { $0 == .member(members.last ?? own) } ?? 0
            }
            ?? false
        // A list of lists, and the like, in an owner of the same name, and a list whose name says nothing.
        if isOwned || members.isEmpty && entity.owner != nil {
            let list = entity.place.names.last { $0.contains(where: \.isLetter) } ?? "part"
            return [owner + Names.entity(list), owner + "Part", owner + Names.entity(own)]
        }
        return [
            Names.entity(own), own == feed ? Names.entity(own) : owner + Names.entity(own),
            own == feed ? Names.entity(own) : Names.entity(feed) + Names.entity(own),
        ]
    }

    /// A kind without what only says that it is one of an extension, or of which application: `x-tool`, `shop.order`.
    private static func bare(_ kind: String, of member: [String]) -> String {
        if member == [KindLog.model] { return kind.split(separator: ".").last.map(String.init) ?? kind }
        let words = Names.words(kind)
        return words.first?.lowercased() == "x" && words.count > 1 ? words.dropFirst().joined(separator: "_") : kind
    }

    private mutating func free(_ names: [String]) -> String {
        let usable = names.map(Names.visible).map { NameChecks.wrong($0) == nil ? $0 : "Record" + $0 }
        for name in usable where taken.insert(name.lowercased()).inserted { return name }
        var number = 2
        while !taken.insert((usable[0] + String(number)).lowercased()).inserted { number += 1 }
        return usable[0] + String(number)
    }
}
