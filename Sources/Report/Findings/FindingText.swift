import SluiceDefinition
import SluiceRecords

extension Finding {
    /// The finding with its message, and with the names of its source and its file.
    func told(of feeds: [Feed]) -> Finding {
        var finding = self
        let feed = feeds.feed(at: at.position)
        finding.at.source = feed.source
        finding.at.file = feed.name(ofFile: at.position.file)
        finding.message = sentence(feeds)
        return finding
    }

    /// The finding as a sentence, with its place before it as compilers write it.
    package func text(_ feeds: [Feed]) -> String { (isPlaced ? at.text(feeds) + ": " : "") + sentence(feeds) }

    private func subject(_ count: UInt64) -> String {
        count == 1 ? "1 record of \(name) has" : "\(grouped(Int(count))) records of \(name) have"
    }

    /// Of the entity.
    private var name: String { entity ?? "any entity" }

    private func firstPlace(_ feeds: [Feed]) -> String {
        guard let first else { return "" }
        let position = first.position
        let isElsewhere = (position.source, position.file) != (at.position.source, at.position.file)
        let file = isElsewhere ? " of \(feeds.feed(at: position).name(ofFile: position.file))" : ""
        return " (first at byte \(grouped(Int(position.offset)))\(file))"
    }

    /// A member in which copies differ, with what they say.
    private func difference(_ member: String) -> String {
        guard let values = values.first(where: { $0.member.isIdentical(to: member) }) else { return member }
        return "\(member) (\(Finding.shown(values.first)) first, \(Finding.shown(values.here)) here)"
    }

    /// What three say of an attribute.
    private static func difference(_ edit: Edit) -> String {
        "\(edit.attribute) is \(shown(edit.stored)), and the feed says \(shown(edit.feed)), where it said \(shown(edit.before))"
    }

    /// A value, cut where it is long.
    private static func shown(_ value: String?) -> String {
        guard let value else { return "nothing" }
        return value.count > 60 ? value.prefix(59) + "…" : value
    }

    /// Without the place.
    func sentence(_ feeds: [Feed]) -> String {
        let object = identifier == "null" ? name : "\(name) \(identifier)"
        switch detail {
        case .unmatched(let unmatched, let path):
            return unmatched.sentence(path, name, source: feeds.feed(at: at.position).source)
        case .duplicate(false, _): return "\(object) stands in the feed again\(firstPlace(feeds)), with the same values"
        case .duplicate(true, let differs):
            let columns = differs.map(difference).joined(separator: ", ")
            return "\(object) stands in the feed again\(firstPlace(feeds)), and differs in \(columns)"
        case .unresolved(let relationship, let targets, let value):
            let why = isAmbiguous ? "of which there are several" : "which does not exist"
            return "\(object): \(relationship) refers to the \(targets.joined(separator: " or ")) \(value), \(why)"
        case .conflict(let edits):
            let attributes = edits.map(Finding.difference).joined(separator: "; ")
            return "\(object) stays as a program has changed it: \(attributes)"
        case .conflictingDeletion: return "\(object) is gone from the feed, and stays: a program has changed it"
        case .reject(let faults):
            let reasons = faults.map { "\($0.member): \($0.reason)" }.joined(separator: "; ")
            return "\(object) is rejected: \(reasons)"
        case .drift(.unknown, let field, let records):
            return "\(subject(records)) the field \(field), which the definition does not use"
        case .drift(.missing(let member), let field, _):
            let use = member.isIdentical(to: field) ? "" : ", of which \(member) is made"
            return "no \(name) has \(field)\(use)"
        case .drift(.retyped(let member, let types, let before), _, let records):
            return "\(subject(records)) a value of the type \(types.joined(separator: " or ")) as \(member), which was"
                + " \(before.joined(separator: " or "))"
        case .drift(.repeated, let field, _) where field.hasPrefix("$"):
            return "\(field), around records of \(name), stands there more than once; the first value counts for them,"
                + " and of several lists all the records"
        case .drift(.untaken, let field, let records):
            return "no entity takes \(grouped(Int(records))) \(records == 1 ? "element" : "elements") \(field)"
        case .drift(.repeated, let field, let records):
            return "\(subject(records)) the field \(field) more than once; the last one counts"
        case .check(let check, let values):
            // What identifies the object has been said.
            let isSaid = { (value: String) in entity != nil && value.isIdentical(to: identifier) }
            let row = values.filter { !isSaid($0.value) }.map { "\($0.name) \(Finding.shown($0.value))" }.joined(
                separator: ", ")
            let subject = entity == nil ? [] : [object]
            return "the check \"\(check)\" finds \((subject + (row.isEmpty ? [] : [row])).joined(separator: ": "))"
        }
    }
}

extension Finding.Unmatched {
    fileprivate func sentence(_ path: String, _ entity: String, source: String) -> String {
        switch self {
        case .records: "\(path) takes no record of \(entity) from the source \(source)"
        case .condition: "no record of \(entity) from the source \(source) has what \"where\" asks for in \(path)"
        case .next, .cursor: "\(path), \"\(rawValue)\", is on no page of the source \(source), though the first is full"
        case .link: "no page of the source \(source) has a link \(path), though the first is full"
        case .total, .more: "\(path), \"\(rawValue)\", is on no page of the source \(source)"
        case .end:
            "the last pages of the source \(source) hold no record, and each names another one at \(path): nobody has"
                + " asked for more of them (\"more\" would say whether there are)"
        case .pages:
            if path.hasPrefix("$") {
                "the answer of the source \(source) names another page at \(path), and the source has no \"pages\""
            } else if path.isIdentical(to: "next") {
                "the answer of the source \(source) has a link \(path) to another page, and the source has no \"pages\""
            } else {
                "the answer of the source \(source) names another page in its header \(path), and the source has no"
                    + " \"pages\""
            }
        case .limit:
            "the first page of the source \(source) has fewer records than \(path) asks for, and others follow: if the"
                + " service gives no more at once, what is between them is not read (make \"limit\" what it gives)"
        case .count:
            "the answer of the source \(source) has fewer records than there are, as it says"
                + " \(path.hasPrefix("$") ? "at" : "in its header") \(path), and the source has no \"pages\""
        }
    }
}
