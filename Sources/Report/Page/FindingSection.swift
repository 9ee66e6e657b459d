import SluiceRecords

/// The first findings of each kind, as a table.
struct FindingSection {
    let report: RunReport

    package var text: String {
        let kinds = Finding.Kind.byWeight.filter { report.found.counts[$0, default: 0] > 0 }
        let summary = kinds.flatMap { kind in
            report.headings(of: kind).map { heading in
                "<li><i class=\"\(kind.rawValue)\"></i>\(HTMLText.escaped(heading.text))</li>"
            }
        }
        let news = report.entityNews.map { news, entities in
            let details = entities.prefix(Attention.shownExamples).map { HTMLText.escaped(news.detail($0)) }
            let heading = HTMLText.escaped(news.heading(entities.count))
            return "<li><i class=\"drift\"></i>\(heading): \(details.joined(separator: "; "))</li>"
        }
        let all = news + lists + summary
        if all.isEmpty { return "<section>\n<h2>Findings</h2>\n<p>None.</p>\n</section>" }
        let shown = kinds.flatMap(shown)
        return """
            <section>
            <h2>Findings</h2>
            <ul class="kinds">\(all.joined())</ul>\(comparison)
            \(shown.isEmpty ? "" : table(shown))
            \(rest(shown))
            </section>
            """
    }

    private var unusedLists: Attention.Section? { Attention(report: report, lineLimit: 0).unusedLists }

    /// Lists of which no entity has records.
    private var lists: [String] {
        guard let section = unusedLists else { return [] }
        let items = section.items.map { item in HTMLText.escaped(String(item.drop { $0 == " " })) }
        let told = "\(HTMLText.escaped(section.heading)): \(items.joined(separator: "; "))"
        return ["<li><i class=\"drift\"></i>\(told)</li>"]
    }

    /// A finding, and how many others are like it.
    private struct Shown {
        var finding: Finding
        var more = 0
        /// How many findings it shows that no other one does.
        var counted = 1
    }

    /// Rejects each reason once, where it is known how many there are.
    private func shown(_ kind: Finding.Kind) -> [Shown] {
        let groups = report.found.rejectGroups
        guard kind == .reject, !groups.isEmpty else {
            return report.found.examples.filter { $0.kind == kind }.map { Shown(finding: $0) }
        }
        return groups.prefix(ShownFindings.examples).compactMap { group in
            group.examples.first.map {
                Shown(finding: group.narrowed($0), more: group.count - 1, counted: group.counted)
            }
        }
    }

    private func table(_ shown: [Shown]) -> String {
        let rows = shown.enumerated().map { row($0.element, $0.offset) }
        let heads = ["Kind", "Place", "Finding"].map { "<th scope=\"col\">\($0)</th>" }
        return """
            <table class="findings">
            <thead><tr>\(heads.joined())</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            """
    }

    /// A row; `order` sorts places as the report does.
    private func row(_ shown: Shown, _ order: Int) -> String {
        let finding = shown.finding
        let place = finding.at.position
        let sorted = [UInt64(place.source), UInt64(place.file), place.offset].map(padded).joined(separator: ".")
        return """
            <tr>
            <td data-sort="\(Finding.Kind.byWeight.firstIndex(of: finding.kind) ?? 0).\(padded(UInt64(order)))">\
            <span class="kind \(finding.kind.rawValue)">\(finding.kind.rawValue)</span>\(novelty(finding))</td>
            <td data-sort="\(sorted)">\(placeText(finding))</td>
            <td>\(HTMLText.escaped(finding.sentence(report.found.feeds)))\(others(shown))\(record(finding))</td>
            </tr>
            """
    }

    private func others(_ shown: Shown) -> String {
        if shown.more == 0 { return "" }
        let records = shown.more == 1 ? "1 more record" : "\(grouped(shown.more)) more records"
        return "<p class=\"note\">And \(records) for the same reason.</p>"
    }

    private func novelty(_ finding: Finding) -> String {
        finding.isNew == true ? HTMLText.element("span", "new", "new") : ""
    }

    /// With which run findings are compared, and whether any is new.
    private var comparison: String {
        guard let before = report.earlier.compared else { return "" }
        let hasNews = report.found.examples.contains { $0.isNew == true }
        if !hasNews, !report.entityNews.isEmpty || unusedLists?.isNew == true { return "" }
        let sentence =
            hasNews
            ? "Marked as new: what run \(grouped(before)) did not have." : "Nothing new since run \(grouped(before))."
        return "\n<p class=\"note\">\(sentence)</p>"
    }

    private func placeText(_ finding: Finding) -> String {
        guard finding.isPlaced else { return "" }
        return "<span class=\"path\">\(breakable(finding.at.text(report.found.feeds)))</span>"
            + "<br><span class=\"path inner\">\(HTMLText.escaped(finding.at.path))</span>"
    }

    private func record(_ finding: Finding) -> String {
        switch finding.record {
        case .whole(let text):
            "<details><summary>the record</summary><pre>\(HTMLText.escaped(text))</pre></details>"
        case .tooLong(let bytes): "<p class=\"note\">The record has \(grouped(Int(bytes))) bytes.</p>"
        case .bytes(let bytes):
            "<details><summary>the line</summary><pre>"
                + "\(HTMLText.escaped(String(decoding: bytes, as: UTF8.self)))</pre></details>"
        case nil: ""
        }
    }

    /// A path that may be broken behind its slashes.
    private func breakable(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { HTMLText.escaped(String($0)) }
            .joined(separator: "/<wbr>")
    }

    private func padded(_ number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }

    private func rest(_ shown: [Shown]) -> String {
        let all = report.found.counts.values.reduce(0, +)
        guard all > shown.reduce(0, { $0 + $1.counted }) else { return "" }
        let areGrouped = shown.contains { $0.more > 0 }
        let alike = areGrouped ? ", and each reason of rejects once" : ""
        return
            "<p class=\"note\">These are \(areGrouped ? "" : "the first ")\(grouped(shown.count)) of \(grouped(all)), "
            + "at most \(ShownFindings.examples) of a kind\(alike). <code>--findings FILE</code> writes all of them.</p>"
    }
}
