import Records

extension Walker {
    /// Begins to capture the text of the container that yajl has met the beginning of.
    mutating func openCapture(_ action: Action, _ cursor: Cursor) {
        let row = records[Int(cursor.record)].rowStart + Int(action.ordinal)
        let start = tokenEnd - 1
        let place = position(of: start)
        var capture = Capture(
            start: start, line: place.line, column: place.column, depth: depth + 1, row: row, slot: Int(action.slot),
            element: -1)
        if action.kind == .listJSON, let batch = action.isOutside ? ancestors.values : batch {
            // Elements of lists stand in the order of their beginnings.
            capture.element = batch.elementCount
            unsafe batch.append(.null, to: &rows[row].cells[capture.slot])
        }
        if captureCount > 0 { checkHeld() }
        captures.ensure(captureCount + 1)
        captures[captureCount] = capture
        captureCount += 1
    }

    /// Ends the captures of the container that yajl has met the end of; false if one is too long.
    mutating func finishCaptures() -> Bool {
        while captureCount > 0 && captures[captureCount - 1].depth == depth {
            captureCount -= 1
            let capture = captures[captureCount]
            let count = Int(tokenEnd - capture.start)
            guard count <= options.maxText else {
                _ = tooLong(capture)
                return false
            }
            let isOutside = rows[capture.row].entity < 0
            let start = unsafe window.base + window.index(of: capture.start)
            let text =
                unsafe isOutside
                ? Minify.append(start, count, to: &ancestors.values.arena) : Minify.append(start, count, to: &arena)
            if capture.element >= 0 {
                guard let elements = (isOutside ? ancestors.values : batch)?.elements else { continue }
                elements[capture.element] = ListElement(cell: text, next: elements[capture.element].next)
            } else {
                unsafe rows[capture.row].cells[capture.slot] = text
            }
            checkHeld()
            if wantsHandOut, captureCount > 0, heldBytes > options.maxRecord {
                failure = tooMuch()
                return false
            }
        }
        return true
    }
}
