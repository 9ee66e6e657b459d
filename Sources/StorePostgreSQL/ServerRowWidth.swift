import SluicePostgreSQL
import SluiceRecords

/// How many bytes a row takes on its page at the least. A row is on one page; long values of texts, JSON, bytes and
/// decimals go elsewhere, and leave a pointer.
struct ServerRowWidth: Sendable {
    private let forms: [CellForm]
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

    /// Nil: no row of the entity can be wider than a page.
    init?(_ entity: Entity, _ page: Int) {
        forms = entity.attributes.map { CellForm($0.conversion.stored) }
        hasMark = entity.marksAbsent
        columns =
            1 + forms.count + (hasMark ? 1 : 0)
            + entity.relationships.reduce(0) { $0 + ($1.isMany ? 0 : $1.isPolymorphic ? 2 : 1) }
        let most = forms.reduce(0) { $0 + (ServerRowWidth.fixed($1.type) ?? ServerRowWidth.longest) + 8 }
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

    /// The width of a row whose references are null.
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
        let start = ServerRowWidth.header + (hasNull ? (columns + 7) / 8 : 0)
        return ServerRowWidth.aligned(ServerRowWidth.aligned(start) + end)
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
