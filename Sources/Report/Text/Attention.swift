import SluiceDefinition
import SluiceRecords

/// What of a report needs attention, for a person: what is new since the last succeeded run in full, then what was so
/// then as well, a line for each kind. Where there is no such run, everything is told in full.
struct Attention {
    /// What is told of one kind of thing.
    struct Section {
        /// Which things, and how many.
        var heading: String
        /// One for each thing that is shown, with the most important first; each may have several lines.
        var items: [String]
        /// How many things there are besides.
        var rest = 0
        /// How many things each item is; none: one.
        var counts: [Int] = []
        /// What differs between items that are several things each, for the number of those that are not shown.
        var kind: (one: String, several: String)?
        /// How many kinds there are besides.
        var otherKinds = 0
        var isNew = false
        /// Whether the run has failed for some of it: then it is told, new or not.
        var isFailing = false
        /// How many there were in the run that this one is compared with, where these are not as many.
        var before: Int?
        /// How many of its items are shown, whether they fit or not: why a run fails is not hidden behind a number.
        var least = 1

        /// The lines of the items that are always shown, and of the number of the others.
        var leastLines: Int {
            let shown = items.prefix(least)
            let lines = shown.reduce(0) { $0 + $1.split(separator: "\n").count }
            return lines + (items.count + rest > shown.count ? 1 : 0)
        }

        /// A line for what is not shown; nil: all is.
        func rest(behind shown: Int) -> String? {
            let left = counts.isEmpty ? items.count - shown : counts.dropFirst(shown).reduce(0, +)
            guard rest + left > 0 else { return nil }
            let more = "  … and \(grouped(rest + left)) more"
            let kinds = items.count - shown + otherKinds
            guard let kind, kinds > 0 else { return more }
            return more + (kinds == 1 ? ", \(kind.one)" : ", for \(grouped(kinds)) \(kind.several)")
        }
    }

    /// Examples of a kind that are shown.
    static let shownExamples = 5

    let report: RunReport
    /// The most lines that it may have: a report is read when it fits a screen.
    let lineLimit: Int

    /// Without anything to tell, nothing.
    func lines(_ style: TextStyle) -> [String] {
        guard let before = report.earlier.compared else { return Array(shown(sections, style).joined()) }
        let (new, old) = (sections.filter(\.isNew), sections.filter { !$0.isNew })
        if sections.isEmpty { return [] }
        let headline = new.isEmpty ? "Nothing new since run \(before)." : "New since run \(before):"
        let known = old.filter { !$0.isFailing }.map { section in
            "  " + section.heading + (section.before.map { ", \(grouped($0)) in run \(before)" } ?? "")
        }
        let rest = old.isEmpty ? [] : ["As in run \(before):"]
        let room = Attention(report: report, lineLimit: lineLimit - rest.count - known.count - 1)
        let shown = room.shown(new + old.filter(\.isFailing), style)
        return [style.coloured(headline, .strong)] + shown.prefix(new.count).joined() + rest
            + shown.dropFirst(new.count).joined() + known
    }

    /// Whether there is anything that the last succeeded run did not have; without such a run, anything at all.
    var hasNews: Bool {
        report.earlier.compared == nil ? !sections.isEmpty : sections.contains(where: \.isNew)
    }

    /// The lines of each section: as many items as fit, but one of each, and all for which the run has failed.
    private func shown(_ sections: [Section], _ style: TextStyle) -> [[String]] {
        var room = lineLimit - sections.count
        return sections.enumerated().map { index, section in
            let others = sections[(index + 1)...].reduce(0) { $0 + $1.leastLines }
            var items: [String] = []
            for item in section.items {
                let size = item.split(separator: "\n").count
                guard items.count < section.least || size + others + 1 <= room else { break }
                items.append(item)
                room -= size
            }
            let rest = section.rest(behind: items.count)
            if rest != nil { room -= 1 }
            return [style.coloured(section.heading + (items.isEmpty ? "" : ":"), .strong)] + items
                + [rest].compactMap { $0 }
        }
    }

    // MARK: What there is to tell

    private var sections: [Section] {
        let all =
            [goneFiles] + entityNews + unmatched
            + Finding.Kind.byWeight.filter { $0 != .unmatched && $0.row.isToldByExamples }.map(examples)
            + [
                drift(.missing), drift(.emptied), drift(.retyped), drift(.shape), drift(.untaken), unresolved,
                conflicts,
            ]
        return (all + [unusedLists, unused, drift(.repeated)]).compactMap { $0 }
    }

    /// Files that are there no longer.
    private var goneFiles: Section? {
        let files = report.sources.flatMap(\.goneFiles)
        return news(
            files.map(\.printable), one: "1 file that is there no longer",
            several: "\(grouped(files.count)) files that are there no longer")
    }

    /// What has become of entities as a whole.
    private var entityNews: [Section?] {
        report.entityNews.map { news, entities in
            self.news(
                entities.map { news.detail($0).printable.wrapped(TextStyle.width, first: "", rest: "    ") },
                one: news.heading(1), several: news.heading(entities.count))
        }
    }

    /// Things that are news each time; nil: there are none.
    func news(_ things: [String], one: String, several: String) -> Section? {
        if things.isEmpty { return nil }
        let shown = things.prefix(Attention.shownExamples)
        return Section(
            heading: things.count == 1 ? one : several, items: shown.map { "  \($0)" },
            rest: things.count - shown.count, isNew: true)
    }

    func sentence(_ finding: Finding) -> String {
        finding.text(report.found.feeds).printable.wrapped(TextStyle.width, first: "  ", rest: "    ")
    }

    /// What finds nothing, under headings that say what that is.
    private var unmatched: [Section?] {
        let found = report.found.examples.filter { $0.kind == .unmatched }
        let known = report.headings(of: .unmatched)
        return known.enumerated().map { index, heading in
            let meant = found.filter { $0.unmatchedSubject == heading.subject }
            let shown = meant.newFirst.prefix(Attention.shownExamples)
            let isNew = meant.contains { $0.isNew == true }
            return Section(
                heading: heading.text, items: shown.map(sentence), rest: heading.count - shown.count, isNew: isNew,
                before: known.count == 1 ? before(.unmatched, heading.count) : nil)
        }
    }

    private func examples(of kind: Finding.Kind) -> Section? {
        let count = report.found.counts[kind, default: 0]
        guard count > 0 else { return nil }
        let found = report.found.examples.filter { $0.kind == kind }
        let isNew = found.contains { $0.isNew == true }
        let heading = report.heading(kind, count) + (isNew ? news(kind, count) : "")
        if kind == .reject { return rejects(heading, count, found, isNew: isNew) }
        let sorted = failingFirst(found)
        let examples =
            kind == .check
            ? inTurn(sorted.parted { $0.part }, most: Attention.shownExamples)[...]
            : sorted.prefix(Attention.shownExamples)
        return Section(
            heading: heading, items: examples.map(sentence), rest: count - examples.count, isNew: isNew,
            isFailing: found.contains(where: isFailing), before: before(kind, count))
    }

    /// Whether the run has failed for it.
    func isFailing(_ finding: Finding) -> Bool { report.outcome.exceeded.contains { $0.counts(finding) } }

    /// Those for which the run has failed come first, and then those that the last succeeded run did not have.
    func failingFirst(_ found: [Finding]) -> [Finding] {
        found.filter(isFailing).newFirst + found.filter { !isFailing($0) }.newFirst
    }

    /// How many of some findings are new, where others are not.
    func news(_ kind: Finding.Kind, _ count: Int) -> String {
        guard let news = report.found.news[kind], news > 0, news < count else { return "" }
        return ", \(grouped(news)) of them new"
    }

    func before(_ kind: Finding.Kind, _ count: Int) -> Int? {
        report.earlier.counts[kind].flatMap { $0 == count ? nil : $0 }
    }
}

extension [Finding] {
    /// Those that the last succeeded run did not have come first.
    var newFirst: [Finding] { filter { $0.isNew == true } + filter { $0.isNew != true } }
}
