import SluiceExtract
import SluiceRecords

/// Tells the header of a table from a line that was saved, or sent, in place of it: `404 Not Found`.
struct ForeignHeader {
    /// The columns in which values are looked for.
    let columns: Set<ExactText>
    let delimiter: UInt8

    private static let longest = 100

    /// Nil: a header cannot be judged, as the definition takes it from elsewhere, or takes any columns.
    init?(_ input: FeedInput, of model: Model, source: Int) {
        let options = input.options(batchSize: 1)
        let table = options.table
        guard table.hasHeader, table.names == nil, table.headerLine == nil, options.encoding == nil else { return nil }
        let slots = model.entities.filter { $0.sources.contains(source) }.flatMap(\.slots)
        var columns: Set<ExactText> = []
        for path in slots.map(\.path) where path.root == .record {
            guard case .name(let name)? = path.steps.first else { return nil }
            columns.insert(ExactText(name))
        }
        if columns.isEmpty { return nil }
        self.columns = columns
        delimiter = table.delimiter
    }

    /// The first line of a table, and whether it has come to its end; nil: it is the one in which Excel says the
    /// delimiter.
    static func line(of beginning: [UInt8]) -> (text: ArraySlice<UInt8>, isEnded: Bool)? {
        let bytes = beginning.withoutByteOrderMark
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return line.starts(with: "sep=".utf8) ? nil : (line, line.count < bytes.count)
    }

    /// What is wrong with the first line of a table; nil: it names a column that is looked for, or is not known whole.
    ///
    /// - Parameter beginning: the first bytes of the table.
    func complaint(of beginning: [UInt8]) -> String? {
        // Nothing is an end, and no other header.
        guard let first = ForeignHeader.line(of: beginning)?.text, first.count < FeedBeginning.most,
            first.contains(where: { $0 > 0x20 })
        else { return nil }
        let cells = first.split(whereSeparator: { $0 == delimiter }).map { cell in
            let text = String(decoding: cell.trimmed, as: UTF8.self)
            let isQuoted = text.utf8.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
            return ExactText(isQuoted ? String(text.dropFirst().dropLast()) : text)
        }
        guard columns.isDisjoint(with: cells) else { return nil }
        let shown = String(String(decoding: first, as: UTF8.self).prefix(ForeignHeader.longest)).printable
        return "its first line, \(JSONText.quoted(shown)), has none of the columns that the definition takes"
    }
}

extension ArraySlice<UInt8> {
    /// Without spaces at its ends.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let start = drop { $0 <= 0x20 }
        return start.prefix((start.lastIndex { $0 > 0x20 } ?? start.startIndex - 1) - start.startIndex + 1)
    }
}
