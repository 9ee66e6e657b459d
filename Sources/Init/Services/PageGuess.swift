import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords

/// How an answer of a web service says that it is one of several pages: by what services call such members.
struct PageGuess {
    /// As `pages` of a source has it; empty: only a sentence is told.
    private(set) var members: [(String, String)] = []
    private(set) var remark: String
    /// Whether it is that of another answer of the service.
    private(set) var isOfAnother = false
    /// Whether the answer itself says that there is more than it holds.
    private(set) var isPartial = true

    /// The remark, without what it says of a run.
    var fact: String {
        let ends = ["; ", ": a run ", ": see "].compactMap { remark.firstRange(of: $0)?.lowerBound }
        return String(remark[..<(ends.min() ?? remark.endIndex)])
    }

    /// More of an answer is not looked at.
    static let mostBytes = 32 << 20
    /// Objects in objects, so deep.
    private static let mostLevels = 3

    /// A member that is in no list.
    struct Member {
        var path: [String]
        var value: JSONNode
        /// Its name in small letters, without what stands between words.
        var name: String
        /// Likewise, that of the object that has it.
        var parent: String

        var text: String? {
            switch value.kind {
            case .string(let text): text
            case .number(let text): text
            default: nil
            }
        }
    }

    /// Nil: nothing says so.
    ///
    /// - Parameters:
    ///   - body: the answer; nil: it is not known, or no JSON.
    ///   - hasLink: whether its header `Link` has a next page.
    ///   - query: what its address asks for.
    init?(_ body: JSONNode?, hasLink: Bool, query: [PageGuess.Parameter] = []) {
        let found = body.map { PageGuess.all(of: $0) } ?? []
        let more = found.first { PageGuess.saysMore($0) }
        if let next = found.first(where: { PageGuess.isAddress($0) }) {
            members = [("next", PageGuess.path(next.path))] + PageGuess.more(more)
            remark = "the answer has the address of the next page"
            if let total = PageGuess.total(beside: next, found, body) {
                members.append(("total", PageGuess.path(total.path)))
                remark += ", and says that there are \(total.text ?? "") records"
                remark += " (\(total.path.joined(separator: "."))): a run that gets fewer fails"
            }
        } else if hasLink {
            members = [("link", "\"next\"")]
            remark = "the answer's header Link has the address of the next page"
        } else if let path = found.lazy.compactMap({ PageGuess.nextLink($0) }).first {
            members = [("next", DraftText.quoted(path.description))]
            remark = "the answer has the address of the next page in a list of links"
        } else if let (cursor, parameter) = found.lazy.compactMap({ PageGuess.cursor($0, found) }).first {
            members = [("cursor", PageGuess.path(cursor.path)), ("parameter", DraftText.quoted(parameter))]
            members += more == nil ? PageGuess.end(found) : PageGuess.more(more)
            remark = "the answer has a cursor of the next page; what the parameter is called is guessed"
        } else if let asked = PageGuess.asked(query, found, body) {
            members = asked.members
            remark = asked.remark
        } else if let counted = PageGuess.counted(found, body) {
            members = counted.members
            remark = counted.remark
        } else if let numbered = PageGuess.numbered(found) {
            members = numbered.members
            remark = numbered.remark
        } else if let more, case .boolean(true) = more.value.kind {
            remark = "the answer says that there is another page (\(more.path.joined(separator: ".")))"
            if let offset = PageGuess.offset(beside: more, found) {
                members = offset + PageGuess.more(more)
                remark += "; that the parameters are called as its members, is guessed"
            } else if let list = PageGuess.listOfIdentified(body) {
                members = [("cursor", PageGuess.path([list, "-1", "id"])), ("parameter", "\"starting_after\"")]
                members += PageGuess.more(more)
                remark += "; that the last id leads there, and how the parameter is called, is guessed"
                if !query.contains(where: { $0.name == "limit" }) {
                    remark += "; a page has few records unless the address says how many: limit=100, as a rule"
                }
            } else {
                members = [("number", "\"page\""), ("more", PageGuess.path(more.path))]
                remark += "; that a parameter page counts the pages, and how it is called, is guessed"
            }
        } else if let (total, count) = PageGuess.total(found, body) {
            remark =
                "the answer says that there are \(grouped(Int(total.text ?? "") ?? 0)) (\(total.path.joined(separator: ".")))"
                + " and holds \(grouped(count)): see \"pages\" of sources (services.md)"
        } else if let why = PageGuess.sign(found, body) {
            remark = "\(why): see \"pages\" of sources (services.md)"
        } else {
            return nil
        }
    }

    /// The pages of an answer of the same service.
    ///
    /// - Parameters:
    ///   - location: where that answer is from.
    ///   - own: what the answer says itself; nil: nothing.
    init(like other: PageGuess, of location: String, own: PageGuess?) {
        (members, isOfAnother, isPartial) = (other.members, true, own != nil)
        let guess = "that there are pages as of \(location) is guessed"
        remark = own.map { "\($0.remark); \(guess)" } ?? "it names no next page today, and \(guess)"
    }

    // MARK: What members are called

    /// The members at the top of an answer, or of the object with which it begins where the records follow.
    private static func all(of body: JSONNode) -> [Member] {
        guard case .array(let elements) = body.kind, let head = pageHead(elements) else {
            return members(of: body, [], "")
        }
        return members(of: head, [firstElement], "")
    }

    private static func members(of node: JSONNode, _ path: [String], _ parent: String) -> [Member] {
        guard case .object(let members) = node.kind, path.count < mostLevels else { return [] }
        // Those at the top come first.
        let own = members.map { member in
            Member(
                path: path + [member.key], value: member.value, name: NextPageNames.plain(member.key), parent: parent)
        }
        return own + own.flatMap { PageGuess.members(of: $0.value, $0.path, $0.name) }
    }

    /// Whether a member has the address of the next page.
    private static func isAddress(_ found: Member) -> Bool {
        guard case .string(let text) = found.value.kind else { return false }
        return NextPageNames.isAddress(found.name, in: found.parent, text)
    }

    private static func saysMore(_ found: Member) -> Bool {
        guard case .boolean = found.value.kind else { return false }
        return found.name == "more" || NextPageNames.saysMore(found.name)
    }

    /// What says that an answer is all that there is, if it does not say that.
    private static func end(_ found: [Member]) -> [(String, String)] {
        PageGuess.incomplete(found).map { [("end", path($0.path))] } ?? []
    }

    private static func more(_ found: Member?) -> [(String, String)] {
        found.map { [("more", path($0.path))] } ?? []
    }

    /// The only list at the top, whose objects have an `id`, of an answer that says it is a list.
    private static func listOfIdentified(_ body: JSONNode?) -> String? {
        guard let body, case .string("list")? = body["object"]?.kind, case .array(let elements)? = body["data"]?.kind,
            elements.last?["id"] != nil
        else { return nil }
        return "data"
    }

    /// How many there are in all, as the object says it that has the address of the next page: elsewhere, it may be a
    /// sum, or an estimate.
    private static func total(beside next: Member, _ found: [Member], _ body: JSONNode?) -> Member? {
        guard let total = total(found, body)?.0, total.path.dropLast() == next.path.dropLast() else { return nil }
        return exact.contains(total.name) ? total : nil
    }

    private static let exact: Set = ["count", "odatacount", "total", "totalcount", "totalsize"]

    /// How many there are in all, and how many the longest list has.
    static func total(_ found: [Member], _ body: JSONNode?) -> (Member, count: Int)? {
        let lists = found.map(\.value) + PageGuess.outer(body)
        let longest = lists.map { if case .array(let elements) = $0.kind { elements.count } else { 0 } }.max() ?? 0
        let all = found
        let total = found.first { found in
            guard isCount(found, all), case .number(let text) = found.value.kind else { return false }
            return (Int(text) ?? 0) > longest
        }
        guard let total, longest > 1 else { return nil }
        return (total, longest)
    }

    /// A path of the definition, as JSON.
    static func path(_ names: [String]) -> String {
        let steps: [Path.Step] = names.map { $0 == "-1" ? .index(-1) : $0 == firstElement ? .index(0) : .name($0) }
        return DraftText.quoted(Path(root: .feed, steps: steps).description)
    }
}
