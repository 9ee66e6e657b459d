import Records

extension Finding {
    /// The finding as a sentence, with its place before it as compilers write it.
    func text(_ feeds: [Feed]) -> String { "\(at.text(feeds)): \(sentence(feeds))" }

    private func subject(_ count: UInt64) -> String {
        count == 1 ? "1 record of \(entity) has" : "\(grouped(Int(count))) records of \(entity) have"
    }

    private func firstPlace(_ feeds: [Feed]) -> String {
        guard let first else { return "" }
        let position = first.position
        let isElsewhere = (position.source, position.file) != (at.position.source, at.position.file)
        let file = isElsewhere ? " of \(feeds[position.source].files[position.file])" : ""
        return " (first at byte \(grouped(Int(position.offset)))\(file))"
    }

    /// Without the place.
    func sentence(_ feeds: [Feed]) -> String {
        let object = identifier == "null" ? entity : "\(entity) \(identifier)"
        switch detail {
        case .duplicate(false, _): return "\(object) stands in the feed again\(firstPlace(feeds)), with the same values"
        case .duplicate(true, let differs):
            let columns = differs.joined(separator: ", ")
            return "\(object) stands in the feed again\(firstPlace(feeds)), and differs in \(columns)"
        case .unresolved(let relationship, let targets, let value):
            return
                "\(object): \(relationship) refers to the \(targets.joined(separator: " or ")) \(value), which does not exist"
        case .reject(let faults):
            let reasons = faults.map { "\($0.member): \($0.reason)" }.joined(separator: "; ")
            return "\(object) is rejected: \(reasons)"
        case .drift(.unknown, let field, let records):
            return "\(subject(records)) the field \(field), which the definition does not use"
        case .drift(.missing(let member), let field, _):
            return "no \(entity) has \(field), of which \(member) is made"
        case .drift(.repeated, let field, let records):
            return "\(subject(records)) the field \(field) more than once; the last one counts"
        }
    }
}
