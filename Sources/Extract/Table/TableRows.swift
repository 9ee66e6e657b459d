import SluiceRecords

/// Takes rows out of the bytes of a table that is read again, as JSON.
struct TableRows {
    private var options: FeedOptions
    private var columns = TableColumns()
    private var text = RowText()

    /// - Parameter source: the file from its beginning, which its header is.
    init(_ options: FeedOptions, _ source: any ByteSource) throws(Failure) {
        self.options = options
        var window = Window(chunkSize: 1 << 12)
        var table = TableFeed(options.table, isAgain: true, maxText: options.maxText, maxRecord: options.maxRecord)
        defer {
            window.deallocate()
            table.deallocate()
        }
        var bytes = TableBytes()
        reading: repeat {
            try bytes.fill(&window, &table, from: source)
            switch unsafe table.step(window.base, to: bytes.safeEnd, isLast: bytes.isLast) {
            case .more: window.start = table.next
            case .failure, .row: break reading
            }
        } while !bytes.isLast
        // The file may say what it is.
        self.options.table.delimiter = table.row.delimiter
        for index in 0..<table.columns.count {
            let name = table.columns.names[index]
            unsafe columns.append(name.text, name.length)
        }
    }

    mutating func deallocate() {
        columns.deallocate()
        text.deallocate()
    }

    /// The row that begins at an offset; nil if the feed ends before.
    ///
    /// - Parameter isOfBytes: whether it is no record: its bytes are wanted.
    mutating func row(
        at offset: UInt64, of bytes: ForwardBytes, isOfBytes: Bool = false
    ) throws(Failure) -> RecordText? {
        guard try bytes.move(to: offset) else { return nil }
        var scanner = RowScanner(options.table, maxText: .max)
        defer { scanner.deallocate() }
        let first = Int(offset - bytes.origin)
        if case .row = unsafe scanner.scan(bytes.base, from: first, to: bytes.count, isLast: false) {
            return unsafe record(scanner, of: bytes.base, from: first, isOfBytes)
        }
        // Its end is not at hand: what is has to be kept.
        var kept = unsafe [UInt8](UnsafeBufferPointer(start: bytes.base + first, count: bytes.count - first))
        var scanned = 0
        while true {
            let isLast = try !bytes.readOn()
            unsafe kept += UnsafeBufferPointer(start: bytes.base, count: bytes.count)
            // Twice as much each time, so that long rows are not scanned again and again.
            if !isLast && kept.count < 2 * scanned { continue }
            scanned = kept.count
            let row = unsafe kept.withUnsafeBufferPointer { buffer -> RecordText? in
                guard let base = buffer.baseAddress,
                    case .row = unsafe scanner.scan(base, from: 0, to: buffer.count, isLast: isLast)
                else { return nil }
                return unsafe record(scanner, of: base, from: 0, isOfBytes)
            }
            if row != nil || isLast { return row }
        }
    }

    private mutating func record(
        _ row: borrowing RowScanner, of bytes: UnsafePointer<UInt8>, from start: Int, _ isOfBytes: Bool
    ) -> RecordText {
        if isOfBytes {
            let count = row.cells[row.count - 1].end - start
            if count > RecordText.limit { return .tooLong(UInt64(count)) }
            return unsafe .bytes([UInt8](UnsafeBufferPointer(start: bytes + start, count: count)))
        }
        text.write(row, columns, options.table.emptyCell)
        if text.count > RecordText.limit { return .tooLong(UInt64(text.count)) }
        return .whole(
            unsafe String(decoding: UnsafeBufferPointer(start: text.bytes.base, count: text.count), as: UTF8.self))
    }
}
