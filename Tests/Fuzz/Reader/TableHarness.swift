import FeedReference
import SluiceExtract
import SluiceRecords

/// Reads a table.
///
/// Three bytes say how, the table follows them: the first chooses how it is written, the second the limits, the third
/// the size of chunks and batches.
enum TableHarness {
    private static let slots = ["a", "b"]
    private static let model = [entity("Row", "$", slots: ["a", "b", "@ json"])]

    static func complaint(about input: [UInt8]) -> String? {
        guard input.count >= 3 else { return nil }
        let options = options(input)
        let feed = Array(input.dropFirst(3))
        let whole = extract(feed, model, options: options)
        let isBounded = whole.failure?.contains("(see \"max") == true
        if !isBounded {
            let expected = ReferenceTable(feed, options.table)
            if (whole.failure != nil) != expected.isRefused {
                return "\(whole.failure ?? "no failure"), but expected.isRefused is \(expected.isRefused)"
            }
            let rows = expected.rows(slots)
            if whole.failure == nil, whole.rows != rows {
                return "read:\n\(whole.rows.joined(separator: "\n"))\nexpected:\n\(rows.joined(separator: "\n"))"
            }
        }
        return pieces(whole, feed, options, Int(input[2]), isBounded)
    }

    private static func options(_ input: [UInt8]) -> FeedOptions {
        var options = FeedOptions()
        options.format = .csv
        options.table.delimiter = Array(",;\t|".utf8)[Int(input[0]) % 4]
        options.table.hasQuotes = input[0] & 4 == 0
        options.table.names = input[0] & 8 == 0 ? nil : ["a", "", "b"]
        options.table.hasHeader = input[0] & 8 == 0 || input[0] & 16 == 0
        if options.table.hasHeader, input[1] & 16 != 0 { options.table.headerLine = 1 + Int(input[1] >> 5) % 4 }
        options.table.emptyCell = TableForm.EmptyCell.allCases[Int(input[0] >> 5) % 3]
        if input[1] % 4 == 1 { options.maxText = 8 }
        if input[1] % 4 == 2 { options.maxRecord = 24 }
        return options
    }

    /// Whether it makes a difference how the bytes come.
    private static func pieces(
        _ whole: Extraction, _ feed: [UInt8], _ options: FeedOptions, _ choice: Int, _ isBounded: Bool
    ) -> String? {
        let size = 1 + choice % 64
        for sizes in [[1], [size], [size, 1, 64 - size / 2]] {
            let split = extract(
                feed, model, sizes: sizes, options: options.with(chunk: 64, batch: 1 + choice / 64))
            // Of several faults, which one is met first may depend on where a chunk ends within it.
            let isSame =
                whole.failure == nil
                ? split == whole
                : split.failure == whole.failure || options.maxText == 8 || options.maxRecord == 24
            if !isSame { return "in chunks of \(sizes):\n\(split)\nwhole:\n\(whole)" }
            if (split.failure == nil) != (whole.failure == nil) { return "only one of them fails: \(sizes)" }
        }
        return nil
    }
}
