import SluiceRecords

extension Finding {
    /// One line of NDJSON.
    package func json(_ feeds: [Feed]) -> String {
        let source = kind == .unmatched ? JSONText.quoted(feeds.feed(at: at.position).source) : nil
        let members = FindingLayout.finding(
            kind: JSONText.quoted(kind.rawValue), entity: entity.map(JSONText.quoted) ?? "null", source: source,
            identifier: [.drift, .unmatched].contains(kind) ? nil : JSONText.shown(identifier), detail: detailMembers,
            others: novelty, at: isPlaced ? at.json(feeds) : "null", first: first?.json(feeds))
        return JSONText.object(members + recordMembers)
    }

    private var novelty: [(String, String)] { isNew.map { [("new", String($0))] } ?? [] }

    private var recordMembers: [(String, String)] {
        var members: [(String, String)] = []
        if !values.isEmpty { members.append(("values", JSONText.object(values.map { ($0.member, json(of: $0)) }))) }
        switch record {
        case .whole(let text): members.append(("record", JSONText.shown(text)))
        case .tooLong(let bytes): members.append(("recordBytes", String(bytes)))
        case .bytes(let bytes):
            let line = String(validating: bytes, as: UTF8.self)
            members.append(("line", JSONText.quoted(line ?? String(decoding: bytes, as: UTF8.self))))
            if line == nil { members.append(("bytes", JSONText.quoted(Base64Text.text(of: bytes)))) }
        case nil: break
        }
        if !context.isEmpty {
            members.append(("context", JSONText.object(context.map { ($0.path, JSONText.shown($0.value)) })))
        }
        return members
    }

    private func json(of values: (member: String, first: String?, here: String?)) -> String {
        let members = [("first", values.first), ("here", values.here)]
        return JSONText.object(members.compactMap { name, value in value.map { (name, JSONText.shown($0)) } })
    }

    private var detailMembers: [(String, String)] {
        switch detail {
        case .unmatched(let unmatched, let path):
            [("path", JSONText.quoted(path)), ("reason", JSONText.quoted(unmatched.rawValue))]
        case .duplicate(let conflicting, let differs):
            FindingLayout.duplicate(
                conflicting: String(conflicting), differs: JSONText.array(differs.map(JSONText.quoted)))
        case .unresolved(let relationship, let targets, let value):
            FindingLayout.unresolved(
                relationship: JSONText.quoted(relationship), to: JSONText.array(targets.map(JSONText.quoted)),
                value: JSONText.shown(value)) + (isAmbiguous ? [("ambiguous", "true")] : [])
        case .conflict(let edits):
            [("deletion", "false"), ("edits", JSONText.array(edits.map(\.json)))]
        case .conflictingDeletion:
            [("deletion", "true"), ("edits", "[]")]
        case .reject(let faults):
            FindingLayout.reject(faults: Finding.json(ofFaults: faults))
        case .drift(let drift, let field, let records):
            drift.members + [("field", JSONText.quoted(field)), ("records", String(records))]
        case .check(let name, let values):
            FindingLayout.check(
                name: JSONText.quoted(name),
                row: JSONText.object(values.map { ($0.name, JSONText.shown($0.value)) }))
        }
    }
}

extension Finding {
    package static func json(ofFaults faults: [(member: String, reason: String)]) -> String {
        JSONText.array(
            faults.map { fault in
                JSONText.object(
                    FindingLayout.fault(
                        attribute: JSONText.quoted(fault.member), reason: JSONText.quoted(fault.reason)))
            })
    }
}

extension Finding.Edit {
    fileprivate var json: String {
        JSONText.object([
            ("attribute", JSONText.quoted(attribute)), ("before", JSONText.shown(before)),
            ("stored", JSONText.shown(stored)), ("feed", JSONText.shown(feed)),
        ])
    }
}

extension Finding.Drift {
    fileprivate var members: [(String, String)] {
        switch self {
        case .unknown: [("reason", JSONText.quoted("unknown"))]
        case .missing(let member): [("reason", JSONText.quoted("missing")), ("attribute", JSONText.quoted(member))]
        case .retyped(let member, let types, let before):
            [
                ("reason", JSONText.quoted("type")), ("attribute", JSONText.quoted(member)),
                ("types", JSONText.array(types.map(JSONText.quoted))),
                ("before", JSONText.array(before.map(JSONText.quoted))),
            ]
        case .repeated: [("reason", JSONText.quoted("repeated"))]
        case .untaken: [("reason", JSONText.quoted("untaken"))]
        }
    }
}

extension RecordPositionKey {
    /// The source, and the file where the source is several.
    fileprivate func members(_ feeds: [Feed]) -> [(String, String)] {
        let feed = feeds.feed(at: self)
        let source = ("source", JSONText.quoted(feed.source))
        return feed.isSeveral ? [source, ("file", JSONText.quoted(feed.name(ofFile: file)))] : [source]
    }
}

extension FirstPosition {
    package func json(_ feeds: [Feed]) -> String {
        JSONText.object(
            position.members(feeds) + FindingLayout.first(record: String(record), offset: String(position.offset)))
    }
}

extension FeedPosition {
    package func json(_ feeds: [Feed]) -> String {
        let place = FindingLayout.place(
            record: String(record), line: String(line), column: String(column), offset: String(position.offset),
            path: JSONText.quoted(path))
        return JSONText.object(position.members(feeds) + place)
    }

    /// `file:line:column`, as compilers write it.
    package func text(_ feeds: [Feed]) -> String {
        "\(feeds.feed(at: position).name(ofFile: position.file)):\(line):\(column)"
    }
}
