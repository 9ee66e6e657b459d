import SluiceRecords

extension Finding {
    /// One line of NDJSON.
    package func json(_ feeds: [Feed]) -> String {
        let row = kind.row
        let source = row.isOfSource ? JSONText.quoted(feeds.feed(at: at.position).source) : nil
        let members = FindingLayout.finding(
            kind: JSONText.quoted(kind.rawValue), entity: entity.map(JSONText.quoted) ?? "null", source: source,
            identifier: row.isOfObject ? JSONText.shown(identifier) : nil, detail: row.members(self) ?? [],
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
        let place = [("line", line), ("column", column)].compactMap { name, value in value.map { (name, String($0)) } }
        return JSONText.object(
            position.members(feeds) + FindingLayout.first(record: String(record), offset: String(position.offset))
                + place)
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
    package func text(_ feeds: [Feed]) -> String { "\(file(feeds)):\(line):\(column)" }

    /// The same for people; with the path where no editor leads to the place.
    package func toldPlace(_ feeds: [Feed]) -> String { text(feeds) + (isInLongLine ? " (\(path))" : "") }

    /// Where it is in its file: the shorter way to find it.
    var placeInFile: String { isInLongLine ? path : "\(line):\(column)" }

    /// Whether its line is longer than a screen is wide, as where a service gives a feed in one line: nobody counts
    /// columns there.
    private var isInLongLine: Bool { column > TextStyle.width && path != "$" }

    func file(_ feeds: [Feed]) -> String { feeds.feed(at: position).name(ofFile: position.file) }
}
