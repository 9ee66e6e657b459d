import SluiceRecords

/// The rows of a table as JSON: objects whose members are texts and nulls, by the names of their columns.
@safe
struct RowText {
    private(set) var bytes = Table<UInt8>()
    private(set) var count = 0

    mutating func deallocate() { bytes.deallocate() }

    /// Writes a row. Cells behind the last column are the elements of a list whose key is empty.
    /// Where the row is no text, it has those cells of the columns that are.
    mutating func write(_ row: borrowing RowScanner, _ columns: TableColumns, _ empty: TableForm.EmptyCell) {
        count = 0
        append(UInt8(ascii: "{"))
        let isOfBytes = row.isOfBytes
        for index in 0..<min(row.count, columns.count) where columns.names[index].length > 0 {
            if isOfBytes, !row.cells[index].isText { continue }
            if count > 1 { append(UInt8(ascii: ",")) }
            let name = columns.names[index]
            unsafe append(UnsafePointer(name.text), name.length)
            append(UInt8(ascii: ":"))
            append(row.cells[index], empty)
        }
        if row.count > columns.count, !isOfBytes {
            if count > 1 { append(UInt8(ascii: ",")) }
            append("\"\":[")
            for index in columns.count..<row.count {
                if index > columns.count { append(UInt8(ascii: ",")) }
                append(row.cells[index], empty)
            }
            append(UInt8(ascii: "]"))
        }
        append(UInt8(ascii: "}"))
    }

    /// Writes a text alone.
    mutating func write(_ text: UnsafePointer<UInt8>, _ length: Int) {
        count = 0
        unsafe append(text, length)
    }

    private mutating func append(_ cell: TableCell, _ empty: TableForm.EmptyCell) {
        if cell.isNull(empty) { return append("null") }
        unsafe append(cell.text, cell.length)
    }

    private mutating func append(_ byte: UInt8) {
        bytes.ensure(count + 1)
        bytes[count] = byte
        count += 1
    }

    private mutating func append(_ text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount { append(unsafe text.utf8Start[index]) }
    }

    /// Appends a text with its quotation marks.
    private mutating func append(_ text: UnsafePointer<UInt8>, _ length: Int) {
        // An escape has six bytes at the most.
        bytes.ensure(count + 6 * length + 2)
        append(UInt8(ascii: "\""))
        for index in 0..<length {
            let byte = unsafe text[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(byte)
            case 0x08: append("\\b")
            case 0x09: append("\\t")
            case 0x0a: append("\\n")
            case 0x0c: append("\\f")
            case 0x0d: append("\\r")
            case 0..<0x20:
                append("\\u00")
                append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
                append(unsafe RowText.digits.utf8Start[Int(byte & 0x0f)])
            default: append(byte)
            }
        }
        append(UInt8(ascii: "\""))
    }

    private static let digits: StaticString = "0123456789abcdef"
}
