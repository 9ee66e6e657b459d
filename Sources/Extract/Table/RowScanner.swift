import Glibc
import SluiceRecords

/// Cuts bytes into rows and cells, as RFC 4180 has it: a cell in quotation marks may hold delimiters and line breaks,
/// and quotation marks, which are doubled. A quotation mark within a cell that does not begin with one is a character.
///
/// A row ends with a line feed, a carriage return before it being part of that end, or with the feed.
@safe
struct RowScanner {
    enum Outcome {
        /// The cells of a row are known; the next one begins at `next`.
        case row(next: Int)
        /// Its end is not among the bytes. Its last cell so far begins at `cell`, with a quotation mark or without.
        case unfinished(cell: Int, isQuoted: Bool)
        /// A cell that begins there is longer than it may be.
        case tooLong(cell: Int)
    }

    /// The cells of the last row. They point into the bytes that were scanned.
    private(set) var cells = Table<TableCell>()
    private(set) var count = 0
    private(set) var fault: RowFault?

    /// What stands between two cells.
    var delimiter: UInt8 { didSet { delimiters = UInt64(delimiter) &* RowScanner.ones } }
    private var delimiters: UInt64
    private let hasQuotes: Bool
    private let maxText: Int
    /// Cells in which quotation marks were doubled.
    private var plain = Table<UInt8>()
    private var plainCount = 0

    init(_ form: TableForm, maxText: Int) {
        delimiter = form.delimiter
        delimiters = UInt64(form.delimiter) &* RowScanner.ones
        hasQuotes = form.hasQuotes
        self.maxText = maxText
    }

    mutating func deallocate() {
        cells.deallocate()
        plain.deallocate()
    }

    /// Whether the bytes of the row are no text.
    var isOfBytes: Bool { fault?.isOfBytes == true }

    /// Whether the row has nothing in it.
    var isBlank: Bool { count == 1 && cells[0].length == 0 && !cells[0].isQuoted }

    /// Scans the row that begins at an index.
    ///
    /// - Parameter isLast: whether no byte follows those before `end`.
    mutating func scan(
        _ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, isLast: Bool
    ) -> Outcome {
        (count, plainCount, fault) = (0, 0, nil)
        var at = start
        while true {
            let isQuoted = unsafe hasQuotes && at < end && bytes[at] == RowScanner.quote
            let next = unsafe isQuoted ? quoted(bytes, at, end, isLast) : unquoted(bytes, at, end, isLast)
            guard let next else {
                // A carriage return may be part of the row's end.
                let size = unsafe end - at - (end > at && bytes[end - 1] == 0x0d ? 1 : 0) - (isQuoted ? 2 : 0)
                return size > maxText ? .tooLong(cell: at) : .unfinished(cell: at, isQuoted: isQuoted)
            }
            let last = cells[count - 1]
            if last.end - last.start - (isQuoted ? 2 : 0) > maxText { return .tooLong(cell: at) }
            at = next + 1
            if unsafe next >= end || bytes[next] != delimiter { return .row(next: min(at, end)) }
        }
    }

    /// Takes a cell that has no quotation mark in front, and returns where what follows it is: a delimiter, a line feed
    /// or the end of the feed; nil: that is not known.
    @inline(__always)
    private mutating func unquoted(
        _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ isLast: Bool
    ) -> Int? {
        let stop = unsafe plainEnd(bytes, start, end)
        if stop == end && !isLast { return nil }
        var close = stop
        if unsafe (stop == end || bytes[stop] != delimiter) && stop > start && bytes[stop - 1] == 0x0d { close -= 1 }
        unsafe add(TableCell(text: bytes + start, length: close - start, start: start, end: close, isQuoted: false))
        return stop
    }

    /// Likewise of a cell in quotation marks.
    private mutating func quoted(
        _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ isLast: Bool
    ) -> Int? {
        var at = start + 1
        var isDoubled = false
        while true {
            guard let found = unsafe memchr(bytes + at, Int32(RowScanner.quote), end - at) else { return nil }
            at = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
            // Whether it is doubled, the next byte says.
            if at + 1 == end { break }
            guard unsafe bytes[at + 1] == RowScanner.quote else { break }
            isDoubled = true
            at += 2
        }
        if at + 1 == end && !isLast { return nil }
        let close = at + 1
        var stop = close
        // What follows the closing quotation mark counts to the length of the cell.
        var last = close
        if unsafe close < end && bytes[close] != delimiter && bytes[close] != 0x0a {
            stop = unsafe plainEnd(bytes, close, end)
            if stop == end && !isLast { return nil }
            // A carriage return is part of the end of the row.
            let isEnd = unsafe (stop == end || bytes[stop] == 0x0a) && stop == close + 1 && bytes[close] == 0x0d
            if !isEnd {
                if fault == nil { fault = .behindQuote(cell: count) }
                last = unsafe bytes[stop - 1] == 0x0d ? stop - 1 : stop
            }
        }
        if isDoubled {
            unsafe addDoubled(bytes, start, close, end)
            unsafe (cells.base + count - 1).pointee.end = last
        } else {
            unsafe add(
                TableCell(text: bytes + start + 1, length: close - start - 2, start: start, end: last, isQuoted: true))
        }
        return stop
    }

    @inline(__always)
    private mutating func add(_ cell: TableCell) {
        cells.ensure(count + 1)
        cells[count] = cell
        count += 1
    }

    /// Takes a cell in which quotation marks are doubled.
    private mutating func addDoubled(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ close: Int, _ end: Int) {
        // What a row has here stays where it is until the next one.
        if plainCount == 0 { plain.ensure(end - start) }
        let target = unsafe plain.base + plainCount
        var length = 0
        var at = start + 1
        while at < close - 1 {
            let byte = unsafe bytes[at]
            unsafe target[length] = byte
            length += 1
            at += byte == RowScanner.quote ? 2 : 1
        }
        plainCount += length
        add(unsafe TableCell(text: UnsafePointer(target), length: length, start: start, end: close, isQuoted: true))
    }

    private static let quote = UInt8(ascii: "\"")
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// The first delimiter or line feed; `end` if there is none.
    @inline(__always)
    private func plainEnd(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var at = start
        let memory = unsafe UnsafeRawPointer(bytes)
        while end &- at >= 8 {
            // x - 1 & ~x has the top bit of a byte set where x is 0. A borrow can only mark bytes above such a one.
            let word = unsafe memory.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            let (one, other) = (word ^ delimiters, word ^ (0x0a &* RowScanner.ones))
            let zeros = ((one &- RowScanner.ones) & ~one) | ((other &- RowScanner.ones) & ~other)
            let marks = zeros & 0x8080_8080_8080_8080
            if marks != 0 { return at &+ marks.trailingZeroBitCount &>> 3 }
            at &+= 8
        }
        while at < end, unsafe bytes[at] != delimiter && bytes[at] != 0x0a { at &+= 1 }
        return at
    }

    /// Says that a byte of the row, its first of that kind, is no character: nothing else that is wrong with it
    /// matters.
    mutating func noteBroken(byte: UInt8, number: Int) { fault = .bytes(byte, number: number) }

    /// Says that the row is the header once more.
    mutating func noteHeader() { fault = .header }

    /// Says that the row has not as many cells as there are columns, if nothing else is wrong with it.
    mutating func check(columns: Int) {
        if fault == nil && count != columns { fault = .count(count) }
    }
}
