import SluiceRecords

/// The counts of each entity, as a bar and in words; below them those of its relationships.
struct EntitySection {
    let report: RunReport

    private struct Part {
        var style: String
        package var name: String
        var count: Int
    }

    package var text: String {
        guard !report.entities.isEmpty else { return "" }
        let most = report.entities.map { $0.counts.records }.max() ?? 0
        let items = report.entities.map { text(of: $0, most: most) }
        return "<section>\n<h2>Entities</h2>\n\(items.joined(separator: "\n"))\n</section>"
    }

    private func text(of entity: RunReport.EntityFacts, most: Int) -> String {
        let counts = entity.counts
        func parts(_ shown: [ShownCount]) -> [Part] {
            shown.map { Part(style: $0.style ?? "", name: $0.words, count: $0.count(entity)) }
        }
        let ofRecords = parts(report.shownCounts.filter { !$0.isOfObjects })
        // What is rejected stands at the end of the bar, as it has no object.
        let bars = ofRecords.filter { $0.style != "rejected" } + ofRecords.filter { $0.style == "rejected" }
        let others = parts(report.shownCounts.filter(\.isOfObjects))
        let number = "\(grouped(counts.records)) \(counts.records == 1 ? "record" : "records")"
        let relationships = zip(entity.relationships, counts.relationships).map(text)
        return """
            <article>
            <h3>\(HTMLText.escaped(entity.name)) <span class="number">\(number)</span></h3>
            \(bar(bars, of: most))
            \(legend(bars + others, otherwise: "no records"))
            \(relationships.joined(separator: "\n"))
            </article>
            """
    }

    private func text(_ name: String, _ counts: RelationshipCounts) -> String {
        let parts = [
            Part(style: "resolved", name: "resolved", count: counts.resolved),
            Part(style: "unresolved", name: "unresolved", count: counts.unresolved),
            Part(style: "null", name: "null", count: counts.null),
        ]
        let late = Part(style: "", name: "linked late", count: counts.late)
        return """
            <div class="relationship">
            <h4>\(HTMLText.escaped(name))</h4>
            \(bar(parts, of: parts.reduce(0) { $0 + $1.count }))
            \(legend(parts + [late], otherwise: "no references"))
            </div>
            """
    }

    /// A bar whose full width stands for `whole`. Readers of the words need not hear it.
    private func bar(_ parts: [Part], of whole: Int) -> String {
        let shown = parts.filter { $0.count > 0 }
        guard whole > 0 else { return "<div class=\"bar\" aria-hidden=\"true\"></div>" }
        let pieces = shown.map { part in
            let percent = (Double(part.count) / Double(whole) * 10_000).rounded() / 100
            return
                "<i class=\"\(part.style)\" style=\"width:\(percent)%\" title=\"\(grouped(part.count)) \(part.name)\"></i>"
        }
        return "<div class=\"bar\" aria-hidden=\"true\">\(pieces.joined())</div>"
    }

    private func legend(_ parts: [Part], otherwise: String) -> String {
        let items = parts.filter { $0.count > 0 }.map { part in
            let key = part.style.isEmpty ? "" : "<i class=\"\(part.style)\"></i>"
            return "<li>\(key)<b>\(grouped(part.count))</b> \(part.name)</li>"
        }
        return "<ul class=\"legend\">\(items.isEmpty ? "<li>\(otherwise)</li>" : items.joined())</ul>"
    }
}
