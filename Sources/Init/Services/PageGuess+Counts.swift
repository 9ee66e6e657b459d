import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords

// Answers that repeat by which parameters they were asked for.
extension PageGuess {
    /// What services call the number of the records before a page.
    private static let offsets = ["offset", "startindex", "startat", "skip"]
    /// What they call how many records a page has, at the most.
    private static let limits = [
        "limit", "resultsperpage", "itemsperpage", "maxresults", "perpage", "pagesize", "count",
    ]

    /// Whether a member that is called so says where a page begins, how long it is or which one it is.
    static func speaksOfPages(_ name: String) -> Bool { (offsets + limits + numbers).containsExactly(name) }

    /// The pages of an answer that says where it begins and how long it is, as the service was asked or by itself, and
    /// that there are more records than it holds; nil: it does not say so.
    static func counted(_ found: [Member], _ body: JSONNode?) -> (members: [(String, String)], remark: String)? {
        guard let (total, count) = total(found, body), let offset = number(offsets, in: found, beside: total),
            offset.value == 0, let limit = number(limits, in: found, beside: total), limit.value >= count
        else { return nil }
        let size = JSONText.array([DraftText.quoted(limit.name), String(limit.value)])
        let members = [
            ("offset", DraftText.quoted(offset.name)), ("limit", size), ("total", path(total.path)),
        ]
        let remark =
            "the answer says where it begins (\(offset.name)), and that there are \(total.text ?? "") records, of which it"
            + " holds \(grouped(count)); that the parameters are called as its members, is guessed"
        return (members, remark)
    }

    /// The pages of an answer that says that there are more, beside where it begins and how long it is; nil: it does
    /// not say both.
    static func offset(beside more: Member, _ found: [Member]) -> [(String, String)]? {
        guard let offset = number(offsets, in: found, beside: more), offset.value == 0,
            let limit = number(limits, in: found, beside: more), limit.value > 0
        else { return nil }
        let size = JSONText.array([DraftText.quoted(limit.name), String(limit.value)])
        return [("offset", DraftText.quoted(offset.name)), ("limit", size)]
    }

    /// A parameter of an address.
    struct Parameter {
        var name: String
        var value: String
    }

    /// The parameters in the query of an address that are called as words are.
    static func query(of address: String) -> [Parameter] {
        guard let query = address.split(separator: "?", maxSplits: 1).dropFirst().first else { return [] }
        return query.prefix { $0 != "#" }.split(separator: "&").compactMap { member in
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }) else {
                return nil
            }
            return Parameter(name: String(parts[0]), value: String(parts[1]))
        }
    }

    /// The pages of an answer that says that there are more records than it holds, where its address asks for the first
    /// page; nil: one of both does not say so, or the answer says that it is another page.
    static func asked(
        _ query: [Parameter], _ found: [Member], _ body: JSONNode?
    ) -> (members: [(String, String)], remark: String)? {
        guard let (total, count) = total(found, body) else { return nil }
        func parameter(_ names: [String]) -> (name: String, value: Int)? {
            let own = query.first { names.contains(NextPageNames.plain($0.name)) }
            return own.flatMap { own in Int(own.value).map { (own.name, $0) } }
        }
        var members: [(String, String)] = []
        if let page = parameter(numbers), (0...1).contains(page.value),
            number(numbers, in: found, beside: total).map({ $0.value == page.value }) ?? true
        {
            members = [("number", DraftText.quoted(page.name))] + (page.value == 0 ? [("first", "0")] : [])
        } else if let offset = parameter(offsets), offset.value == 0, let limit = parameter(limits),
            limit.value == count
        {
            let size = JSONText.array([DraftText.quoted(limit.name), String(limit.value)])
            members = [("offset", DraftText.quoted(offset.name)), ("limit", size)]
        }
        guard !members.isEmpty else { return nil }
        let remark =
            "its address asks for the first page, and the answer says that there are \(total.text ?? "") records"
            + " (\(total.path.joined(separator: "."))), of which it holds \(grouped(count))"
        return (members + [("total", path(total.path))], remark)
    }

    /// What services call the number of a page, and how many pages there are.
    private static let numbers = ["page", "currentpage", "pagenumber", "pageno"]
    private static let counts = ["totalpages", "pages", "pagecount", "numpages", "lastpage", "pagetotal"]

    /// The pages of an answer that says which page it is, and that there are more; nil: it does not say so.
    static func numbered(_ found: [Member]) -> (members: [(String, String)], remark: String)? {
        for last in found where counts.contains(last.name) {
            guard case .number(let text) = last.value.kind, let pages = Int(text),
                let page = number(numbers, in: found, beside: last), page.value <= 1, page.value >= 0, pages > 1
            else { continue }
            var members = [("number", DraftText.quoted(page.name))]
            if page.value == 0 { members.append(("first", "0")) }
            let total = found.first { one in
                guard NextPageNames.isRecordCount(one.name), one.path.dropLast() == last.path.dropLast(),
                    case .number = one.value.kind
                else { return false }
                return !counts.contains(one.name)
            }
            if let total { members.append(("total", path(total.path))) }
            let remark =
                "the answer says that it is page \(page.value), and how many there are"
                + " (\(last.path.joined(separator: ".")): \(text)); that the parameter is called \(quoted(page.name)), as its"
                + " member is, is guessed"
            return (members, remark)
        }
        return nil
    }

    /// A whole number that is called as one of some names, in the object that has another member.
    private static func number(
        _ names: [String], in found: [Member], beside other: Member
    ) -> (name: String, value: Int)? {
        for name in names {
            let own = found.first { one in
                one.name.isIdentical(to: name) && one.path.dropLast() == other.path.dropLast()
            }
            if let own, case .number(let text) = own.value.kind, let value = Int(text), let last = own.path.last {
                return (last, value)
            }
        }
        return nil
    }
}
