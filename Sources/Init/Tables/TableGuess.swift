import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// Guesses how a table is written from its first lines.
enum TableGuess {
    /// What stands between its cells; nil: what its format says. It is in the first line: a semicolon or a tab where
    /// all lines have it as often, and more often than what the format says, which then stands in numbers or texts.
    static func delimiter(of bytes: any ByteSource, _ format: Source.Format) throws(Failure) -> UInt8? {
        let usual = UInt8(ascii: format == .tsv ? "\t" : ",")
        let lines = lines(of: try firstBytes(of: bytes).withoutByteOrderMark)
        guard let first = lines.first else { return nil }
        if let own = first[usual] {
            let whole = lines.count > 1 ? lines.dropLast() : lines[...]
            return [UInt8(ascii: ";"), UInt8(ascii: "\t")].first { other in
                other != usual && first[other, default: 0] > own && whole.allSatisfy { $0[other] == first[other] }
            }
        }
        return TableForm.usualDelimiters.max { first[$0, default: 0] < first[$1, default: 0] }.flatMap {
            first[$0] == nil ? nil : $0
        }
    }

    /// What stands between the cells of most lines, all as often, where that is not what the first line has; nil:
    /// nothing.
    static func delimiterOfMost(_ bytes: any ByteSource, unless own: UInt8) throws(Failure) -> UInt8? {
        let lines = lines(of: try firstBytes(of: bytes).withoutByteOrderMark).dropFirst().dropLast()
        // A comma stands in numbers, too.
        let order = [UInt8(ascii: ",")] + TableForm.usualDelimiters.filter { $0 != UInt8(ascii: ",") }
        let counts = order.map { delimiter in
            let numbers = lines.reduce(into: [Int: Int]()) { counts, line in
                if let number = line[delimiter] { counts[number, default: 0] += 1 }
            }
            return (delimiter, lines: numbers.values.max() ?? 0)
        }
        let best = counts.reduce(counts[0]) { $1.lines >= $0.lines ? $1 : $0 }
        return 2 * best.lines > lines.count && best.0 != own ? best.0 : nil
    }

    /// Whether some first bytes are those of an object or a list.
    static func isJSON(_ bytes: [UInt8]) -> Bool {
        let first = bytes.withoutByteOrderMark.first { !(0x09...0x0d).contains($0) && $0 != 0x20 }
        return first.map("{[".utf8.contains) == true
    }

    /// How the table is written that some bytes begin with; nil: they are those of no table. Its first lines have the
    /// same number of cells, more than one.
    static func format(of bytes: [UInt8]) -> Source.Format? {
        if isJSON(bytes) { return nil }
        var lines = lines(of: bytes.withoutByteOrderMark)
        // The last line may be cut, or there is none behind it.
        if lines.count > 1 { lines.removeLast() }
        guard let first = lines.first else { return nil }
        let found = TableForm.usualDelimiters.first { delimiter in
            first[delimiter] != nil && lines.allSatisfy { $0[delimiter] == first[delimiter] }
        }
        return found.map { $0 == UInt8(ascii: "\t") ? .tsv : .csv }
    }

    /// How often each delimiter stands in each of the first lines that are not empty, outside quotation marks.
    private static func lines(of bytes: ArraySlice<UInt8>) -> [[UInt8: Int]] {
        var lines: [[UInt8: Int]] = []
        var counts: [UInt8: Int] = [:]
        var (isQuoted, isEmpty) = (false, true)
        for byte in bytes {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == 0x0a, !isQuoted {
                if !isEmpty { lines.append(counts) }
                (counts, isEmpty) = ([:], true)
                if lines.count > mostLines { return lines }
                continue
            }
            if byte != 0x0d { isEmpty = false }
            if !isQuoted, TableForm.usualDelimiters.contains(byte) { counts[byte, default: 0] += 1 }
        }
        // As if one more followed, which is cut.
        return lines + [counts]
    }

    private static let mostLines = 20

    /// How many bytes are looked at: 64 KiB.
    static let mostBytes = 1 << 16

    static func firstBytes(of source: any ByteSource) throws(Failure) -> [UInt8] { try source.bytes(most: mostBytes) }
}
