import SluiceExtract
import SluiceRecords

/// Reads the rows of a table once more, for the few cells and rows that are unlike all others: a comment tells which
/// these are, and in which line.
final class FlawSearch {
    private let entity: DraftEntity
    private var columns: [(column: DraftColumn, odd: OddTexts)]
    private var thin: ThinRows?

    /// By column of the file, in its order: the place in `columns`, and in the columns of `thin`; -1: none.
    private var slots: [(odd: Int, full: Int)] = []
    private var knowsSlots = false
    private var file = 0
    private var place = CellPlace(file: 0, offset: 0)
    private var column = -1
    /// The first text of the row.
    private var text: [UInt8] = []
    /// The columns of `thin` that the row lacks.
    private var lacking: [Int] = []

    /// Looks for what comments are to tell of the rows of tables.
    static func find(_ entities: [DraftEntity], _ feeds: [SurveyedFeed]) throws(Failure) {
        for entity in entities where entity.place.isOfTable && !entity.isDropped && !entity.repeats {
            let search = FlawSearch(entity)
            guard search.thin != nil || !search.columns.isEmpty else { continue }
            try search.read(feeds[entity.place.feed])
        }
    }

    private init(_ entity: DraftEntity) {
        self.entity = entity
        columns = entity.columns.compactMap { column in
            guard column.cut == nil, column.content == .scalar, column.isOwnMember,
                DraftType(column, isName: false).type == "text", let kind = TextKind.ofMost(column)
            else { return nil }
            return (column, OddTexts(kind))
        }
        thin = ThinRows(entity)
    }

    private func read(_ feed: SurveyedFeed) throws(Failure) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        try unsafe feed.read(FlawSearch.events, context) {
            0
        } onFile: {
            file = $0
        }
        for (column, odd) in columns {
            guard let place = odd.place else { continue }
            column.oddTexts = odd
            column.oddTexts?.line = try feed.line(of: place)
        }
        guard let thin, let place = thin.place, thin.count <= ThinRows.most(of: entity) else { return }
        entity.thinRows = thin
        entity.thinRows?.line = try feed.line(of: place)
    }

    // MARK: Tokens

    func beginRow(at offset: UInt64) {
        place = CellPlace(file: file, offset: offset)
        column = -1
        text.removeAll(keepingCapacity: true)
        lacking.removeAll(keepingCapacity: true)
    }

    func key(_ name: UnsafePointer<UInt8>, _ length: Int) {
        column += 1
        // The columns of each file are the same.
        if !knowsSlots { unsafe slots.append(slot(UnsafeBufferPointer(start: name, count: length))) }
    }

    private func slot(_ name: UnsafeBufferPointer<UInt8>) -> (Int, Int) {
        let isNamed = { (column: DraftColumn) in unsafe column.ownName.utf8.elementsEqual(name) }
        return (
            columns.firstIndex { isNamed($0.column) } ?? -1, thin?.full.firstIndex(where: isNamed) ?? -1
        )
    }

    func null() { if slots[column].full >= 0 { lacking.append(slots[column].full) } }

    func string(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
        if text.isEmpty { unsafe text.append(contentsOf: UnsafeBufferPointer(start: bytes, count: length)) }
        let slot = slots[column].odd
        guard slot >= 0, unsafe !MissingTexts.isOne(bytes, length) else { return }
        unsafe columns[slot].odd.add(bytes, length, at: place)
    }

    func endRow() {
        knowsSlots = true
        guard thin?.isThin(lacking: lacking.count) == true else { return }
        if thin?.count == 0 {
            thin?.text = String(decoding: text, as: UTF8.self)
            thin?.place = place
        }
        thin?.count += 1
        for column in lacking { thin?.lacking[column] += 1 }
    }
}
