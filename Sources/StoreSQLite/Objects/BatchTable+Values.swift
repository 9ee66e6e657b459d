import CSluiceSQLite
import SluiceLoad
import SluiceRecords

// The values of the table, as SQLite takes them.
extension BatchTable.State {
    /// Ends the rows if the one before has not been written, where SQLite numbers them.
    @inline(__always)
    mutating func checkNumber(before place: Int) {
        guard unsafe isNumbered, let row = unsafe rows?[place - 1], let objectID = unsafe objectIDs?[row] else {
            return
        }
        if unsafe sqlite3_last_insert_rowid(connection) != objectID { unsafe count = place }
    }

    /// Gives SQLite a value. Without a result, it is null.
    @inline(__always)
    func setResult(_ column: Int, _ place: Int, of result: OpaquePointer?) {
        let column = unsafe columns[column]
        switch column {
        case .null: break
        case .source, .target, .position, .linkTargetName, .linkValue:
            guard let link = unsafe links?[place] else { break }
            unsafe setResult(column, link, of: result)
        case .objectID, .attribute, .reference, .targetName:
            guard let row = unsafe rows?[place] else { break }
            unsafe setResult(column, row: row, of: result)
        case .origin, .line, .column, .offset:
            guard let row = unsafe rows?[place], let position = unsafe positions?[row] else { break }
            unsafe setResult(column, position, of: result)
        }
    }

    @inline(__always)
    private func setResult(_ column: BatchTable.Column, _ position: RecordPosition, of result: OpaquePointer?) {
        let number: UInt64 =
            switch column {
            case .origin: UInt64(position.file) << 16 | UInt64(position.source)
            case .line: position.line
            case .column: position.column
            default: position.offset
            }
        unsafe sqlite3_result_int64(result, Int64(bitPattern: number))
    }

    @inline(__always)
    private func setResult(_ column: BatchTable.Column, row: Int, of result: OpaquePointer?) {
        switch column {
        case .objectID:
            if let objectID = unsafe objectIDs?[row] { unsafe sqlite3_result_int64(result, objectID) }
        case .attribute(let attribute):
            guard let cell = unsafe typed?[row * width + attribute], let arena = unsafe arena else { break }
            unsafe setResult(cell, arena, of: result)
        case .reference(let relationship):
            guard let reference = unsafe references?[row * relationshipCount + relationship], reference.isKnown else {
                break
            }
            unsafe sqlite3_result_int64(result, reference.objectID)
        case .targetName(let relationship):
            guard let reference = unsafe references?[row * relationshipCount + relationship], reference.isKnown else {
                break
            }
            unsafe setTextResult(targetNames[relationship][reference.target], of: result)
        default: break
        }
    }

    @inline(__always)
    private func setResult(_ column: BatchTable.Column, _ linked: SourceLink, of result: OpaquePointer?) {
        let link = linked.link
        switch column {
        case .source: unsafe sqlite3_result_int64(result, linked.source)
        case .target: unsafe sqlite3_result_int64(result, link.reference.objectID)
        case .position: unsafe sqlite3_result_int64(result, link.position)
        case .linkValue(let index):
            guard link.values > 0, let cells = unsafe linkCells, let arena = unsafe arena else { break }
            unsafe setResult(cells[(Int(link.values) - 1) * linkWidth + index], arena, of: result)
        default: unsafe setTextResult(targetNames[0][link.reference.target], of: result)
        }
    }

    /// A typed cell. The arena stays as it is until the statement has run: nothing is copied.
    @inline(__always)
    private func setResult(_ cell: Cell, _ arena: UnsafePointer<UInt8>, of result: OpaquePointer?) {
        switch cell.kind {
        case .text, .impossible:
            // The length always goes along, and the pointer is never null: a text may hold NUL, and may be empty.
            let bytes = unsafe UnsafeRawPointer(arena + cell.offset).assumingMemoryBound(to: CChar.self)
            unsafe sqlite3_result_text64(result, bytes, UInt64(cell.length), nil, UInt8(SQLITE_UTF8))
        case .integer: unsafe sqlite3_result_int64(result, cell.integer)
        case .real: unsafe sqlite3_result_double(result, cell.real)
        case .blob: unsafe sqlite3_result_blob64(result, arena + cell.offset, UInt64(cell.length), nil)
        default: break
        }
    }
}
