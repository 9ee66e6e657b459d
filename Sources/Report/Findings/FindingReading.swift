import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// Reads findings; what they name of sources and files gets a number.
struct FindingReading {
    var feeds: [Feed]

    mutating func finding(_ node: JSONNode) -> Finding? {
        let kind = node["kind"]?.text.flatMap(Finding.Kind.init)
        guard let detail = kind?.row.read(node), let at = node["at"] else { return nil }
        var isPlaced = true
        if case .null = at.kind { isPlaced = false }
        var finding = Finding(
            entity: node["entity"]?.text, identifier: node["identifier"]?.spaced ?? "null", detail: detail,
            at: isPlaced ? location(at) : .beginning(of: 0))
        finding.isPlaced = isPlaced
        if let first = node["first"] {
            finding.first = FirstPosition(key(first), record: UInt64(first.count("record")))
            finding.first?.line = first["line"]?.integer.map(UInt64.init)
            finding.first?.column = first["column"]?.integer.map(UInt64.init)
        }
        if let record = node["record"] { finding.record = .whole(record.minified) }
        finding.values = (node["values"]?.members ?? []).map { member in
            (member.key, member.value["first"]?.minified, member.value["here"]?.minified)
        }
        if case .boolean(let isNew)? = node["new"]?.kind { finding.isNew = isNew }
        if node.isTrue("ambiguous") { finding.isAmbiguous = true }
        if let bytes = node["recordBytes"]?.integer { finding.record = .tooLong(UInt64(bytes)) }
        if let line = node["line"]?.text { finding.record = .bytes(Array(line.utf8)) }
        if let bytes = node["bytes"]?.text.flatMap(Base64Text.bytes) { finding.record = .bytes(bytes) }
        finding.context = node["context"]?.members.map { ($0.key, $0.value.minified) } ?? []
        return finding
    }

    private mutating func location(_ node: JSONNode) -> FeedPosition {
        let key = key(node)
        var position = RecordPosition()
        position.source = UInt16(truncatingIfNeeded: key.source)
        position.file = UInt32(truncatingIfNeeded: key.file)
        position.offset = key.offset
        position.record = UInt64(node.count("record"))
        position.line = UInt64(node.count("line"))
        position.column = UInt64(node.count("column"))
        return FeedPosition(position, path: node["path"]?.text ?? "$")
    }

    private mutating func key(_ node: JSONNode) -> RecordPositionKey {
        let name = node["source"]?.text ?? Source.defaultName
        if !feeds.contains(where: { $0.source.isIdentical(to: name) }) {
            feeds.append(Feed(source: name, location: name, files: [name]))
        }
        let source = feeds.firstIndex { $0.source.isIdentical(to: name) } ?? 0
        var file = 0
        if let path = node["file"]?.text {
            file = feeds[source].number(ofFile: path)
        }
        return RecordPositionKey(source: source, file: file, offset: UInt64(node.count("offset")))
    }
}
