import SluiceExtract
import SluiceRecords

/// A table, read byte by byte in the simplest way: what the reader is compared with.
package struct ReferenceTable {
    package struct Cell {
        var text: [UInt8] = []
        var isQuoted = false
    }

    package struct Row {
        var cells: [Cell] = []
        var offset: Int
        var line: Int
        var column: Int
        var isBroken = false
        /// Whether its bytes are no text.
        var isOfBytes = false
    }

    /// How the bytes of a row are read.
    private enum State { case cell, plain, quoted, closed, broken }

    private let form: TableForm
    private var rows: [Row] = []
    private var row: Row?
    private var isOpen = false
    private(set) var names: [[UInt8]] = []
    /// Whether the feed is refused.
    package private(set) var isRefused = false

    package init(_ feed: [UInt8], _ form: TableForm) {
        self.form = form
        readRows(feed)
        // What ends within a quotation is no row.
        if isOpen {
            isRefused = true
            row = nil
        }
        if let row { append(row, feed[row.offset...]) }
        rows.removeAll { $0.cells.count == 1 && $0.cells[0].text.isEmpty && !$0.cells[0].isQuoted }
        takeHeader()
        passOverSkipped()
    }

    private mutating func append(_ row: Row, _ bytes: ArraySlice<UInt8>) {
        var row = row
        row.isOfBytes = String(validating: bytes, as: UTF8.self) == nil
        rows.append(row)
    }

    private mutating func readRows(_ feed: [UInt8]) {
        var state = State.cell
        var (line, lineStart) = (1, 0)
        var at = feed.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        while at < feed.count {
            let byte = feed[at]
            if row == nil {
                row = Row(cells: [Cell()], offset: at, line: line, column: at - lineStart + 1)
                state = .cell
            }
            if byte == 0x0a { (line, lineStart) = (line + 1, at + 1) }
            let isReturn = byte == 0x0d && (at + 1 == feed.count || feed[at + 1] == 0x0a)
            switch (state, byte) {
            case (.quoted, UInt8(ascii: "\"")): state = .closed
            case (.closed, UInt8(ascii: "\"")):
                append(byte)
                state = .quoted
            case (.quoted, _): append(byte)
            case (_, 0x0a):
                if let row { append(row, feed[row.offset..<at]) }
                row = nil
            case (_, form.delimiter):
                row?.cells.append(Cell())
                state = .cell
            case (.cell, UInt8(ascii: "\"")) where form.hasQuotes:
                let last = last
                row?.cells[last].isQuoted = true
                state = .quoted
            case (.plain, 0x0d) where isReturn, (.cell, 0x0d) where isReturn, (.closed, 0x0d) where isReturn: break
            case (.closed, _), (.broken, _):
                row?.isBroken = true
                state = .broken
            default:
                append(byte)
                state = .plain
            }
            at += 1
        }
        isOpen = row != nil && state == .quoted
    }

    private var last: Int { (row?.cells.count ?? 1) - 1 }

    private mutating func append(_ byte: UInt8) {
        let last = last
        row?.cells[last].text.append(byte)
    }

    private mutating func takeHeader() {
        names = (form.names ?? []).map { Array($0.utf8) }
        guard form.hasHeader else { return }
        if let headerLine = form.headerLine {
            let hasTitles = !rows.isEmpty
            rows.removeAll { $0.line < headerLine }
            if hasTitles && rows.isEmpty { isRefused = true }
        }
        guard !rows.isEmpty else { return }
        let header = rows.removeFirst()
        if header.isBroken || header.isOfBytes || isOther(header.cells.map(\.text)) { (isRefused, rows) = (true, []) }
        guard form.names == nil else { return }
        names = header.cells.map(\.text)
        let given = names.filter { !$0.isEmpty }
        if Set(given).count < given.count { (isRefused, rows) = (true, []) }
    }

    private mutating func passOverSkipped() {
        if isRefused { return }
        let skipped = rows.prefix(form.skip.count)
        rows.removeFirst(skipped.count)
        guard case .written(let written) = form.skip else { return }
        let delimiter = form.delimiter
        // Rows of the definition have no quotation marks.
        for (row, text) in zip(skipped, written)
        where row.cells.map(\.text)
            != Array(text.utf8).split(separator: delimiter, omittingEmptySubsequences: false)
            .map(Array.init)
        {
            (isRefused, rows) = (true, [])
            return
        }
    }

    private func isNumber(_ cell: [UInt8]) -> Bool {
        let digits = Array("0123456789".utf8)
        return cell.contains(where: digits.contains) && cell.allSatisfy((digits + Array("+-.,:/ ".utf8)).contains)
    }

    /// Whether a header is another one than that of `names`.
    private func isOther(_ header: [[UInt8]]) -> Bool {
        if form.names == nil { return false }
        let given = names.filter { !$0.isEmpty }
        let isDisjoint = Set(given).isDisjoint(with: header)
        if isDisjoint && (form.headerLine != nil || header.contains(where: isNumber)) { return true }
        return given.contains { name in
            guard let own = names.firstIndex(of: name) else { return false }
            let places = header.indices.filter { header[$0] == name }
            return !places.contains(own) && places.contains { $0 < names.count }
        }
    }

    /// What the reader is to make of it, with a slot for each name and one for the whole record.
    package func rows(_ slots: [String]) -> [String] {
        rows.enumerated().map { number, row in
            let values = slots.map { slot in
                guard let index = names.firstIndex(of: Array(slot.utf8)), index < row.cells.count else {
                    return "absent"
                }
                // Of shorter rows, only the first cell is known to be in its column; of longer ones, none is.
                if row.cells.count > names.count || index > 0 && row.cells.count < names.count { return "absent" }
                let cell = row.cells[index]
                if row.isOfBytes, String(validating: cell.text, as: UTF8.self) == nil { return "absent" }
                return isNull(cell) ? "null" : "string:" + String(decoding: cell.text, as: UTF8.self)
            }
            let digits = String(number)
            let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            let isHeader = form.hasHeader && form.names == nil && names.count > 1 && row.cells.map(\.text) == names
            let isRejected = row.isBroken || row.isOfBytes || row.cells.count != names.count || isHeader
            let status = isRejected ? " rejected" : ""
            return "Row#\(padded) \(row.offset) \(row.line):\(row.column) $\(status) | "
                + (values + ["json:" + json(row)]).joined(separator: " | ")
        }.sorted()
    }

    private func isNull(_ cell: Cell) -> Bool {
        cell.text.isEmpty && (form.emptyCell == .null || form.emptyCell == .quoted && !cell.isQuoted)
    }

    private func json(_ row: Row) -> String {
        let cells = zip(names, row.cells).filter { name, cell in
            !name.isEmpty && (!row.isOfBytes || String(validating: cell.text, as: UTF8.self) != nil)
        }
        var members = cells.map { json($0.0) + ":" + json($0.1) }
        if row.cells.count > names.count, !row.isOfBytes {
            members.append("\"\":[" + row.cells[names.count...].map(json).joined(separator: ",") + "]")
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private func json(_ cell: Cell) -> String { isNull(cell) ? "null" : json(cell.text) }

    private func json(_ text: [UInt8]) -> String {
        let short: [UInt8: String] = [0x08: "b", 0x09: "t", 0x0a: "n", 0x0c: "f", 0x0d: "r", 0x22: "\"", 0x5c: "\\"]
        var out: [UInt8] = []
        for byte in text {
            if let letter = short[byte] {
                out += Array("\\\(letter)".utf8)
            } else if byte < 0x20 {
                out += Array("\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
            } else {
                out.append(byte)
            }
        }
        return "\"" + String(decoding: out, as: UTF8.self) + "\""
    }
}
