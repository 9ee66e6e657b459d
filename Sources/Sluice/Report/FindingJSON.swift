import Records

extension Finding {
    /// One line of NDJSON.
    func json(_ feeds: [Feed]) -> String {
        let head = [
            ("kind", JSONText.quoted(kind.rawValue)), ("entity", JSONText.quoted(entity)), ("identifier", identifier),
        ]
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
