import SluiceExtract
import SluiceRecords

// The rows and lines of a feed.
extension SurveyedFeed {
    /// A sentence about those that are no records; nil: there are none.
    func flawSentence() throws(Failure) -> String? {
        if let first = flaws.broken?.first {
            return try sentence("line is no value", "lines are no values", first.place, first.reason)
        }
        return try flaws.unused.firstRejected.map { first throws(Failure) in
            try sentence("row is no record", "rows are no records", first.place, first.reason)
        }
    }

    private func sentence(
        _ one: String, _ several: String, _ place: CellPlace, _ reason: String
    ) throws(Failure) -> String {
        let line = try line(of: place)
        return flaws.count == 1
            ? "Of \(location), 1 \(one): in \(line), \(reason)."
            : "Of \(location), \(grouped(flaws.count)) \(several): the first of them in \(line), \(reason)."
    }

    /// In which line a row begins, and of which file, if there are several.
    func line(of place: CellPlace) throws(Failure) -> String {
        let line = try LineCount.lines(of: openRecoded(place.file), until: place.offset) + 1
        return "line \(grouped(line))" + (files.count > 1 ? " of \(files[place.file])" : "")
    }

    /// Why a feed has no records; nil: it has some, or another thing than records.
    func lackOfRows() throws(Failure) -> Failure? {
        guard entities.allSatisfy({ $0.columns.isEmpty }) else { return nil }
        guard form.format.isTable else { return lackOfValues }
        if let rows = try flawSentence() {
            return Failure(
                .data,
                "\(rows) No row has the cells of the first one: where that is no header, give the source \"names\" and"
                    + " \"skip\" in a definition (sources.md); where another character stands between cells, its"
                    + " \"delimiter\".")
        }
        let beginning = try TableGuess.firstBytes(of: openRecoded())
        let isEmpty = beginning.allSatisfy { $0 <= 0x20 }
        let ends = zip(beginning, beginning.dropFirst()).count { $0 == 0x0d && $1 != 0x0a }
        if ends > 1 {
            return Failure(
                .data,
                "\(location) has rows that end with carriage returns alone, as old programs write them, and not with line"
                    + " feeds: tr '\\r' '\\n' <FILE >NEW writes them anew")
        }
        return Failure(
            .data,
            isEmpty
                ? "\(location) is empty: nothing can be drafted of it"
                : "\(location) has a header, and no row below it: nothing can be drafted of it")
    }

    /// Likewise of a document, or of a sequence.
    private var lackOfValues: Failure? {
        let counts = tree[0].counts
        if form.format == .lines, counts.values == 0 {
            return Failure(
                .data, "\(location) is empty: values were expected, one in each line, and nothing can be drafted of it")
        }
        let isEmpty = counts.values > 0 && (0..<Int32(tree.count)).allSatisfy { tree[$0].counts.scalars == 0 }
        guard isEmpty, counts.values == counts.arrays + counts.objects else { return nil }
        let what = counts.objects > 0 ? "objects and lists without a value" : "an empty list"
        return Failure(
            .data, "\(location) holds \(what), where records were expected: nothing can be drafted of it")
    }

    /// Whether so many rows are no records that the first row is no header, rather than the rows flaws of the feed.
    var isMostlyRejected: Bool { flaws.unused.rejected > tree[0].counts.values }

    /// Whether each record of a table or of a sequence begins in a line of its own.
    var hasValuesInLines: Bool {
        get throws(Failure) {
            if form.format.isTable { return true }
            var lines = 0
            for file in files.indices { lines += try LineCount.filled(in: openValues(file)) }
            let kinds = splits.filter { $0.element == 0 }.flatMap(\.nodes)
            return lines == max(tree[0].counts.values, kinds.reduce(0) { $0 + tree[$1].counts.values })
        }
    }
}
