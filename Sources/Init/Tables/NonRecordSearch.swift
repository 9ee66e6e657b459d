import SluiceExtract
import SluiceRecords

/// Reads the rows of a table for those that are no records: sums, and notes.
final class NonRecordSearch {
    struct Row {
        let place: CellPlace
        let text: String
        let isSum: Bool
        /// The column of the text.
        let column: Int
        /// The columns that it lacks.
        let lacking: Columns
    }

    /// Some of the first columns of a table, as bits.
    typealias Columns = UInt64

    private var found: [Row] = []
    /// Rows that say of which part they are the sum, as `Summe Nord`: they are sums if other rows say `Nord`.
    private var ofParts: [(row: Row, part: [UInt8])] = []
    /// What rows begin with, as far as these are few.
    private var beginnings: Set<[UInt8]> = []
    private var columns: [String] = []
    private var rows = 0
    /// By the columns that rows lack, how many rows lack these.
    private var counts: [Columns: Int] = [:]

    private var file = 0
    private var place = CellPlace(file: 0, offset: 0)
    private var column = -1
    /// The first text of the row.
    private var text: [UInt8] = []
    private var textColumn = 0
    private var lacking: Columns = 0
    private var lackingCount = 0
    /// Whether the row has more lines than one.
    private var hasLines = false

    private static let most = 10_000
    private static let leastRecords = 2
    /// So many columns are enough to tell such rows.
    private static let mostTelling = 6

    /// The rows of a table that are no records; nil: there are none for sure.
    static func find(in feed: SurveyedFeed) throws(Failure) -> NonRecordRows? {
        guard mayBe(in: feed) else { return nil }
        let search = NonRecordSearch()
        let context = unsafe Unmanaged.passUnretained(search).toOpaque()
        try unsafe feed.read(NonRecordSearch.events, context) {
            0
        } onFile: {
            search.file = $0
        }
        return try search.settled(feed)
    }

    private func settled(_ feed: SurveyedFeed) throws(Failure) -> NonRecordRows? {
        let sums = ofParts.filter { beginnings.contains($0.part) }.map(\.row)
        if !sums.isEmpty {
            found = (found + sums).sorted { ($0.place.file, $0.place.offset) < ($1.place.file, $1.place.offset) }
        }
        guard found.count <= NonRecordSearch.most, counts.count <= NonRecordSearch.most,
            rows >= found.count + max(NonRecordSearch.leastRecords, found.count)
        else { return nil }
        for rows in [found, found.filter { !$0.isSum }, found.filter(\.isSum)] {
            guard let first = rows.first else { continue }
            guard let lacking = commonGaps(in: rows) else { continue }
            return try NonRecordRows(rows, lacking: lacking, saidIn: columns[first.column], of: feed)
        }
        guard let first = found.first else { return nil }
        return try NonRecordRows(found, lacking: [], saidIn: columns[first.column], of: feed)
    }

    /// Whether a few rows lack what others have, as the first reading has counted.
    private static func mayBe(in feed: SurveyedFeed) -> Bool {
        let tree = feed.tree
        let members = tree.members(of: 0)
        let most = max(20, tree[0].counts.objects / 20, 5 * feed.files.count)
        return members.count > 1 && members.contains { (1...most).contains(tree[$0].counts.nulls) }
    }

    /// The columns that these rows lack, and no other row lacks all of; nil: there are none.
    private func commonGaps(in rows: [Row]) -> [String]? {
        let all = rows.reduce(Columns.max) { $0 & $1.lacking }
        let places = columns.indices.prefix(Columns.bitWidth).filter { all & (1 << Columns($0)) != 0 }
        for some in [Array(places.prefix(NonRecordSearch.mostTelling)), places] where !some.isEmpty {
            let bits = some.reduce(Columns(0)) { $0 | (1 << Columns($1)) }
            let lacking = counts.reduce(0) { $0 + ($1.key & bits == bits ? $1.value : 0) }
            if lacking == rows.count { return some.map { columns[$0] } }
        }
        return nil
    }

    // MARK: Tokens

    func beginRow(at offset: UInt64) {
        place = CellPlace(file: file, offset: offset)
        (column, hasLines) = (-1, false)
        text.removeAll(keepingCapacity: true)
        (lacking, lackingCount) = (0, 0)
    }

    func key(_ name: UnsafePointer<UInt8>, _ length: Int) {
        column += 1
        guard column == columns.count else { return }
        unsafe columns.append(String(decoding: UnsafeBufferPointer(start: name, count: length), as: UTF8.self))
    }

    func null() {
        lackingCount += 1
        if column < Columns.bitWidth { lacking |= 1 << Columns(column) }
    }

    func string(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
        let cell = unsafe UnsafeBufferPointer(start: bytes, count: length)
        if unsafe cell.contains(0x0a) { hasLines = true }
        guard text.isEmpty else { return }
        textColumn = column
        unsafe text.append(contentsOf: cell)
    }

    func endRow() {
        rows += 1
        if beginnings.count < NonRecordSearch.most { beginnings.insert(text) }
        guard lacking != 0, found.count <= NonRecordSearch.most, counts.count <= NonRecordSearch.most else { return }
        counts[lacking, default: 0] += 1
        if hasLines { return }
        let text = String(decoding: text, as: UTF8.self)
        let isSum = NonRecordText.isSum(text)
        let isAlone = columns.count - lackingCount == 1
        if isSum || isAlone && NonRecordText.isNote(text, of: columns.count) {
            found.append(Row(place: place, text: text, isSum: isSum, column: textColumn, lacking: lacking))
        } else if let part = NonRecordText.partOfSum(text), ofParts.count < NonRecordSearch.most {
            let sum = Row(place: place, text: text, isSum: true, column: textColumn, lacking: lacking)
            ofParts.append((sum, Array(part.utf8)))
        }
    }
}
