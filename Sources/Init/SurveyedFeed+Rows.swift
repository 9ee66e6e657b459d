import SluiceExtract
import SluiceRecords

// The rows and lines of a feed.
extension SurveyedFeed {
    /// What is told of rows that are no records; nil: there are none.
    func rejectedRows() throws(Failure) -> String? {
        guard let first = rejected.first else { return nil }
        let bytes = try openRecoded(first.file)
        let lines = try LineCount.lines(of: bytes, until: first.offset)
        let which = rejected.count == 1 ? "" : "the first of them "
        return
            "Of \(location), \(rejected.count == 1 ? "1 row is no record" : "\(grouped(rejected.count)) rows are no records"):"
            + " \(which)in line \(grouped(lines + 1))\(files.count > 1 ? " of \(files[first.file])" : ""), \(first.reason)."
    }

    /// Whether so many rows are no records that the first row is no header, rather than the rows flaws of the feed.
    var isMostlyRejected: Bool { rejected.count > tree[0].counts.values }

    /// Whether each record of a table or of a sequence begins in a line of its own.
    var hasValuesInLines: Bool {
        get throws(Failure) {
            if form.format.isTable { return true }
            var lines = 0
            for file in files.indices { lines += try LineCount.filled(in: openRecoded(file)) }
            let kinds = splits.filter { $0.element == 0 }.flatMap(\.nodes)
            return lines == max(tree[0].counts.values, kinds.reduce(0) { $0 + tree[$1].counts.values })
        }
    }
}
