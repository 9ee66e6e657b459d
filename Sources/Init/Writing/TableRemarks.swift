import SluiceDefinition
import SluiceRecords

/// What comments tell of how a table is written, as far as that was guessed.
struct TableRemarks {
    private let feed: SurveyedFeed
    /// All of the draft, with those that were dropped.
    private let entities: [DraftEntity]

    init(_ feed: SurveyedFeed, _ entities: [DraftEntity]) { (self.feed, self.entities) = (feed, entities) }

    /// None: the feed is no table.
    var sentences: [String] { feed.form.format.isTable ? header + unnamed + oneCell : [] }

    /// What is told of the header, or of names in its place.
    private var header: [String] {
        switch feed.form.table.header {
        case .missing:
            [
                "\(feed.location) has no header, as it seems: its first line has numbers where the others have some."
                    + " Write into \"names\" what its columns are."
            ]
        case .own: preambleRemarks + [taken].compactMap { $0 } + units
        case .renamed(let names, let why): preambleRemarks + [renamed(names, why)] + units
        }
    }

    private func renamed(_ names: [String], _ why: FeedForm.Table.Renaming) -> String {
        let header = "The header of \(feed.location) has"
        return switch why {
        case .twice: "\(header) a name twice: \"names\" stand for its own."
        case .spaced: "\(header) a space behind each delimiter: \"names\" stand for its own."
        case .ofRows:
            "\(header) no name for column 1, which has another text in each row: in \"names\", it is called"
                + " \(quoted(names[0]))."
        }
    }

    private var units: [String] {
        let units = feed.form.table.units.filter { !$0.isEmpty }.map { quoted($0) }
        if units.isEmpty { return [] }
        return [
            "The row below the header of \(feed.location) has units (\(units.joined(separator: ", "))): \"skip\" passes it"
                + " over, and a run fails where it reads otherwise."
        ]
    }

    private var preambleRemarks: [String] {
        guard let preamble = feed.form.table.preamble else { return [] }
        let rows = preamble.rows == 1 ? "1 row above it is" : "\(grouped(preamble.rows)) rows above it are"
        return ["Line \(grouped(preamble.line)) of \(feed.location) seems to be the header: \(rows) passed over."]
    }

    /// Of a first line that may be a record as well: nothing but texts stand below it, and no name in it is one that
    /// many tables have.
    private var taken: String? {
        let columns = columns
        guard feed.form.table.preamble == nil, columns.count > 1,
            columns.allSatisfy({ $0.facts.forms.isEmpty && $0.facts.texts > $0.facts.empties })
        else { return nil }
        let isKnown = columns.contains { column in
            column.meaning.rank != .other || Names.isName(column.ownName) || Names.isProse(column.ownName)
                || Names.words(column.ownName).count > 1 || Names.isLabel(column.ownName)
                || column.ownName.first?.isLowercase == true
        }
        if isKnown { return nil }
        let names = columns.prefix(3).map { quoted($0.ownName) }.joined(separator: ", ")
        return
            "The first line of \(feed.location) (\(names)) is taken for its header. If it is a record, its source needs"
            + " \"names\" for the columns: a table with these has no header."
    }

    private var unnamed: [String] {
        let columns = feed.flaws.unused.unnamed.keys.sorted()
        guard let first = columns.first else { return [] }
        let values = feed.flaws.unused.unnamed.values.reduce(0, +)
        let which =
            columns.count == 1
            ? "column \(first), which is" : "\(grouped(columns.count)) columns, the first of them \(first), which are"
        let names = feed.form.table.preamble == nil ? "\"names\" with \"header\": true" : "\"names\""
        return [
            "The header of \(feed.location) has no name for \(which) passed over, with \(grouped(values))"
                + " \(values == 1 ? "value" : "values"): \(names) give names to all columns."
        ]
    }

    /// Of rows of one cell that has the same marks in each of them: one of these may stand between cells.
    private var oneCell: [String] {
        let columns = columns
        guard columns.count == 1, feed.form.table.hasHeader, feed.flaws.unused.unnamed.isEmpty else { return [] }
        let texts = columns[0].facts.sample.texts
        let mark = [":", ";", "|", ",", "\t", "~", "^", " "].first { mark in
            let byte = mark.utf8.first ?? 0
            let count = columns[0].ownName.utf8.count { $0 == byte }
            return count > 0 && !texts.isEmpty && texts.allSatisfy { text in text.count { $0 == byte } == count }
        }
        guard let mark else { return [] }
        return [
            "Each row of \(feed.location) is one cell. If \(DraftText.quoted(mark)) stands between cells, its source needs"
                + " \"delimiter\": \(DraftText.quoted(mark))."
        ]
    }

    private var columns: [DraftColumn] {
        let records = entities.first {
            $0.place.feed == feed.index && $0.place.isOfTable && !$0.isDropped && !$0.isEmbedded
        }
        return records?.columns.filter { $0.cut == nil && $0.path?.count == 1 } ?? []
    }
}
