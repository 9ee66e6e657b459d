import SluiceRecords

// What is told of rejects.
extension Attention {
    /// Rejects by what is wrong with them, each reason once: what is wrong with one record does not hide behind what is
    /// wrong with a thousand.
    func rejects(_ heading: String, _ count: Int, _ found: [Finding], isNew: Bool) -> Section {
        // Of a report from the ledger, some rejects are known, and not how many others are like them.
        let known = report.found.rejectGroups
        let groups = known.isEmpty ? RejectGroups.grouped(found, report.outcome.exceeded) : known
        let all = groups.reduce(0) { $0 + $1.counted }
        let isCounted = !known.isEmpty || all == count
        let shown = groups.prefix(RejectGroups.mostNamed)
        // A record with several faults counts for each of them.
        let rest = isCounted ? groups.dropFirst(shown.count).reduce(count - all) { $0 + $1.count } : count - shown.count
        return Section(
            heading: heading, items: shown.map { item($0, isCounted: isCounted) },
            rest: rest, counts: shown.map { isCounted ? $0.count : 1 },
            kind: isCounted ? ("for another reason", "other reasons") : nil, otherKinds: groups.count - shown.count,
            isNew: isNew, isFailing: found.contains(where: isFailing), before: before(.reject, count),
            least: max(1, shown.count { $0.examples.first.map(isFailing) ?? false }))
    }

    /// The first reject of a group, and how many others there are, with the places of some.
    private func item(_ group: RejectGroup, isCounted: Bool) -> String {
        guard let first = group.examples.first.map(group.narrowed) else { return "" }
        if group.count == 1 { return sentence(first) }
        let file = first.at.file(report.found.feeds)
        let places = group.examples.dropFirst().map { example in
            example.at.file(report.found.feeds).isIdentical(to: file)
                ? example.at.placeInFile : example.at.text(report.found.feeds)
        }
        let more = group.count - 1
        let end = places.count < more || !isCounted ? ", …" : ""
        let others = isCounted ? "and \(grouped(more)) more" : "and others"
        let texts = group.otherTexts
        let found = texts.isEmpty ? "" : "; also found: \(texts.joined(separator: ", "))"
        let text = first.text(report.found.feeds) + " (\(others): \(places.joined(separator: ", "))\(end)\(found))"
        return text.printable.wrapped(TextStyle.width, first: "  ", rest: "    ")
    }
}
