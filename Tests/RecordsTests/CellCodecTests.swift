import SluiceRecords
import Testing

/// Cells and positions as bytes: each comes back as it was, in no more bytes than it was said to take.
@Suite struct CellCodecTests {
    private static let scalars: [CellKind] = [
        .absent, .null, .integer, .real, .yes, .no, .object, .array, .brokenString,
    ]
    private static let withBytes: [CellKind] = [.text, .blob, .impossible, .number, .string, .json]
    private static let payloads: [UInt64] = [0, 1, 127, 128, .max, 1 << 63, Double.pi.bitPattern]

    @Test func cellsComeBack() {
        let batch = RecordBatch(model: Model(entities: []))
        var cells = CellCodecTests.scalars.map { Cell(kind: $0) }
        for payload in CellCodecTests.payloads {
            cells.append(Cell(kind: .integer, payload: payload))
            cells.append(Cell(kind: .real, payload: payload))
        }
        for kind in CellCodecTests.withBytes {
            for count in [0, 1, 127, 128, 20_000] {
                cells.append(batch.arena.appendText(String(repeating: "ü", count: count), kind: kind))
            }
        }
        var list = Cell(kind: .list)
        for cell in cells { batch.append(cell, to: &list) }
        var nested = Cell(kind: .list)
        batch.append(list, to: &nested)
        batch.append(.null, to: &nested)
        for cell in cells + [list, nested, Cell(kind: .list)] { #expect(comesBack(cell, batch)) }
    }

    private func comesBack(_ cell: Cell, _ batch: RecordBatch) -> Bool {
        let most = unsafe ByteWriter.longest(cell, batch)
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: most) { bytes in
            guard let start = bytes.baseAddress else { return false }
            var writer = unsafe ByteWriter(start)
            unsafe writer.write(cell, batch, batch.arena)
            let count = unsafe writer.next - start
            let other = RecordBatch(model: Model(entities: []))
            var reader = unsafe ByteReader(UnsafePointer(start))
            let read = unsafe reader.readCell(other, &other.arena)
            let (one, two) = (text(of: cell, batch), text(of: read, other))
            let isAtEnd = unsafe reader.next == UnsafePointer(start) + count
            return count <= most && isAtEnd && one == two
        }
    }

    private func text(of cell: Cell, _ batch: RecordBatch) -> String {
        if cell.kind == .list {
            var index = cell.head
            let elements = (0..<cell.count).map { _ in
                let element = batch.elements[index]
                index = Int(element.next)
                return text(of: element.cell, batch)
            }
            return "[\(elements.joined(separator: ","))]"
        }
        return "\(cell.kind) " + (cell.hasBytes ? batch.arena.text(of: cell) : String(cell.payload))
    }

    @Test func placesComeBack() {
        var position = RecordPosition()
        (position.offset, position.record, position.line) = (.max, 17, 1 << 40)
        (position.column, position.source, position.file) = (3, .max, .max)
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ByteWriter.longestPlace) { bytes in
            guard let start = bytes.baseAddress else { return }
            var writer = unsafe ByteWriter(start)
            unsafe writer.write(placeOf: position)
            var reader = unsafe ByteReader(UnsafePointer(start))
            let read = unsafe reader.readPlace()
            #expect(read.offset == position.offset && read.record == position.record && read.line == position.line)
            #expect(read.column == position.column && read.source == position.source && read.file == position.file)
        }
    }
}
