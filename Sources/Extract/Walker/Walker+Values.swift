import SluiceRecords

extension Walker {
    /// yajl has met a string.
    @inline(__always)
    mutating func string(_ text: UnsafePointer<UInt8>, _ length: Int) -> CInt {
        if length > shortText && !(unsafe checkLength(text, length)) { return 0 }
        if skip > 0 { return 1 }
        if unsafe top.pointee.isArray { element() }
        if nextBroken != .max && (unsafe isBroken(text)) { return brokenString() }
        if pendingCount == 0 { return 1 }
        return unsafe scalar(.string, text, length)
    }

    /// yajl has met a number.
    @inline(__always)
    mutating func number(_ text: UnsafePointer<UInt8>, _ length: Int) -> CInt {
        if length > feed.options.maxText { return tooLong(tokenEnd - UInt64(length)) }
        if skip > 0 { return 1 }
        if unsafe top.pointee.isArray { element() }
        if pendingCount == 0 { return 1 }
        return unsafe scalar(.number, text, length)
    }

    /// yajl has met `true`, `false` or `null`.
    @inline(__always)
    mutating func literal(_ kind: CellKind) -> CInt {
        if skip > 0 { return 1 }
        if unsafe top.pointee.isArray { element() }
        if pendingCount == 0 { return 1 }
        return unsafe scalar(kind, nil, 0)
    }

    /// yajl has met the beginning of a container.
    @inline(__always)
    mutating func begin(isArray: Bool) -> CInt {
        if skip > 0 {
            skip &+= 1
            return skip <= skipLimit ? 1 : tooDeep()
        }
        if unsafe top.pointee.isArray { element() }
        if depth == items.listDepth { beginItem() }
        if depth >= feed.options.maxDepth { return tooDeep() }
        if pendingCount == 0 && open.innerCount == 0 {
            if depth == 1 && isArray { beginUnusedList() }
            skip = 1
            skipLimit = feed.options.maxDepth - depth
            return 1
        }
        enter(isArray: isArray)
        return ending.mustStop ? 0 : 1
    }

    /// yajl has met the end of a container.
    @inline(__always)
    mutating func end() -> CInt {
        if skip > 0 {
            skip &-= 1
            if skip == 0 && depth == 0 { feed.valueEnd = tokenEnd }
            if skip == 0 && depth == 1 { endUnusedList() }
            if skip == 0 && depth == items.listDepth { endItem() }
            return 1
        }
        return leave()
    }

    /// Enters a container that a path enters, or that is in a record.
    private mutating func enter(isArray: Bool) {
        let start = pendingStart
        let isPassed = paths.hasDescendants && open.innerCount > 0 && isPassing
        var kept = start
        var fresh: Cursor?
        var recordTemplate: Int32 = -1
        var isUsed = false
        var holdsByName = false
        for index in start..<start + pendingCount {
            let cursor = containers.cursors[index]
            let info = paths.tables.infos[Int(cursor.state)]
            if info.template >= 0 {
                let state = beginRecord(info, offset: tokenEnd - 1, depth: depth + 1)
                fresh = Cursor(state: state, record: Int32(open.recordCount - 1))
                if open.records[open.recordCount - 1].isRecord { recordTemplate = info.template }
            }
            if info.actionCount > 0 { act(cursor, info, isArray ? .array : .object) }
            isUsed = isUsed || info.isValue
            holdsByName = holdsByName || info.holdsByName
            if info.continues {
                containers.cursors[kept] = cursor
                kept += 1
            }
        }
        if let fresh {
            let info = paths.tables.infos[Int(fresh.state)]
            if info.actionCount > 0 { act(fresh, info, isArray ? .array : .object) }
            isUsed = isUsed || info.isValue
            if info.continues {
                containers.cursors[kept] = fresh
                kept += 1
            }
        }
        depth += 1
        if depth == containers.frameCapacity { growFrames() }
        unsafe top = containers.frames.base + depth
        enterFrame(isArray: isArray, cursorStart: start, cursorCount: kept - start)
        unsafe top.pointee.isUsed = isUsed
        // Of a document that is a list, definitions say with a path of no matter that an entity has no records.
        unsafe top.pointee.hidesMembers = isArray && holdsByName && depth > 1
        if isPassed { pass() }
        if items.listDepth == Items.noList && kept > start {
            if isArray { considerList() } else { considerMembers() }
        }
        if recordTemplate >= 0 { unsafe top.pointee.field = recordField(template: recordTemplate) }
    }

    /// Makes the top frame that of a container with these cursors.
    mutating func enterFrame(isArray: Bool, cursorStart: Int, cursorCount: Int) {
        let frame = unsafe top
        unsafe frame.pointee.isArray = isArray
        unsafe frame.pointee.hidesMembers = false
        unsafe frame.pointee.hasOpenMark = false
        unsafe frame.pointee.hasUnnamedMarks = false
        unsafe frame.pointee.hasBrokenKey = false
        unsafe frame.pointee.field = -1
        unsafe frame.pointee.isPassed = false
        unsafe frame.pointee.passed.field = -1
        unsafe frame.pointee.passed.start = Int32(truncatingIfNeeded: drift.passedCount)
        unsafe frame.pointee.cursorStart = Int32(truncatingIfNeeded: cursorStart)
        unsafe frame.pointee.cursorCount = Int32(truncatingIfNeeded: cursorCount)
        unsafe frame.pointee.index = -1
        unsafe frame.pointee.seen = 0
        unsafe frame.pointee.lastKey = -1
        unsafe frame.pointee.markStart = marks.count
        unsafe frame.pointee.place.batch = -1
        unsafe frame.pointee.key = nil
        unsafe frame.pointee.keyLength = 0
        unsafe frame.pointee.expectedKey =
            cursorCount > 0
            ? paths.tables.infos[Int(containers.cursors[cursorStart].state)].firstKey : KeyInterner.unknown
        for word in depth * containers.moreSeenWords..<(depth + 1) * containers.moreSeenWords {
            containers.moreSeen.ensure(word + 1)
            containers.moreSeen[word] = 0
        }
        pendingStart = cursorStart + cursorCount
        pendingCount = 0
        // The members of this container have as many cursors at the most, and one more if they are records.
        containers.cursors.ensure(pendingStart + cursorCount + 2)
    }

    @inline(never)
    private mutating func growFrames() {
        containers.frames.ensure(2 * containers.frameCapacity)
        for index in containers.frameCapacity..<2 * containers.frameCapacity { containers.frames[index] = Frame() }
        containers.frameCapacity *= 2
    }

    private mutating func leave() -> CInt {
        if open.captureCount > 0 && !finishCaptures() { return 0 }
        if depth == items.listDepth { items.leaveList() }
        if unsafe top.pointee.hidesMembers && top.pointee.index >= 0 { noteHiddenMembers() }
        marks.count = unsafe top.pointee.markStart
        if paths.hasDescendants && open.innerCount > 0 { leavePassed() }
        if open.recordCount > 0 && open.records[open.recordCount - 1].depth == depth { endRecord() }
        depth -= 1
        if depth == 0 { feed.valueEnd = tokenEnd }
        if depth == items.listDepth { endItem() }
        unsafe top = containers.frames.base + depth
        pendingStart = unsafe Int(top.pointee.cursorStart + top.pointee.cursorCount)
        pendingCount = 0
        return output.wantsHandOut || around.wantsDrain ? passOn() : 1
    }

    @inline(never)
    private mutating func tooDeep() -> CInt {
        let message = "more than \(feed.options.maxDepth) arrays and objects are nested here (see \"maxDepth\")"
        return fail(.data, message, at: tokenEnd - 1)
    }

    /// Whether a long text is within `maxText`, as it is in the feed.
    @inline(never)
    mutating func checkLength(_ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let start = unsafe tokenStart(.string, text, length)
        if tokenEnd - start <= UInt64(feed.options.maxText) + 2 { return true }
        _ = tooLong(start)
        return false
    }

    @inline(never)
    mutating func tooLong(_ offset: UInt64) -> CInt { tooLong(at: place(of: offset)) }

    mutating func tooLong(_ capture: Capture) -> CInt {
        tooLong(
            at: Failure.Place(file: feed.fileName, line: capture.line, column: capture.column, offset: capture.start))
    }

    private mutating func tooLong(at place: Failure.Place) -> CInt {
        ending.failure = Failure(
            .data, "the value that begins here has more than \(feed.options.maxText) bytes (see \"maxText\")", at: place
        )
        return 0
    }
}
