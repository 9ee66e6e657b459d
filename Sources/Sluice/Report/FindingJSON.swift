import Records

extension Finding {
    /// One line of NDJSON.
    func json(_ feeds: [Feed]) -> String {
        var head = [("kind", JSONText.quoted(kind.rawValue)), ("entity", JSONText.quoted(entity))]
        if kind != .drift { head.append(("identifier", identifier)) }
        return JSONText.object(head + detailMembers + [("at", at.json(feeds))])
    }

    private var detailMembers: [(String, String)] {
        switch detail {
        case .duplicate(let conflicting, let differs):
            [("conflicting", String(conflicting)), ("differs", JSONText.array(differs.map(JSONText.quoted)))]
        case .unresolved(let relationship, let targets, let value):
            [
                ("relationship", JSONText.quoted(relationship)),
                ("to", JSONText.array(targets.map(JSONText.quoted))), ("value", value),
            ]
        case .reject(let faults):
            [
                (
                    "faults",
                    JSONText.array(
                        faults.map { fault in
                            JSONText.object([
                                ("attribute", JSONText.quoted(fault.member)), ("reason", JSONText.quoted(fault.reason)),
                            ])
                        })
                )
            ]
        case .drift(let drift, let field, let records):
            drift.members + [("field", JSONText.quoted(field)), ("records", String(records))]
        }
    }
}

extension Finding.Drift {
    fileprivate var members: [(String, String)] {
        switch self {
        case .unknown: [("reason", JSONText.quoted("unknown"))]
        case .missing(let member): [("reason", JSONText.quoted("missing")), ("attribute", JSONText.quoted(member))]
        case .repeated: [("reason", JSONText.quoted("repeated"))]
        }
    }
}

extension FeedLocation {
    func json(_ feeds: [Feed]) -> String {
        var members = [("source", JSONText.quoted(feeds[position.source].source))]
        let files = feeds[position.source].files
        if files.count > 1 { members.append(("file", JSONText.quoted(files[position.file]))) }
        members += [
            ("record", String(record)), ("line", String(line)), ("column", String(column)),
            ("offset", String(position.offset)), ("path", JSONText.quoted(path)),
        ]
        return JSONText.object(members)
    }

    /// `file:line:column`, as compilers write it.
    func text(_ feeds: [Feed]) -> String {
        let files = feeds[position.source].files
        return "\(files[position.file]):\(line):\(column)"
    }
}
