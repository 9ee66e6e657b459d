import SluiceRecords

/// What is wrong with the header of a table: it is not the one that the definition is about.
enum HeaderFault {
    /// A column has a name that `names` has at another place (both from 1 on).
    case movedColumn(name: String, place: Int, in: Int)
    /// None of `names` is in the line that should be the header, and one of its cells (from 1 on) is a number.
    case record(number: String, in: Int)
    /// None of the columns that are expected is in the line that should be the header; a line above it (`other`) has
    /// some.
    case notInLine(Int, expected: [String], other: Int?)
    /// The table ends before the line that should be the header.
    case behindEnd(Int, other: Int?)
    /// A row below it is not the one that is to be passed over.
    case otherSkippedRow(written: String, found: [String], delimiter: Character)

    /// The first fault of a header, and the cell that has it.
    ///
    /// - Parameters:
    ///   - expected: columns of which the header must have one.
    ///   - other: a line above that may be the header.
    static func first(
        in row: borrowing RowScanner, _ form: TableForm, _ expected: [String], _ other: Int?
    ) -> (HeaderFault, cell: Int)? {
        let cells = texts(of: row)
        if let line = form.headerLine, !expected.isEmpty, !hasAny(of: expected, cells) {
            return (.notInLine(line, expected: expected, other: other), 0)
        }
        let names = form.names ?? []
        if let place = cells.firstIndex(where: isNumber), !names.isEmpty, !hasAny(of: names, cells) {
            return (.record(number: String(decoding: cells[place], as: UTF8.self), in: place + 1), place)
        }
        return moved(cells, names)
    }

    /// Whether a cell is a number, or made of numbers as a date is: columns are hardly called so.
    private static func isNumber(_ cell: [UInt8]) -> Bool {
        cell.contains { $0.isDigit } && cell.allSatisfy { $0.isDigit || Array("+-.,:/ ".utf8).contains($0) }
    }

    /// Whether a row has one of the columns that the header must have one of.
    static func isLikeHeader(_ row: borrowing RowScanner, _ expected: [String]) -> Bool {
        hasAny(of: expected, texts(of: row))
    }

    private static func hasAny(of expected: [String], _ cells: [[UInt8]]) -> Bool {
        expected.contains { cells.contains(Array($0.utf8)) }
    }

    /// The cells of a row.
    static func texts(of row: borrowing RowScanner) -> [[UInt8]] {
        var cells: [[UInt8]] = []
        for index in 0..<row.count {
            let cell = row.cells[index]
            cells.append(unsafe [UInt8](UnsafeBufferPointer(start: cell.text, count: cell.length)))
        }
        return cells
    }

    /// A column whose own name, elsewhere in `names`, is not what the header calls the column there: of columns that
    /// the header calls alike, the first keeps its name.
    private static func moved(_ cells: [[UInt8]], _ names: [String]) -> (HeaderFault, cell: Int)? {
        let names = names.map { Array($0.utf8) }
        for (index, cell) in cells.enumerated() where index < names.count && !cell.isEmpty && cell != names[index] {
            guard let other = names.firstIndex(of: cell), other >= cells.count || cells[other] != cell else { continue }
            return (
                .movedColumn(name: String(decoding: cell, as: UTF8.self), place: other + 1, in: index + 1), index
            )
        }
        return nil
    }

    var text: String {
        switch self {
        case .record(let number, let column):
            "the header has none of \"names\", and the number \(JSONText.quoted(number)) in column \(column), so it seems to"
                + " be a record, and the header to be gone: a header that is to be passed over, whatever \"names\" are, is"
                + " \"skip\": \"the header as it reads\", with \"header\": false"
        case .movedColumn(let name, let place, let column):
            "the header calls column \(column) \(JSONText.quoted(name)), which \"names\" has as column \(place): the columns"
                + " have another order than \"names\" (where the header is wrong, say \"header\": false, and \"skip\" it)"
        case .notInLine(let line, let expected, let other):
            "line \(line), which \"headerLine\" says is the header, has none of the columns that the definition takes"
                + " (\(HeaderFault.list(expected))): "
                + HeaderFault.advice(other)
        case .behindEnd(let line, let other):
            "the table ends before line \(line), which \"headerLine\" says is the header: \(HeaderFault.advice(other))"
        case .otherSkippedRow(let written, let found, let delimiter):
            "this row reads \(HeaderFault.shown(found.joined(separator: String(delimiter)))), and the one that \"skip\""
                + " passes over \(HeaderFault.shown(written)): has a unit changed, or is that row gone? Then \"skip\" must say so"
        }
    }

    /// Texts of which a row has one, where it is what the definition says.
    private var wanted: [String] {
        switch self {
        case .otherSkippedRow(let written, _, _): [written]
        case .notInLine(_, let expected, _): expected
        case .movedColumn, .record, .behindEnd: []
        }
    }

    /// The same, with the reason where a row that is UTF-8 was read in another encoding.
    func text(_ row: borrowing RowScanner, readAs encoding: String?) -> String {
        guard let encoding else { return text }
        let cells = HeaderFault.texts(of: row)
        let found = Array(cells.joined(separator: [row.delimiter]))
        let isMisread = wanted.contains { text in
            let bytes = Array(text.utf8)
            guard bytes.contains(where: { $0 >= 0x80 }) else { return false }
            return TextEncoding.misread(bytes, as: encoding) == found
                || cells.contains {
                    TextEncoding.misread(bytes, as: encoding) == $0
                }
        }
        guard isMisread else { return text }
        return
            "this row is UTF-8, and was read as \(encoding), which \"encoding\" says: the feed has another encoding now"
    }

    private static func advice(_ other: Int?) -> String {
        other.map { "line \($0) has some, so perhaps \"headerLine\": \($0)" }
            ?? "see in which line the header is (sluice init finds it)"
    }

    /// A row, quoted; of a long one its beginning.
    private static func shown(_ row: String) -> String {
        JSONText.quoted(row.count > 80 ? row.prefix(79) + "…" : row)
    }

    /// The first few names, quoted.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(5).map { JSONText.quoted($0) }.joined(separator: ", ")
        return names.count > 5 ? shown + ", …" : shown
    }
}

extension Model {
    /// The columns of a table that the entities of a source take; none where one takes whatever columns there are.
    func columns(of source: Int) -> [String] {
        let slots = entities.filter { $0.sources.contains(source) }.flatMap(\.slots)
        // The whole row.
        if slots.contains(where: { $0.path.root == .feed }) { return [] }
        var names: [String] = []
        for path in slots.map(\.path) where path.root == .record && path.parents == 0 {
            // What stands for all members has a name that no column has.
            guard case .name(let name)? = path.steps.first, !name.utf8.contains(0) else { return [] }
            if !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { names.append(name) }
        }
        return names
    }
}
