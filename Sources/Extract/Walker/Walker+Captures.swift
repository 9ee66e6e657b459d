import SluiceRecords

extension Walker {
    /// Begins to capture the text of the container that yajl has met the beginning of.
    mutating func openCapture(_ action: Action, _ cursor: Cursor) {
        let row = open.records[Int(cursor.record)].rowStart + Int(action.ordinal)
        let start = tokenEnd - 1
        let place = position(of: start)
        var capture = Capture(
            start: start, line: place.line, column: place.column, depth: depth + 1, row: row, slot: Int(action.slot),
            element: -1)
        if action.kind == .listJSON, let batch = action.isOutside ? around.ancestors.values : output.batch {
            // Elements of lists stand in the order of their beginnings.
            capture.element = batch.elementCount
            unsafe batch.append(.null, to: &open.rows[row].cells[capture.slot])
        }
        if open.captureCount > 0 { checkHeld() }
        open.captures.ensure(open.captureCount + 1)
        open.captures[open.captureCount] = capture
        open.captureCount += 1
    }

    /// Ends the captures of the container that yajl has met the end of; false if one is too long.
    mutating func finishCaptures() -> Bool {
        while open.captureCount > 0 && open.captures[open.captureCount - 1].depth == depth {
            open.captureCount -= 1
            let capture = open.captures[open.captureCount]
            let json = unsafe captured(from: capture.start)
            guard json.count <= feed.options.maxText else {
                _ = tooLong(capture)
                return false
            }
            let isOutside = open.rows[capture.row].entity < 0
            let start = unsafe json.baseAddress.unsafelyUnwrapped
            let text =
                unsafe isOutside
                ? Minify.append(start, json.count, to: &around.ancestors.values.arena)
                : Minify.append(start, json.count, to: &output.arena)
            if capture.element >= 0 {
                guard let elements = (isOutside ? around.ancestors.values : output.batch)?.elements else { continue }
                elements[capture.element] = ListElement(cell: text, next: elements[capture.element].next)
            } else {
                unsafe open.rows[capture.row].cells[capture.slot] = text
            }
            checkHeld()
            if output.wantsHandOut, open.captureCount > 0, heldBytes > feed.options.maxRecord {
                ending.failure = tooMuch()
                return false
            }
        }
        return true
    }

    /// The bytes of a container that has ended.
    private mutating func captured(from start: UInt64) -> UnsafeBufferPointer<UInt8> {
        if feed.isTable { return unsafe feed.table.rowText() }
        let base = unsafe feed.window.base + feed.window.index(of: start)
        return unsafe UnsafeBufferPointer(start: base, count: Int(tokenEnd - start))
    }
}
