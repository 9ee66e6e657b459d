import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// Finds how a table is written, by its first rows.
struct TableSurvey {
    private let feed: SurveyedFeed
    /// Which of its files is looked at.
    private let file: Int

    init(of feed: SurveyedFeed) throws(Failure) {
        self.feed = feed
        file = try TableSurvey.firstFilled(of: feed)
    }

    /// The first file with a row below its header: one that is empty tells little of how the others are written.
    private static func firstFilled(of feed: SurveyedFeed) throws(Failure) -> Int {
        guard feed.files.count > 1 else { return 0 }
        for file in feed.files.indices {
            let bytes = try TableGuess.firstBytes(of: feed.openRecoded(file))
            if bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }).count > 1 { return file }
        }
        return 0
    }

    func form() throws(Failure) -> FeedForm.Table {
        var table = FeedForm.Table()
        table.delimiter = try TableGuess.delimiter(of: feed.openRecoded(file), feed.form.format)
        try requireRows()
        let start = try start(&table)
        table.preamble = start.preamble
        if let names = TableHeader.names(of: start.rows) {
            table.header = .missing(names)
            return table
        }
        if let names = TableHeader.distinctNames(of: start.rows) {
            table.header = .renamed(names, .twice)
        } else if let names = TableHeader.namesWithoutSpaces(of: start.rows) {
            table.header = .renamed(names, .spaced)
        } else if let names = TableHeader.namesWithRows(of: start.rows) {
            table.header = .renamed(names, .ofRows)
        }
        if TableHeader.hasUnits(start.rows) { table.units = start.rows[1] }
        return table
    }

    /// The first rows; where titles have other delimiters than the rows, or none, these count.
    private func start(_ table: inout FeedForm.Table) throws(Failure) -> TableStart {
        let own = FeedForm(format: feed.form.format, table: table).options.table.delimiter
        let start = try TableStart(of: feed.openRecoded(file), delimiter: own)
        guard let other = try TableGuess.delimiterOfMost(feed.openRecoded(file), unless: own) else { return start }
        let titled = try TableStart(of: feed.openRecoded(file), delimiter: other)
        guard let preamble = titled.preamble else { return start }
        // Commas stand in numbers, too, with which the first record would be the header.
        if let own = start.preamble, own.rows <= preamble.rows { return start }
        table.delimiter = other
        return titled
    }

    /// Refuses a table whose rows end with carriage returns alone: all of it would be its header.
    private func requireRows() throws(Failure) {
        let bytes = try TableGuess.firstBytes(of: feed.openRecoded(file))
        guard bytes.contains(0x0d), !bytes.contains(0x0a) else { return }
        let failure = try feed.reason(file)
        if failure.place != nil { throw failure }
    }
}
