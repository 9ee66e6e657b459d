import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// Rows of a table that are no records, such as a sum, and notes below the records.
struct NonRecordRows {
    let count: Int
    /// What all of them lack, and no record lacks all of, so that the draft's `where` leaves them out, however many the
    /// next night has; none: nothing tells them from records.
    let lacking: [String]
    /// The column in which they say what they are.
    private let column: String
    /// What the first of them begin with, and their lines.
    private let examples: [(text: String, line: String)]
    /// By file: where they begin.
    private let starts: [[UInt64]]

    private static let mostExamples = 3

    /// - Parameter lacking: the names of the columns that they lack.
    init(
        _ rows: [NonRecordSearch.Row], lacking: [String], saidIn column: String, of feed: SurveyedFeed
    ) throws(Failure) {
        (self.lacking, self.column, count) = (lacking, column, rows.count)
        var starts = feed.files.map { _ in [UInt64]() }
        var examples: [(String, String)] = []
        for row in rows {
            starts[row.place.file].append(row.place.offset)
            if examples.count < NonRecordRows.mostExamples { examples.append((row.text, try feed.line(of: row.place))) }
        }
        (self.starts, self.examples) = (starts, examples)
    }

    /// Whether they are left out.
    var areLeftOut: Bool { !lacking.isEmpty }

    /// The bytes of a file in which these rows are empty lines, so that all else stays where it is.
    func without(_ bytes: any ByteSource, _ file: Int) -> any ByteSource {
        starts[file].isEmpty || !areLeftOut ? bytes : BlankedLines(bytes, starts[file], with: 0x0a)
    }

    /// What leaves them out; nil: nothing does.
    var condition: (String, String)? {
        let paths = lacking.map { DraftPaths.member([$0]) }
        guard let first = paths.first else { return nil }
        return paths.count == 1 ? (first, "{ \"not\": null }") : ("not", JSONText.object(paths.map { ($0, "null") }))
    }

    var remark: String {
        let first = examples.map { "\(CellPlace.shown($0.text)) in \($0.line)" }
        let all = listed(count > first.count ? first + ["\(grouped(count - first.count)) more"] : first)
        let them = count == 1 ? "it" : "them"
        guard areLeftOut else {
            let rows = count == 1 ? "1 row seems to be no record" : "\(grouped(count)) rows seem to be no records"
            let texts = DraftText.list(examples.map(\.text))
            let condition = JSONText.object([(DraftPaths.member([column]), "{ \"not\": \(texts) }")])
            let way =
                count == examples.count ? "\"where\": \(condition) leaves \(them) out" : "a \"where\" leaves them out"
            return "\(rows) (\(all)), and records lack the same: \(way)"
        }
        let rows = count == 1 ? "1 row is no record" : "\(grouped(count)) rows are no records"
        let (has, names) = (count == 1 ? "it has" : "they have", lacking.map { quoted($0) })
        let lacked =
            names.count == 1
            ? "no \(names[0])" : "neither \(names.dropLast().joined(separator: ", ")) nor \(names.last ?? "")"
        return
            "\(rows), as it seems (\(all)): \(has) \(lacked), unlike all other rows, and \"where\" leaves \(them) out"
    }
}
