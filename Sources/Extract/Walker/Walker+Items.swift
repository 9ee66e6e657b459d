import SluiceKnown
import SluiceRecords

extension Walker {
    /// The items of the list that is being read.
    @safe
    struct Items {
        static let noList = -1
        private static let never = -2

        let noting: ItemNoting?
        /// The depth of the list whose items are noted, the outermost; or `noList`, or one that no container has.
        private(set) var listDepth = Items.never
        /// Whether the list is an object: then its members are the items, with their keys.
        private(set) var areMembers = false
        /// The offset of the item that is open; of none, the greatest.
        fileprivate(set) var start = UInt64.max
        /// Behind the last item that has ended, or behind the beginning of the list.
        var lastEnd: UInt64 = 0
        /// Of a table, the hash of what the cells of its rows mean.
        var salt = ItemHash.Value(low: 0, high: 0)
        /// How many items of the list were skipped.
        var skipped = 0
        /// The number of the open item in the batch; of one that cannot be noted, the greatest.
        fileprivate var number = UInt32.max
        fileprivate var recordCount = 0
        /// Whether the open item cannot be noted: what it says is in no note.
        var isUnknowable = false
        /// Fields that drift notes of the open item.
        private var fields = Table<Int32>(capacity: 16)
        private(set) var fieldCount = 0
        /// Of the item before that had any: the fields, and the number of what drift notes of them. Most items are
        /// alike.
        private var lastFields = Table<Int32>(capacity: 16)
        private var lastCount = 0
        private var lastNumber = 0
        /// The numbers of what drift notes, by the fields.
        fileprivate var numbers: [[Int32]: Int] = [:]

        init(_ noting: ItemNoting?) { self.noting = noting }

        var isNoting: Bool { noting != nil }

        mutating func deallocate() {
            fields.deallocate()
            lastFields.deallocate()
        }

        /// A file begins.
        mutating func begin(listsAreValues: Bool) {
            (start, lastEnd, skipped, number, fieldCount) = (.max, 0, 0, .max, 0)
            areMembers = false
            salt = ItemHash.Value(low: 0, high: 0)
            listDepth = noting == nil ? Items.never : listsAreValues ? 0 : Items.noList
        }

        mutating func enterList(_ depth: Int, behind offset: UInt64, areMembers: Bool = false) {
            (listDepth, lastEnd, skipped, self.areMembers) = (depth, offset, 0, areMembers)
        }

        mutating func leaveList() { (listDepth, start, number) = (Items.noList, .max, .max) }

        /// Another batch is filled: the rows of the open item are in several, and it cannot be noted.
        mutating func leaveBatch() { number = .max }

        /// Notes a field of the open item that drift is about.
        @inline(never)
        mutating func note(_ field: Int32, isRepeated: Bool) {
            fields.ensure(fieldCount + 1)
            fields[fieldCount] = field << 1 | (isRepeated ? 1 : 0)
            fieldCount += 1
        }

        fileprivate mutating func open(at offset: UInt64, number: Int) {
            (start, self.number, recordCount, fieldCount) = (offset, UInt32(truncatingIfNeeded: number), 0, 0)
            isUnknowable = false
        }

        /// The number of what drift notes of the open item, if its fields are those of the item before.
        fileprivate var numberOfBefore: Int? {
            guard fieldCount == lastCount else { return nil }
            for index in 0..<fieldCount where fields[index] != lastFields[index] { return nil }
            return lastNumber
        }

        fileprivate mutating func keep(_ number: Int) {
            lastFields.ensure(fieldCount)
            for index in 0..<fieldCount { lastFields[index] = fields[index] }
            (lastCount, lastNumber) = (fieldCount, number)
        }

        fileprivate var openFields: [Int32] { (0..<fieldCount).map { fields[$0] } }

        fileprivate mutating func close(at offset: UInt64) { (start, lastEnd, number) = (.max, offset, .max) }
    }

    /// Whether the array that has begun is the outermost list of items: records are in it, and nothing around it
    /// belongs to them.
    @inline(never)
    mutating func considerList() {
        guard open.recordCount == 0 else { return }
        let frame = containers.frames[depth]
        for index in Int(frame.cursorStart)..<Int(frame.cursorStart + frame.cursorCount)
        where paths.tables.infos[Int(containers.cursors[index].state)].namesIndices { return }
        setSalt(of: frame)
        items.enterList(depth, behind: tokenEnd)
    }

    /// Of a feed with several lists: the same bytes are something else in another list. What becomes of an item depends
    /// on the states in which its list is read, whose numbers follow from the definition.
    private mutating func setSalt(of frame: Frame) {
        guard let noting = items.noting else { return }
        let cursors = Int(frame.cursorStart)..<Int(frame.cursorStart + frame.cursorCount)
        let states = cursors.map { UInt64(UInt32(bitPattern: containers.cursors[$0].state)) }
        items.salt = noting.hash.value(of: states)
    }

    /// Whether the object that has begun is that list: members of any name are records, and nothing around it belongs
    /// to them.
    @inline(never)
    mutating func considerMembers() {
        guard open.recordCount == 0 else { return }
        let frame = containers.frames[depth]
        for index in Int(frame.cursorStart)..<Int(frame.cursorStart + frame.cursorCount) {
            let next = state(behind: SymbolTable.other, containers.cursors[index].state)
            guard next != Automaton.dead, paths.tables.infos[Int(next)].end >= 0 else { continue }
            setSalt(of: frame)
            return items.enterList(depth, behind: tokenEnd, areMembers: true)
        }
    }

    /// An array or object begins that is an item.
    @inline(never)
    mutating func beginItem() {
        let number = output.batch?.noted.value.readCount ?? Int(UInt32.max)
        guard items.areMembers else { return items.open(at: tokenEnd - 1, number: number) }
        guard let start = memberStart else { return items.open(at: tokenEnd - 1, number: Int(UInt32.max)) }
        items.open(at: start, number: number)
    }

    /// Where the key of a member begins that is an item. nil: it is not at hand as it is written, or it is one of those
    /// that paths name: whether such a one is repeated, the reading must see.
    private var memberStart: UInt64? {
        guard let key = unsafe top.pointee.key, unsafe isInWindow(key), !(unsafe top.pointee.hasBrokenKey),
            paths.keys.entries[Int(unsafe top.pointee.lastKey)].symbol == SymbolTable.other
        else { return nil }
        let index = unsafe key - UnsafePointer(feed.window.base)
        guard index > feed.window.start, unsafe feed.window.base[index - 1] == UInt8(ascii: "\"") else { return nil }
        return feed.window.offset(of: index - 1)
    }

    /// Notes that the last rows belong to the open item.
    @inline(never)
    mutating func noteRows(_ count: Int, end: Int32) {
        items.recordCount += count
        if items.number == .max { return }
        for index in open.rowCount - count..<open.rowCount {
            let row = open.rows[index]
            let paths = self.paths(to: row.entity, end: end)
            unsafe output.tables[row.entity].pointee.items[row.row] = RowItem(number: items.number, paths: paths)
        }
    }

    /// Which paths of an entity end at a node, as bits; all where there are too many to tell.
    private func paths(to entity: Int, end: Int32) -> UInt32 {
        if feed.model.entities[entity].records.count == 1 { return 1 }
        guard end >= 0 else { return 0 }
        return paths.automaton.ends[Int(end)].reduce(0) { bits, path in
            path.entity == entity ? bits | (path.number < 32 ? 1 << UInt32(path.number) : .max) : bits
        }
    }

    /// The open item ends: its hash is noted, if its bytes are all at hand.
    @inline(never)
    mutating func endItem() {
        let end = tokenEnd
        defer { items.close(at: end) }
        guard let noting = items.noting, let batch = output.batch, items.number != .max, !items.isUnknowable,
            items.start >= feed.window.offset(of: feed.window.start),
            end - items.start <= UInt64(KnownEntry.longestItem),
            let drift = driftOfItem(noting)
        else { return }
        let (start, length) = (feed.window.index(of: items.start), Int(end - items.start))
        let hash = unsafe noting.hash.value(of: feed.window.base + start, count: length).mixed(with: items.salt)
        batch.noted.value.append(
            BatchItems.Read(
                hash: hash, length: length, drift: drift, recordCount: items.recordCount, isMember: items.areMembers),
            source: feed.source)
    }

    /// The number of what drift notes of the open item; nil: it cannot be noted.
    private mutating func driftOfItem(_ noting: ItemNoting) -> Int? {
        if items.fieldCount == 0 { return 0 }
        if let number = items.numberOfBefore { return number }
        let fields = items.openFields
        if let number = items.numbers[fields] {
            items.keep(number)
            return number
        }
        var notes: [DriftNote] = []
        for field in fields {
            for (entity, path) in driftPaths(of: field >> 1) where feed.model.entities[entity].conditions.isEmpty {
                let note = DriftNote(
                    entity: entity, kind: field & 1 == 1 ? .repeated : .unknown, records: 1, path: path)
                if let known = notes.firstIndex(where: { $0.isSameField(as: note) }) {
                    notes[known].records += 1
                } else {
                    notes.append(note)
                }
            }
        }
        guard let number = noting.number(of: notes) else { return nil }
        items.numbers[fields] = number
        items.keep(number)
        return number
    }

    // MARK: Known items

    /// Goes on behind an item that is known, the last one of the search.
    mutating func skipItem(_ search: KnownSearch, end: UInt64) {
        // Members have no index.
        if !items.areMembers { unsafe top.pointee.index &+= 1 }
        if depth == 0 { feed.valueEnd = end }
        items.lastEnd = end
        items.skipped += 1
        guard let batch = output.batch else { return }
        batch.noted.value.append(known: search.last, source: feed.source)
        search.forEachRecord { record in
            if record.objectID == 0 {
                recordCounts.unnumbered += 1
                return
            }
            recordCounts.numbers[record.entity] += 1
            batch.noted.value.append(record)
        }
        if batch.noted.value.knownCount >= Walker.mostKnown { output.wantsHandOut = true }
    }

    /// Known records in a batch.
    private static var mostKnown: Int { 1 << 15 }
}
