import SluiceExtract
import SluiceRecords

/// Whether a table has a header: a first line that is a record like those below it has numbers where these have some.
enum TableHeader {
    private static let mostRows = 50

    /// Names for the columns of a table without a header, such as `column1`; nil: its first line names them.
    static func names(of source: any ByteSource, delimiter: UInt8) throws(Failure) -> [String]? {
        var rows = rows(of: try TableGuess.firstBytes(of: source), delimiter)
        // What spreadsheets write of the delimiter.
        if rows.first?.first.map({ $0.hasPrefix("sep=") }) == true { rows.removeFirst() }
        guard let first = rows.first, rows.count > 1 else { return nil }
        let records = rows.dropFirst().filter { $0.count == first.count }
        let numbers = first.indices.filter { column in
            let cells = records.map { $0[column] }.filter { !$0.isEmpty }
            return !cells.isEmpty && cells.allSatisfy { number($0) != nil }
        }
        // Columns are called as years are, in tables of statistics.
        let isRecord = numbers.contains { column in
            guard let number = number(first[column]) else { return false }
            return number != number.rounded() || !(1500...2200).contains(number)
        }
        // All of them: else a name is among them.
        guard isRecord, numbers.allSatisfy({ first[$0].isEmpty || number(first[$0]) != nil }) else { return nil }
        return first.indices.map { "column\($0 + 1)" }
    }

    /// Names for the columns of a table whose header has one of them twice; nil: all of its names differ. What it calls
    /// nothing stays without a name, and is passed over.
    static func distinctNames(of source: any ByteSource, delimiter: UInt8) throws(Failure) -> [String]? {
        var rows = rows(of: try TableGuess.firstBytes(of: source), delimiter)
        if rows.first?.first.map({ $0.hasPrefix("sep=") }) == true { rows.removeFirst() }
        let names = rows.first ?? []
        let given = Set(names.map { ExactText($0) })
        guard given.count < names.count - max(0, names.count(where: \.isEmpty) - 1) else { return nil }
        var taken: Set<ExactText> = []
        return names.map { name in
            var (own, number) = (name, 2)
            while !name.isEmpty,
                number > 2 && given.contains(ExactText(own)) || !taken.insert(ExactText(own)).inserted
            {
                own = name + String(number)
                number += 1
            }
            return own
        }
    }

    /// Whether the first row below the header has the units of what stands below it: short texts, and no numbers where
    /// all other rows have some.
    static func hasUnits(_ source: any ByteSource, delimiter: UInt8) throws(Failure) -> Bool {
        var rows = rows(of: try TableGuess.firstBytes(of: source), delimiter)
        if rows.first?.first.map({ $0.hasPrefix("sep=") }) == true { rows.removeFirst() }
        guard let header = rows.first, rows.count >= 4, rows[1].count == header.count else { return false }
        let records = rows.dropFirst(2).filter { $0.count == header.count }
        let numbers = header.indices.filter { column in
            let cells = records.map { $0[column] }.filter { !$0.isEmpty }
            return cells.count >= 2 && cells.allSatisfy { number($0) != nil }
        }
        let units = numbers.map { rows[1][$0] }
        return units.contains { !$0.isEmpty } && units.allSatisfy(isUnit) && rows[1].allSatisfy { $0.utf8.count <= 16 }
    }

    /// A text that no one writes where a number lacks.
    private static func isUnit(_ text: String) -> Bool {
        let lacking: Set = [
            "-", "--", "na", "n/a", "nan", "null", "none", "nil", "?", ".", "*", "x", "unknown", "missing",
        ]
        return number(text) == nil && !lacking.contains(text.lowercased())
    }

    /// A text that is a number in digits.
    private static func number(_ text: String) -> Double? {
        let text = text.contains(".") ? text : text.replacingExactly(",", with: ".")
        return Double(text).flatMap { text.utf8.contains { (0x30...0x39).contains($0) } ? $0 : nil }
    }

    /// The cells of the first rows, without their quotation marks; the last one may be cut, and is left out where
    /// others are there.
    private static func rows(of bytes: [UInt8], _ delimiter: UInt8) -> [[String]] {
        var rows: [[String]] = []
        var (row, cell): ([String], [UInt8]) = ([], [])
        var isQuoted = false
        for byte in bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...] {
            if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if isQuoted || byte != delimiter && byte != 0x0a && byte != 0x0d {
                cell.append(byte)
            } else if byte != 0x0d {
                row.append(String(decoding: cell, as: UTF8.self))
                cell = []
                guard byte == 0x0a else { continue }
                if row != [""] { rows.append(row) }
                row = []
                if rows.count == mostRows { return rows }
            }
        }
        if bytes.count < 1 << 16, !cell.isEmpty || !row.isEmpty {
            rows.append(row + [String(decoding: cell, as: UTF8.self)])
        }
        return rows
    }
}
