import SluicePostgreSQL
import SluiceRecords

/// How many bytes a row takes on its page at the least. A row is on one page; long values of texts, JSON, bytes and
/// decimals go elsewhere, and leave a pointer.
struct ServerRowWidth: Sendable {
    /// A to-one reference: the cells of its keys, each way by itself, and the longest name of an entity beside it.
    private struct Reference {
        var keys: [Range<Int>]
        var longestName: Int

        /// Whether a record says to which object it leads, in one of its ways.
        func isStated(_ row: Int, _ section: EntityRecords) -> Bool {
            let start = row * section.width
            return keys.contains { key in
                key.allSatisfy { cell in
                    let cell = section.typed[start + cell]
                    return !cell.isNull && cell.kind != .absent
                }
            }
        }
    }

    private let forms: [CellForm]
    private let references: [Reference]
    /// Whether what the row has is kept once it changes: then it is a row of the past, with the run that ends it, the
    /// one that brought it, and whether the object was deleted, besides.
    private let keepsPast: Bool
    /// Columns that the table has.
    private let columns: Int
    private let hasMark: Bool

    /// The most bytes of a value that stays in the row, with its header of one byte; and the bytes of a pointer.
    private static let (longest, pointer) = (24, 18)
    /// Bytes of a value that is compressed so much that it stays in the row: one that consists of repetitions.
    private static let compressed = 13
    private static let (shortestCompressed, mostSigns) = (32, 8)
    /// Bytes before the bits that say what is null.
    private static let header = 23

    /// The columns that a row of the past has besides, and the bytes of these.
    private static let (pastColumns, pastWidth) = (3, 24)

    /// Nil: no row of the entity can be wider than a page.
    init?(_ entity: Entity, _ model: Model, keepsPast: Bool, page: Int) {
        self.keepsPast = keepsPast
        references = entity.relationships.enumerated().filter { !$0.element.isMany }.map { index, relationship in
            let keys = relationship.searches(in: model).enumerated().map { way, search in
                let start = entity.layout.keyStart(relationship, at: index, way: way)
                return start..<start + search.conversions.count
            }
            let names = relationship.isPolymorphic ? relationship.targets.map { model.entities[$0.entity].name } : []
            return Reference(keys: keys, longestName: names.map(\.utf8.count).max() ?? 0)
        }
        forms = entity.attributes.map { CellForm($0.conversion.stored) }
        hasMark = entity.marksAbsent
        columns =
            1 + forms.count + (hasMark ? 1 : 0)
            + entity.relationships.reduce(0) { $0 + ($1.isMany ? 0 : $1.isPolymorphic ? 2 : 1) }
        let most =
            forms.reduce(ServerRowWidth.pastWidth) {
                $0 + (ServerRowWidth.fixed($1.type) ?? ServerRowWidth.longest) + 8
            } + references.reduce(0) { $0 + $1.longestName + 16 }
        if ServerRowWidth.header + columns / 8 + 16 + most <= page { return nil }
    }

    /// Bytes of values that all take the same, which are at places that their size divides.
    private static func fixed(_ type: ServerType) -> Int? {
        switch type {
        case .bigint, .double, .timestamp: 8
        case .date: 4
        case .boolean: 1
        case .text, .json, .bytea, .numeric: nil
        }
    }

    /// The width of a row with the references that its record states.
    func width(_ row: Int, _ section: EntityRecords, _ arena: Arena) -> Int {
        // Behind the objectID.
        var end = 8
        var hasNull = hasMark
        var scratch = ByteBuffer()
        defer { scratch.deallocate() }
        for (attribute, form) in forms.enumerated() {
            let cell = section.typed[row * section.width + attribute]
            if cell.isNull || cell.kind == .absent {
                hasNull = true
            } else if let fixed = ServerRowWidth.fixed(form.type) {
                end = (end + fixed - 1) / fixed * fixed + fixed
            } else if form.type == .numeric {
                // Of eight bytes before the digits, the server keeps two.
                scratch.removeAll()
                unsafe form.append(cell, UnsafePointer(arena.base), to: &scratch)
                end += min(scratch.count - 4 - 8 + 2 + 1, ServerRowWidth.pointer)
            } else {
                end += unsafe ServerRowWidth.width(UnsafePointer(arena.base) + cell.offset, cell.count)
            }
        }
        for reference in references {
            guard reference.isStated(row, section) else {
                hasNull = true
                continue
            }
            end = ServerRowWidth.aligned(end) + 8
            if reference.longestName > 0 { end += reference.longestName + 1 }
        }
        let width = ServerRowWidth.width(hasNull ? columns : 0, end)
        guard keepsPast else { return width }
        let past = ServerRowWidth.width(columns + ServerRowWidth.pastColumns, end + ServerRowWidth.pastWidth)
        return max(width, past)
    }

    /// - Parameter columns: so many have a bit that says whether they are null; 0: none is null.
    private static func width(_ columns: Int, _ end: Int) -> Int {
        aligned(header + (columns + 7) / 8) + aligned(end)
    }

    private static func aligned(_ count: Int) -> Int { (count + 7) / 8 * 8 }

    private static func width(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        if count + 1 <= longest { return count + 1 }
        if count < shortestCompressed { return pointer }
        var signs: [UInt8] = []
        for index in 0..<count {
            let byte = unsafe bytes[index]
            if signs.contains(byte) { continue }
            signs.append(byte)
            if signs.count > mostSigns { return pointer }
        }
        return compressed
    }
}
