import CSluiceYajl
import SluiceRecords

extension EventReader {
    /// Reads a table to its end: each row is an object.
    func readTable(_ source: any ByteSource, _ callbacks: yajl_callbacks) throws(Failure) -> Ending {
        var window = Window(chunkSize: options.chunkSize)
        var table = TableFeed(options.table, maxText: options.maxText, maxRecord: options.maxRecord)
        defer {
            window.deallocate()
            table.deallocate()
        }
        var bytes = TableBytes()
        var unused = UnusedCells()
        repeat {
            try bytes.fill(&window, &table, from: source)
            reading: while true {
                switch unsafe table.step(window.base, to: bytes.safeEnd, isLast: bytes.isLast) {
                case .more: break reading
                case .failure: return .invalid
                case .row where table.row.isOfBytes: return .invalid
                case .row(let start, _) where table.row.fault != nil:
                    unused.reject(table.faultText, at: window.offset(of: start))
                case .row(let start, _):
                    noteUnnamed(table, &unused)
                    if isBlank(table) {
                        unused.passBlank(at: window.offset(of: start))
                        continue
                    }
                    unsafe events.row?(context, window.offset(of: start))
                    if !tell(table, callbacks) { return .stopped }
                }
            }
            window.start = table.next
        } while !bytes.isLast
        return .whole(isBroken: false, unused: unused)
    }

    /// Whether a row has no value in a column with a name, as spreadsheets write delimiters alone below a table.
    private func isBlank(_ table: borrowing TableFeed) -> Bool {
        for index in 0..<min(table.row.count, table.columns.count) where table.columns.names[index].length > 0 {
            if !table.row.cells[index].isNull(table.form.emptyCell) { return false }
        }
        return true
    }

    private func noteUnnamed(_ table: borrowing TableFeed, _ unused: inout UnusedCells) {
        for index in 0..<min(table.row.count, table.columns.count) where table.columns.names[index].length == 0 {
            if !table.row.cells[index].isNull(table.form.emptyCell) { unused.passUnnamed(index) }
        }
    }

    /// Tells of a row; false: that is enough.
    private func tell(_ table: borrowing TableFeed, _ callbacks: yajl_callbacks) -> Bool {
        guard unsafe callbacks.yajl_start_map(context) != 0 else { return false }
        for index in 0..<min(table.row.count, table.columns.count) {
            let (cell, name) = (table.row.cells[index], table.columns.names[index])
            if name.length == 0 { continue }
            guard unsafe callbacks.yajl_map_key(context, name.text, name.length) != 0 else { return false }
            let isWanted =
                unsafe cell.isNull(table.form.emptyCell)
                ? callbacks.yajl_null(context) : callbacks.yajl_string(context, cell.text, cell.length)
            if isWanted == 0 { return false }
        }
        return unsafe callbacks.yajl_end_map(context) != 0
    }
}
