import SluiceRecords

/// The rows that a feed must give, found in the simplest way.
package func referenceRows(_ feed: [UInt8], _ entities: [Entity]) -> [String] {
    let values = ReferenceParser.values(of: feed)
    return entities.flatMap { entity -> [String] in
        var seen: Set<Int> = []
        let records = values.flatMap { value in
            let top = Match(node: value, steps: [])
            return entity.records.flatMap { top.follow($0.steps[...]) }.sorted { $0.node.start < $1.node.start }
                .filter { seen.insert($0.node.start).inserted }
        }
        return records.enumerated().map { number, record in
            row(number, record, entity, feed)
        }
    }.sorted()
}

/// How many records each path of each entity takes.
package func referenceTaken(_ feed: [UInt8], _ entities: [Entity]) -> [[UInt64]] {
    let values = ReferenceParser.values(of: feed)
    return entities.map { entity in
        entity.records.map { path in
            let starts = values.flatMap { Match(node: $0, steps: []).follow(path.steps[...]).map(\.node.start) }
            return UInt64(Set(starts).count)
        }
    }
}

/// The records of an entity in their order: where each begins, and what its slots hold.
package func referenceRecords(_ feed: [UInt8], _ entity: Entity) -> [(start: Int, cells: [String])] {
    var seen: Set<Int> = []
    return ReferenceParser.values(of: feed).flatMap { value in
        let top = Match(node: value, steps: [])
        return entity.records.flatMap { top.follow($0.steps[...]) }.sorted { $0.node.start < $1.node.start }
            .filter { seen.insert($0.node.start).inserted }
    }.map { record in (record.node.start, entity.slots.map { describe($0, record, entity) }) }
}

private func row(_ number: Int, _ record: Match, _ entity: Entity, _ feed: [UInt8]) -> String {
    let before = feed[..<record.node.start]
    let line = before.count { $0 == 0x0a } + 1
    let column = record.node.start - (before.lastIndex(of: 0x0a) ?? -1)
    let steps = record.steps.map(spelled).joined()
    let digits = String(repeating: "0", count: 4 - String(number).count) + String(number)
    let cells = entity.slots.map { describe($0, record, entity) }.joined(separator: " | ")
    let status = holdsBroken(record.node) ? " rejected" : ""
    return "\(entity.name)#\(digits) \(record.node.start) \(line):\(column) $\(steps)\(status) | \(cells)"
}

private func holdsBroken(_ node: Node) -> Bool {
    node.isBroken || node.children.contains { holdsBroken($0.node) }
}

private func spelled(_ step: Path.Step) -> String {
    switch step {
    case .name(let name): Path.spelled(name: name)
    case .index(let index): "[\(index)]"
    default: ""
    }
}

private func describe(_ slot: Slot, _ record: Match, _ entity: Entity) -> String {
    guard let (start, path) = start(of: slot.path, record, entity) else { return "absent" }
    let matches = start.follow(path.steps[...])
    guard slot.many else { return matches.first.map { describe($0, slot) } ?? "absent" }
    guard !start.follow(path.definiteSteps).isEmpty else { return "absent" }
    // Of one node, what is shorter on its way comes first.
    let found = unlisted(start, path.steps) + matches.map { ($0.node.start, describe($0, slot)) }
    return "(\(found.sorted { $0.0 < $1.0 }.map(\.1).joined(separator: ", ")))"
}

/// What stands where names lead, and from there the path to elements, or members: something that has none.
private func unlisted(_ start: Match, _ steps: [Path.Step]) -> [(Int, String)] {
    steps.indices.filter { steps[$0] == .wildcard && ($0 == 0 || isNamed(steps[$0 - 1])) }.flatMap { index in
        start.follow(steps[..<index]).compactMap { match in
            let node = match.node
            return node.isFilled ? (node.start, "unlisted:\(node.json)") : nil
        }
    }
}

private func isNamed(_ step: Path.Step) -> Bool {
    switch step {
    case .name, .index: true
    default: false
    }
}

/// The node where a path starts, and the path from there; nil: there is no such node.
private func start(of path: Path, _ record: Match, _ entity: Entity) -> (Match, Path)? {
    if path.root == .record {
        let chain = record.parents + [record]
        return path.parents < chain.count ? (chain[chain.count - 1 - path.parents], path) : nil
    }
    // What the path and one of the records have in common, with all wildcards of the path in it.
    let beginnings = entity.records.map { records in
        path.steps.indices.prefix { $0 < records.steps.count && records.steps[$0] == path.steps[$0] }.count
    }.filter { Path(root: .feed, steps: Array(path.steps[$0...])).isDefinite }.sorted(by: >)
    let top = record.parents.first ?? record
    for node in [record] + record.parents.reversed() {
        for count in beginnings where top.follow(path.steps[..<count]).contains(where: { $0.node === node.node }) {
            return (node, Path(root: .record, steps: Array(path.steps[count...]), isKey: path.isKey))
        }
    }
    return nil
}

private func describe(_ match: Match, _ slot: Slot) -> String {
    if slot.path.isKey {
        switch match.steps.last {
        case .name(let name): return "string:\(name)"
        case .index(let index): return "integer:\(index)"
        default: return "absent"
        }
    }
    let node = match.node
    if node.isBroken { return "brokenString" }
    if slot.json && node.kind != .null { return "json:\(node.json)" }
    switch node.kind {
    case .null, .yes, .no, .array, .object: return "\(node.kind)"
    case .number, .string: return "\(node.kind):\(node.text)"
    }
}
