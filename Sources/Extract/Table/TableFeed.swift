import SluiceRecords

/// Reads the rows of a table out of the bytes of a window: what its columns are called, and the cells of each row.
@safe
struct TableFeed {
    enum Step {
        /// A row is there: its cells are the scanner's, and it is in these bytes of the window.
        case row(start: Int, end: Int)
        /// More bytes are needed.
        case more
        case failure(Problem, at: Int)
    }

    /// What ends a table.
    enum Problem {
        case openQuote
        case longCell
        case longRow
        /// A column of the header whose cell cannot be told apart from what follows it.
        case behindQuote
        /// A carriage return within a cell of the header: rows end with it alone.
        case returnAlone
        /// A byte of the header that is no character.
        case malformedUTF8
        /// A column that the definition takes has the name of another.
        case repeatedName(String)
        /// The header is not as the definition has it.
        case otherHeader(HeaderFault)
    }

    let form: TableForm
    /// Columns of which a header in a line of its own must have one: without it, that line is no header any more.
    private let expected: [String]
    /// The columns that the definition takes; none: whatever columns there are.
    private let taken: [String]
    /// Whether another reading has taken the header already.
    private let isAgain: Bool
    private(set) var row: RowScanner
    private(set) var columns = TableColumns()
    private(set) var text = RowText()
    /// Which bytes are no characters.
    var characters = TextScan()
    /// Where the next row begins.
    private(set) var next = 0
    private var needsHeader: Bool
    /// The line in which the next row begins, from 1 on; counted as far as the header.
    private var line = 1
    /// The first line above that of the header that may be the header.
    private var likelyLine: Int?
    /// Whether rows were passed over, as they are above the line of the header.
    private var hasTitles = false
    /// Whether nothing of the file has been looked at.
    private var isFirst = true
    private var rowsToSkip = 0
    private let maxRecord: Int

    /// - Parameters:
    ///   - columns: those that the definition takes, of which a header in a line of its own must have one; none:
    ///     whatever columns there are.
    ///   - isAgain: whether another reading has taken the header already.
    init(_ form: TableForm, columns: [String] = [], isAgain: Bool = false, maxText: Int, maxRecord: Int) {
        self.form = form
        taken = columns
        self.isAgain = isAgain
        expected = form.headerLine == nil ? [] : form.names?.filter { !$0.isEmpty } ?? columns
        self.maxRecord = maxRecord
        row = RowScanner(form, maxText: maxText)
        needsHeader = form.hasHeader
    }

    mutating func deallocate() {
        row.deallocate()
        columns.deallocate()
        text.deallocate()
    }

    /// Prepares for a file, which begins with these bytes.
    mutating func start(skipping mark: Int) {
        next = mark
        needsHeader = form.hasHeader
        (isFirst, rowsToSkip, line, likelyLine, hasTitles) = (true, form.skip.count, 1, nil, false)
        row.delimiter = form.delimiter
        columns.clear()
        for name in form.names ?? [] { columns.append(name) }
    }

    /// The window's bytes have moved to its front by so many.
    mutating func move(by count: Int) {
        next -= count
        characters.move(by: count)
    }

    /// Whether what comes next are rows of records.
    var isAtRows: Bool { !isFirst && !needsHeader && rowsToSkip == 0 }

    /// Goes on at another index: what is before it was taken otherwise.
    mutating func pass(to index: Int) { next = index }

    /// What tells the meaning of the cells: the names of the columns, and what stands between them.
    var meaning: [UInt8] {
        var bytes = [row.delimiter]
        for index in 0..<columns.count {
            let name = columns.names[index]
            unsafe bytes += UnsafeBufferPointer(start: name.text, count: name.length)
            // No name has it: it is no UTF-8.
            bytes.append(0xff)
        }
        return bytes
    }

    /// Goes to the next row.
    ///
    /// - Parameter isLast: whether no byte follows those before `end`.
    mutating func step(_ bytes: UnsafePointer<UInt8>, to end: Int, isLast: Bool) -> Step {
        if isFirst {
            guard unsafe takeSeparator(bytes, end, isLast: isLast) else { return .more }
            isFirst = false
        }
        while next < end {
            let start = next
            switch unsafe row.scan(bytes, from: start, to: end, isLast: isLast) {
            case .tooLong(let cell): return .failure(.longCell, at: cell)
            case .unfinished(let cell, let isQuoted):
                if end - start > maxRecord { return .failure(.longRow, at: start) }
                return isLast && isQuoted ? .failure(.openQuote, at: cell) : .more
            case .row(let following):
                if following - start > maxRecord { return .failure(.longRow, at: start) }
                next = following
                if unsafe isAboveHeader(bytes, from: start) {
                    _ = characters.takeBroken(before: following)
                    continue
                }
                if row.isBlank { continue }
                if let at = characters.takeBroken(before: following) {
                    if needsHeader { return .failure(.malformedUTF8, at: at) }
                    row.noteBroken(byte: unsafe bytes[at], number: at - start + 1)
                }
                if needsHeader {
                    guard let (problem, at) = unsafe takeHeader(bytes) else { continue }
                    return .failure(problem, at: at)
                }
                if rowsToSkip > 0 {
                    if let problem = skippedRowProblem() { return .failure(problem, at: start) }
                    rowsToSkip -= 1
                    continue
                }
                row.check(columns: columns.count)
                if row.fault == nil, isHeaderAgain { row.noteHeader() }
                return .row(start: start, end: row.cells[row.count - 1].end)
            }
        }
        return .more
    }

    /// Takes a first line such as `sep=;`, by which Excel is told the delimiter. False: more bytes are needed.
    private mutating func takeSeparator(_ bytes: UnsafePointer<UInt8>, _ end: Int, isLast: Bool) -> Bool {
        let word = Array("sep=".utf8)
        for (index, byte) in word.enumerated() {
            guard next + index < end else { return isLast }
            if unsafe bytes[next + index] != byte { return true }
        }
        // The character, and the end of the line.
        let at = next + word.count
        guard at + 2 < end || isLast else { return false }
        guard at + 1 < end else { return true }
        let (mark, following) = unsafe (bytes[at], bytes[at + 1])
        let isReturn = unsafe following == 0x0d && at + 2 < end && bytes[at + 2] == 0x0a
        guard mark == 0x09 || (0x20..<0x7f).contains(mark), mark != UInt8(ascii: "\""), following == 0x0a || isReturn
        else { return true }
        row.delimiter = mark
        next = at + (isReturn ? 3 : 2)
        line = 2
        return true
    }

    /// Whether the row that begins here is above the line of the header.
    private mutating func isAboveHeader(_ bytes: UnsafePointer<UInt8>, from start: Int) -> Bool {
        guard needsHeader, let headerLine = form.headerLine else { return false }
        let isAbove = line < headerLine
        if isAbove, !row.isBlank { hasTitles = true }
        if isAbove, likelyLine == nil, HeaderFault.isLikeHeader(row, expected) { likelyLine = line }
        for index in start..<next where unsafe bytes[index] == 0x0a { line += 1 }
        return isAbove
    }

    /// What is wrong where the table has ended: there are rows, and none of them was the header.
    var problemAtEnd: Problem? {
        guard needsHeader, hasTitles, let wanted = form.headerLine else { return nil }
        return .otherHeader(.behindEnd(wanted, other: likelyLine))
    }

    /// What is wrong with a row that is to be passed over: it is another one than the definition says.
    private func skippedRowProblem() -> Problem? {
        guard case .written(let rows) = form.skip else { return nil }
        let written = rows[rows.count - rowsToSkip]
        let cells = HeaderFault.texts(of: row)
        if cells == self.cells(of: written) { return nil }
        return .otherHeader(
            .otherSkippedRow(
                written: written, found: cells.map { String(decoding: $0, as: UTF8.self) },
                delimiter: Character(UnicodeScalar(row.delimiter))))
    }

    /// The cells of a row that the definition has.
    private func cells(of written: String) -> [[UInt8]] {
        let bytes = Array(written.utf8)
        var scanner = RowScanner(form, maxText: .max)
        defer { scanner.deallocate() }
        scanner.delimiter = row.delimiter
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            // A text of the definition is not empty. The cells point into it.
            _ = unsafe scanner.scan(bytes.baseAddress.unsafelyUnwrapped, from: 0, to: bytes.count, isLast: true)
            return HeaderFault.texts(of: scanner)
        }
    }

    /// Takes the names of the columns, and returns what is wrong with them.
    private mutating func takeHeader(_ bytes: UnsafePointer<UInt8>) -> (Problem, at: Int)? {
        needsHeader = false
        if let at = unsafe returnAlone(bytes) { return (.returnAlone, at) }
        if case .behindQuote(let cell)? = row.fault { return (.behindQuote, row.cells[cell].start) }
        if let (fault, cell) = HeaderFault.first(in: row, form, expected, likelyLine) {
            return (.otherHeader(fault), row.cells[cell].start)
        }
        guard form.names == nil else { return nil }
        var names: Set<[UInt8]> = []
        for index in 0..<row.count {
            let cell = row.cells[index]
            let name = unsafe [UInt8](UnsafeBufferPointer(start: cell.text, count: cell.length))
            if name.isEmpty || names.insert(name).inserted {
                unsafe columns.append(cell.text, cell.length)
            } else if mayRepeat(name) {
                columns.append("")
            } else {
                return (.repeatedName(String(decoding: name, as: UTF8.self)), cell.start)
            }
        }
        return nil
    }

    /// Whether the second column of a name may be passed over: nothing takes it.
    private func mayRepeat(_ name: [UInt8]) -> Bool {
        isAgain || !taken.isEmpty && !taken.contains { $0.utf8.elementsEqual(name) }
    }

    /// Where a carriage return stands in a cell without quotation marks, or behind those of one, of a header that only
    /// the end of the feed ends; nil: nowhere.
    private func returnAlone(_ bytes: UnsafePointer<UInt8>) -> Int? {
        if unsafe bytes[next - 1] == 0x0a { return nil }
        for index in 0..<row.count {
            let cell = row.cells[index]
            for at in cell.start..<cell.end where unsafe bytes[at] == 0x0d {
                if !cell.isQuoted { return at }
                if row.fault == .behindQuote(cell: index), unsafe bytes[at - 1] == UInt8(ascii: "\"") { return at }
            }
        }
        return nil
    }

    /// Whether the row has the names of the columns. A list of words may well have the one that is its header.
    @inline(__always)
    private var isHeaderAgain: Bool {
        form.hasHeader && form.names == nil && row.count > 1 && isName(0) && (1..<row.count).allSatisfy(isName)
    }

    /// Whether a cell has the name of its column.
    private func isName(_ index: Int) -> Bool {
        let (cell, name) = (row.cells[index], columns.names[index])
        guard cell.length == name.length else { return false }
        return unsafe UnsafeBufferPointer(start: cell.text, count: cell.length)
            .elementsEqual(UnsafeBufferPointer(start: name.text, count: name.length))
    }

    /// The row as JSON, in memory that the next call overwrites.
    mutating func rowText() -> UnsafeBufferPointer<UInt8> {
        text.write(row, columns, form.emptyCell)
        return unsafe UnsafeBufferPointer(start: text.bytes.base, count: text.count)
    }

    /// A cell as JSON, likewise.
    mutating func cellText(_ cell: UnsafePointer<UInt8>, _ length: Int) -> UnsafeBufferPointer<UInt8> {
        unsafe text.write(cell, length)
        return unsafe UnsafeBufferPointer(start: text.bytes.base, count: text.count)
    }

    /// Whether the row has more or fewer cells than there are columns.
    var hasOtherCells: Bool { row.count != columns.count }

    /// How many cells of the row are known to be in their columns: where delimiters lack, the first one; where there
    /// are more, none.
    var knownCells: Int { row.count == columns.count ? row.count : row.count < columns.count ? 1 : 0 }

    /// What is wrong with the row.
    var faultText: String {
        switch row.fault {
        case .behindQuote(let cell): RowFaultText.behindQuote(ofColumn: name(of: cell))
        case .header: RowFaultText.header
        case .count(let cells): RowFaultText.count(cells, of: columns.count)
        case .bytes(let byte, let number):
            "its byte \(number), 0x\(String(byte, radix: 16)), does not begin a character of UTF-8; "
                + OtherEncoding.hint(byte, isFirst: false)
        case nil: ""
        }
    }

    /// The name of a column, for messages.
    private func name(of column: Int) -> String {
        column < columns.count && columns.names[column].length > 0
            ? JSONText.quoted(columns.text(of: column)) : "\(column + 1)"
    }
}
