import CSluiceYajl
import SluiceRecords

extension Walker {
    /// Gives a scalar to the slots that want it. `text` is what yajl gave, decoded; nil for `true`, `false` and `null`.
    @inline(__always)
    mutating func scalar(_ kind: CellKind, _ text: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
        let cursor = containers.cursors[pendingStart]
        let info = unsafe paths.tables.infos.base + Int(cursor.state)
        if unsafe pendingCount == 1 && info.pointee.isPlain {
            let action = unsafe paths.tables.actions.base + Int(info.pointee.actionStart)
            let row = unsafe open.records.base + Int(cursor.record)
            let cells = unsafe (open.rows.base + row.pointee.rowStart + Int(action.pointee.ordinal)).pointee.cells
            unsafe cells[Int(action.pointee.slot)] = cell(kind, text, length)
            return 1
        }
        return unsafe scalarForAll(kind, text, length)
    }

    /// Copies a scalar into the batch.
    @inline(__always)
    private mutating func cell(_ kind: CellKind, _ text: UnsafePointer<UInt8>?, _ length: Int) -> Cell {
        guard let text = unsafe text else { return Cell(kind: kind) }
        let offset = unsafe output.arena.append(text, length)
        return Cell(kind: kind, payload: UInt64(truncatingIfNeeded: offset), length: UInt32(truncatingIfNeeded: length))
    }

    @inline(never)
    private mutating func scalarForAll(_ kind: CellKind, _ text: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
        if depth == 0 {
            let start = unsafe tokenStart(kind, text, length)
            // To yajl, 01 is a sequence of two numbers.
            if start == feed.valueEnd && valueCount > 1 {
                ending.isBetweenValues = true
                return fail(.data, "white space was expected between this value and the one before", at: start)
            }
            feed.valueEnd = tokenEnd
            if kind == .null, feed.options.nullIsNothing { return 1 }
        }
        // One copy serves all slots that want it.
        var value: Cell?
        var json: Cell?
        var isUsed = false
        var isOnTheWay = false
        var holdsRecords = false
        for index in pendingStart..<pendingStart + pendingCount {
            var cursor = containers.cursors[index]
            let place = paths.tables.infos[Int(cursor.state)]
            let isRecord = place.template >= 0 && paths.tables.templates[Int(place.template)].entityCount > 0
            if isRecord {
                let state = beginRecord(place, offset: unsafe tokenStart(kind, text, length), depth: .max)
                cursor = Cursor(state: state, record: Int32(open.recordCount - 1))
            }
            let info = paths.tables.infos[Int(cursor.state)]
            isUsed = isUsed || isRecord || info.isValue
            isOnTheWay = isOnTheWay || info.isOnTheWay
            holdsRecords = holdsRecords || place.holdsRecords
            for action in Int(info.actionStart)..<Int(info.actionStart + info.actionCount) {
                let action = paths.tables.actions[action]
                if action.isOutside {
                    unsafe giveOutside(kind, text, length, action, cursor)
                    continue
                }
                switch action.kind {
                case .value, .listValue:
                    let found = unsafe value ?? cell(kind, text, length)
                    value = found
                    store(found, action, cursor)
                case .json, .listJSON:
                    let found = unsafe json ?? jsonCell(kind, text, length)
                    json = found
                    store(found, action, cursor)
                case .key, .listKey, .listPlace, .listBegin: actOnNode(action, cursor)
                case .listWithin where Walker.isFilled(kind, length):
                    let found = unsafe json ?? jsonCell(kind, text, length)
                    json = found
                    store(found.asUnlisted, action, cursor)
                case .listWithin: break
                }
            }
            if isRecord {
                if kind == .brokenString { reject(record: open.recordCount - 1, "@") }
                if info.isOnTheWay && Walker.isFilled(kind, length) {
                    noteUnused(recordField(template: place.template))
                }
                endRecord()
            }
        }
        if isOnTheWay && !isUsed && Walker.isFilled(kind, length) { noteScalarOnTheWay() }
        // As an answer to the question for records, `false` says that there are none.
        if holdsRecords && kind != .no && Walker.isFilled(kind, length) {
            let isElement = depth > 0 && (unsafe top.pointee.isArray)
            noteHidden(pendingStart..<pendingStart + pendingCount, isElement: isElement, isArray: false)
        }
        if ending.mustStop { return 0 }
        return output.wantsHandOut || around.wantsDrain ? passOn() : 1
    }

    /// Gives a container to the slots that want it.
    mutating func act(_ cursor: Cursor, _ info: StateInfo, _ kind: CellKind) {
        for action in Int(info.actionStart)..<Int(info.actionStart + info.actionCount) {
            let action = paths.tables.actions[action]
            switch action.kind {
            case _ where action.isOutside: actOutside(kind, action, cursor)
            case .value, .listValue: store(Cell(kind: kind), action, cursor)
            case .json, .listJSON: openCapture(action, cursor)
            case .key, .listKey, .listPlace, .listBegin: actOnNode(action, cursor)
            case .listWithin: break
            }
        }
    }

    /// Whether a scalar is something, where a list was looked for: null and an empty text say that there is none.
    static func isFilled(_ kind: CellKind, _ length: Int) -> Bool {
        kind == .number || kind == .yes || kind == .no || kind == .string && length > 0
    }

    /// Does what does not depend on the value.
    private mutating func actOnNode(_ action: Action, _ cursor: Cursor) {
        switch action.kind {
        case .listBegin: unsafe cell(of: action, cursor).pointee = Cell(kind: .list)
        case .listPlace: store(placeCell(below: cursor), action, cursor)
        default: store(keyCell(), action, cursor)
        }
    }

    /// The cell that an action fills.
    func cell(of action: Action, _ cursor: Cursor) -> UnsafeMutablePointer<Cell> {
        let row = open.records[Int(cursor.record)].rowStart + Int(action.ordinal)
        return unsafe open.rows[row].cells + Int(action.slot)
    }

    private mutating func store(_ value: Cell, _ action: Action, _ cursor: Cursor) {
        let cell = unsafe cell(of: action, cursor)
        switch action.kind {
        case .listValue, .listJSON, .listKey, .listPlace, .listWithin:
            unsafe output.batch?.append(value, to: &cell.pointee)
            checkHeld()
        default: unsafe cell.pointee = value
        }
    }

    /// The key or the index of the value that is being read.
    mutating func keyCell() -> Cell {
        guard depth > 0 else { return .absent }
        if unsafe top.pointee.isArray { return .integer(Int64(unsafe top.pointee.index)) }
        if unsafe top.pointee.hasBrokenKey { return Cell(kind: .brokenString) }
        guard let key = unsafe top.pointee.key else { return .absent }
        return unsafe cell(.string, key, top.pointee.keyLength)
    }

    /// A scalar as it is in the feed.
    private mutating func jsonCell(_ kind: CellKind, _ text: UnsafePointer<UInt8>?, _ length: Int) -> Cell {
        guard kind != .null && kind != .brokenString else { return Cell(kind: kind) }
        if let text = unsafe text, feed.isTable {
            let json = unsafe feed.table.cellText(text, length)
            return unsafe cell(.json, json.baseAddress, json.count)
        }
        let start = feed.window.index(of: unsafe tokenStart(kind, text, length))
        return unsafe cell(.json, feed.window.base + start, feed.window.index(of: tokenEnd) - start)
    }

    /// The offset after the token that yajl has met.
    var tokenEnd: UInt64 {
        guard let handle = unsafe feed.handle else { return feed.token.end }
        return unsafe feed.origin + UInt64(yajl_get_bytes_consumed(handle))
    }

    /// The offset of the scalar that yajl has met.
    func tokenStart(_ kind: CellKind, _ text: UnsafePointer<UInt8>?, _ length: Int) -> UInt64 {
        if feed.isTable { return feed.token.start }
        switch kind {
        case .no: return tokenEnd - 5
        case .yes, .null: return tokenEnd - 4
        case .number: return tokenEnd - UInt64(length)
        default: break
        }
        // A string without escapes, whole in the window, is not copied by yajl.
        if let text = unsafe text, unsafe isInWindow(text) { return tokenEnd - UInt64(length) - 2 }
        let closing = feed.window.index(of: tokenEnd) - 1
        return feed.window.offset(of: unsafe Token.stringStart(feed.window.base, closing: closing))
    }
}
