import SluiceExtract
import SluiceFetch
import SluiceRecords

// What leads to a page under many names, or is no path of a definition.
extension PageGuess {
    /// The step to the first element of an answer that is a list.
    static let firstElement = "[0]"

    /// The object with which an answer begins whose records are a list behind it; nil: it is another one.
    static func pageHead(_ elements: [JSONNode]) -> JSONNode? {
        guard elements.count == 2, case .object = elements[0].kind, case .array = elements[1].kind else { return nil }
        return elements[0]
    }

    /// The lists that are no members.
    static func outer(_ body: JSONNode?) -> [JSONNode] {
        guard let body else { return [] }
        guard case .array(let elements) = body.kind, pageHead(elements) != nil else { return [body] }
        return [elements[1]]
    }

    /// By what a cursor is called, what its parameter is, as words.
    private static let cursors: [String: [String]] = [
        "nextcursor": ["cursor"], "cursor": ["cursor"], "nextpagetoken": ["page", "token"],
        "nexttoken": ["next", "token"], "nextcontinuationtoken": ["continuation", "token"],
        "continuationtoken": ["continuation", "token"], "continuation": ["continuation"], "aftercursor": ["after"],
        "endcursor": ["after"], "scrollid": ["scroll", "id"], "nextpage": ["page"], "nextoffset": ["offset"],
        "nextstart": ["start"], "nextmarker": ["marker"], "bookmark": ["bookmark"],
    ]

    /// Nil: a member has no cursor.
    ///
    /// - Parameter all: all of the answer.
    static func cursor(_ found: Member, _ all: [Member]) -> (Member, parameter: String)? {
        guard let text = found.text, !text.isEmpty else { return nil }
        var words = cursors[found.name]
        if found.name == "after", found.parent == "next" || NextPageNames.isAfter(found.name, in: found.parent) {
            words = ["after"]
        }
        // A number counts, and says nothing of the next page.
        if found.name == "offset", case .string = found.value.kind { words = ["offset"] }
        if NextPageNames.isContinue(found.name, in: found.parent) { words = ["continue"] }
        if let own = ownName(found, all) { return (found, own) }
        if NextPageNames.isNext(found.name, in: found.parent) {
            let isNumber = if case .number = found.value.kind { true } else { false }
            if isNumber { return (found, "page") }
            let holder = found.path.dropLast().last ?? ""
            return (found, NextPageNames.plain(holder) == "pagetoken" ? holder : "cursor")
        }
        guard let words else { return nil }
        let hasMarks = found.path.last?.utf8.contains(UInt8(ascii: "_")) == true
        let rest = words.dropFirst().map { word in
            hasMarks ? "_" + word : word.prefix(1).uppercased() + word.dropFirst()
        }
        return (found, words[0] + rest.joined())
    }

    /// What a parameter is called that is called as its member, or nearly so; nil: none is.
    private static func ownName(_ found: Member, _ all: [Member]) -> String? {
        guard let name = found.path.last else { return nil }
        if found.path.count == 2, NextPageNames.continues(found.name, in: found.parent) { return name }
        func isBeside(_ other: Member) -> Bool { other.path.dropLast() == found.path.dropLast() }
        if found.name == "marker", all.contains(where: { isTruncated($0) && isBeside($0) }) {
            return name.prefix(1).lowercased() + name.dropFirst()
        }
        if ["lastid", "lastkey"].contains(found.name), let other = incomplete(all), isBeside(other) { return name }
        return nil
    }

    private static func isTruncated(_ found: Member) -> Bool {
        guard case .boolean(true) = found.value.kind else { return false }
        return NextPageNames.saysMore(found.name)
    }

    /// The member that says that the answer is not all that there is.
    static func incomplete(_ found: [Member]) -> Member? {
        found.first { one in
            guard case .boolean(false) = one.value.kind else { return false }
            return NextPageNames.saysComplete(one.name)
        }
    }

    /// Whether a member may say how many records there are.
    ///
    /// - Parameter all: all of the answer.
    static func isCount(_ found: Member, _ all: [Member]) -> Bool {
        if found.name == "of" {
            return all.contains {
                ["from", "to"].contains($0.name) && $0.path.dropLast() == found.path.dropLast()
            }
        }
        return ["count", "odatacount", "totalsize"].contains(found.name) || NextPageNames.isRecordCount(found.name)
            || found.name == "value" && found.parent == "total"
    }

    // MARK: What no `pages` can follow

    /// How an answer says that there is more, where nothing says how that is asked for; nil: it does not.
    static func sign(_ found: [Member], _ body: JSONNode?) -> String? {
        if let key = found.first(where: { isKey($0) }) {
            return "the answer says that there is another page (\(named(key))), for which it is asked with an object"
        }
        guard holdsList(found) else { return nil }
        if let rest = found.first(where: { isRest($0) }) {
            return "the answer says that \(rest.text ?? "") more remain (\(named(rest)))"
        }
        guard let part = incomplete(found), found.contains(where: { speaksOfPages($0.name) }) else { return nil }
        return "the answer may be a part of what there is (\(named(part)): false)"
    }

    private static func named(_ found: Member) -> String { found.path.joined(separator: ".") }

    /// The path of the next page's address in a list of links; nil: the member is none that has it.
    static func nextLink(_ found: Member) -> Path? {
        guard NextPageNames.links.containsExactly(found.name), case .array(let links) = found.value.kind else {
            return nil
        }
        return links.lazy.compactMap { nextLink($0, found.path) }.first
    }

    private static func nextLink(_ link: JSONNode, _ list: [String]) -> Path? {
        guard case .object(let members) = link.kind,
            let relation = members.first(where: { ["rel", "relation"].containsExactly($0.key) }),
            let text = relation.value.text, text.lowercased().isIdentical(to: "next"),
            let target = members.first(where: { NextPageNames.isTarget($0.key) && $0.value.text != nil })
        else { return nil }
        let own = Path(root: .record, steps: [.name(relation.key)])
        let steps: [Path.Step] = [.filter(.compares(own, .equal, .text(text))), .name(target.key)]
        return Path(root: .feed, steps: list.map { $0 == firstElement ? .index(0) : .name($0) } + steps)
    }

    private static func isKey(_ found: Member) -> Bool {
        guard found.name.isIdentical(to: NextPageNames.lastKey) else { return false }
        switch found.value.kind {
        case .object(let members): return !members.isEmpty
        case .string(let text): return !text.isEmpty
        default: return false
        }
    }

    private static func isRest(_ found: Member) -> Bool {
        guard NextPageNames.mayBeRest(found.name, in: found.parent), case .number(let text) = found.value.kind else {
            return false
        }
        return (Int(text) ?? 0) > 0
    }

    private static func holdsList(_ found: [Member]) -> Bool {
        found.contains { one in if case .array(let elements) = one.value.kind { elements.count > 1 } else { false } }
    }
}
