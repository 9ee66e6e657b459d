import SluiceRecords

/// A cell of a row of a table.
@safe
struct TableCell: BitwiseCopyable {
    /// Its text: in the bytes of the feed, or, where quotation marks were doubled in it, in the scanner's own memory.
    var text: UnsafePointer<UInt8>
    var length: Int
    /// Where it is in the bytes that were scanned, with its quotation marks.
    var start: Int
    var end: Int
    var isQuoted: Bool

    /// Whether its text is UTF-8.
    var isText: Bool {
        unsafe String(validating: UnsafeBufferPointer(start: text, count: length), as: UTF8.self) != nil
    }

    /// Whether it is null.
    @inline(__always)
    func isNull(_ empty: TableForm.EmptyCell) -> Bool {
        length == 0 && (empty == .null || empty == .quoted && !isQuoted)
    }
}

/// Why the bytes of a row are none that can be told apart.
enum RowFault: Equatable {
    /// Something follows the closing quotation mark of the cell with that index.
    case behindQuote(cell: Int)
    /// It has so many cells, which are not as many as there are columns.
    case count(Int)
    /// It has the names of the columns once more: a header among the rows.
    case header
    /// It is no text: that byte of it, counted from 1, does not begin a character.
    case bytes(UInt8, number: Int)

    /// Whether its bytes are no text.
    var isOfBytes: Bool {
        if case .bytes = self { return true }
        return false
    }
}
