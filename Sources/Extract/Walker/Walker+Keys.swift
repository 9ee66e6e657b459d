import SluiceRecords

extension Walker {
    /// yajl has met a key.
    @inline(__always)
    mutating func key(_ text: UnsafePointer<UInt8>, _ length: Int) -> CInt {
        if length > shortText && !(unsafe checkLength(text, length)) { return 0 }
        if skip > 0 { return 1 }
        let frame = unsafe top
        unsafe frame.pointee.key = text
        unsafe frame.pointee.keyLength = length
        if !(unsafe isInWindow(text)) { keepKey(of: depth) }
        unsafe frame.pointee.hasBrokenKey = false
        if nextBroken != .max && (unsafe isBroken(text)) { brokenKey() }
        if unsafe frame.pointee.hasOpenMark { closeMark() }
        let count = unsafe frame.pointee.cursorCount
        guard count > 0 else {
            pendingCount = 0
            return 1
        }
        let symbol = unsafe symbol(of: text, length)
        if symbol != SymbolTable.other && !markSeen(symbol) { repeated(symbol) }
        if count == 1 {
            let cursor = containers.cursors[Int(unsafe frame.pointee.cursorStart)]
            follow(cursor, symbol)
        } else {
            followAll(symbol)
        }
        if open.innerCount > 0 && (pendingCount == 0 || paths.hasDescendants) { noteUse() }
        return 1
    }

    /// The symbol of a key of the top frame.
    @inline(__always)
    private mutating func symbol(of text: UnsafePointer<UInt8>, _ length: Int) -> Int32 {
        var entry = unsafe top.pointee.expectedKey
        if !(unsafe paths.keys.isEntry(entry, text, length)) { entry = unsafe findKey(text, length) }
        let found = unsafe paths.keys.entries.base + Int(entry)
        unsafe top.pointee.lastKey = entry
        unsafe top.pointee.expectedKey = found.pointee.next
        return unsafe found.pointee.symbol
    }

    /// Looks up a key that was not the expected one, and expects it the next time.
    @inline(never)
    private mutating func findKey(_ text: UnsafePointer<UInt8>, _ length: Int) -> Int32 {
        // Often the expected key is just left out: then it is the one that follows it.
        let skipped = unsafe (paths.keys.entries.base + Int(top.pointee.expectedKey)).pointee.next
        let entry = unsafe paths.keys.isEntry(skipped, text, length) ? skipped : entry(of: text, length)
        let last = unsafe top.pointee.lastKey
        if last >= 0 {
            unsafe (paths.keys.entries.base + Int(last)).pointee.next = entry
        } else {
            let state = containers.cursors[Int(unsafe top.pointee.cursorStart)].state
            unsafe (paths.tables.infos.base + Int(state)).pointee.firstKey = entry
        }
        return entry
    }

    private mutating func entry(of text: UnsafePointer<UInt8>, _ length: Int) -> Int32 {
        if let known = unsafe paths.keys.find(text, length) { return known }
        let isOfMap = isInMap
        return unsafe paths.keys.enter(text, length, isOfMap: isOfMap)
    }

    /// Whether a path leads on from the top frame by any key, and not just passes through.
    private var isInMap: Bool {
        mutating get {
            let start = Int(unsafe top.pointee.cursorStart)
            for index in start..<start + Int(unsafe top.pointee.cursorCount) {
                let next = state(behind: SymbolTable.other, containers.cursors[index].state)
                if next != Automaton.dead, !paths.tables.infos[Int(next)].isPassing { return true }
            }
            return false
        }
    }

    /// Takes the only cursor of an object to a member.
    @inline(__always)
    private mutating func follow(_ cursor: Cursor, _ symbol: Int32) {
        var next = paths.tables.transitions[
            (unsafe paths.tables.infos.base + Int(cursor.state)).pointee.row &+ Int(symbol)]
        if next <= 0 {
            if next < 0 { next = makeState(cursor.state, symbol) }
            if next == Automaton.dead {
                pendingCount = 0
                return
            }
        }
        containers.cursors[pendingStart] = Cursor(state: next, record: cursor.record)
        pendingCount = 1
        if unsafe (paths.tables.infos.base + Int(next)).pointee.feedsLists { openMark(symbol) }
    }

    /// Takes several cursors of an object to a member.
    @inline(never)
    private mutating func followAll(_ symbol: Int32) {
        let start = Int(unsafe top.pointee.cursorStart)
        var count = 0
        var feedsLists = false
        for index in start..<start + Int(unsafe top.pointee.cursorCount) {
            let cursor = containers.cursors[index]
            var next = paths.tables.transitions[
                (unsafe paths.tables.infos.base + Int(cursor.state)).pointee.row &+ Int(symbol)]
            if next < 0 { next = makeState(cursor.state, symbol) }
            if next == Automaton.dead { continue }
            containers.cursors[pendingStart + count] = Cursor(state: next, record: cursor.record)
            count += 1
            if paths.tables.infos[Int(next)].feedsLists { feedsLists = true }
        }
        pendingCount = count
        if feedsLists { openMark(symbol) }
    }

    /// The state that a symbol leads to.
    mutating func state(behind symbol: Int32, _ state: Int32) -> Int32 {
        let next = paths.tables.transitions[paths.tables.infos[Int(state)].row + Int(symbol)]
        return next < 0 ? makeState(state, symbol) : next
    }

    @inline(never)
    mutating func makeState(_ state: Int32, _ symbol: Int32) -> Int32 {
        let next = paths.automaton.next(state, symbol: symbol)
        adoptTables()
        return next
    }

    @inline(never)
    mutating func makeState(_ state: Int32, index: Int) -> Int32 {
        let next = paths.automaton.next(state, index: index)
        adoptTables()
        return next
    }

    private mutating func adoptTables() {
        paths.tables = paths.automaton.tables
        recordCounts.taken += [UInt64](repeating: 0, count: paths.automaton.ends.count - recordCounts.taken.count)
    }

    /// Goes to the next element of the top frame, an array.
    @inline(__always)
    mutating func element() {
        unsafe top.pointee.index &+= 1
        let count = unsafe top.pointee.cursorCount
        if count == 0 {
            pendingCount = 0
        } else if count == 1 {
            let cursor = containers.cursors[Int(unsafe top.pointee.cursorStart)]
            let next = elementState(cursor.state)
            containers.cursors[pendingStart] = Cursor(state: next, record: cursor.record)
            pendingCount = next == Automaton.dead ? 0 : 1
            if next == Automaton.dead { noteArrayOnTheWay() }
        } else {
            elementOfAll()
        }
    }

    @inline(never)
    private mutating func elementOfAll() {
        let start = Int(unsafe top.pointee.cursorStart)
        var count = 0
        for index in start..<start + Int(unsafe top.pointee.cursorCount) {
            let cursor = containers.cursors[index]
            let next = elementState(cursor.state)
            if next == Automaton.dead { continue }
            containers.cursors[pendingStart + count] = Cursor(state: next, record: cursor.record)
            count += 1
        }
        pendingCount = count
        if count == 0 { noteArrayOnTheWay() }
    }

    @inline(__always)
    private mutating func elementState(_ state: Int32) -> Int32 {
        let info = unsafe paths.tables.infos.base + Int(state)
        let next = unsafe info.pointee.element
        if next < 0 || (unsafe info.pointee.namesIndices) { return makeState(state, index: unsafe top.pointee.index) }
        return next
    }

    /// Whether yajl gave a pointer into the feed, not into its own memory.
    @inline(__always)
    func isInWindow(_ text: UnsafePointer<UInt8>) -> Bool {
        UInt(bitPattern: text) &- UInt(bitPattern: unsafe feed.window.base) < UInt(bitPattern: feed.window.end)
    }

    /// Copies the last key of a frame to where it stays.
    @inline(never)
    mutating func keepKey(of depth: Int) {
        // The names of a table's columns stay where they are.
        if feed.isTable { return }
        let frame = unsafe containers.frames.base + depth
        let length = unsafe frame.pointee.keyLength
        guard let key = unsafe frame.pointee.key, unsafe frame.pointee.ownKey.bytes.map({ unsafe $0 != key }) ?? true
        else {
            return
        }
        if unsafe length > frame.pointee.ownKey.capacity || frame.pointee.ownKey.bytes == nil {
            unsafe frame.pointee.ownKey.bytes?.deallocate()
            let capacity = max(32, 2 * length)
            unsafe frame.pointee.ownKey.bytes = .allocate(capacity: capacity)
            unsafe frame.pointee.ownKey.capacity = capacity
        }
        guard let copy = unsafe frame.pointee.ownKey.bytes else { return }
        unsafe copy.update(from: key, count: length)
        unsafe frame.pointee.key = UnsafePointer(copy)
    }

    /// Copies the keys that are in the window, because its bytes are about to move.
    mutating func keepKeys() {
        for depth in 0...depth {
            if let key = unsafe containers.frames[depth].key, unsafe isInWindow(key) { keepKey(of: depth) }
        }
    }
}
