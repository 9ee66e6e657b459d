import SluiceRecords

/// What a memory says besides its items.
struct KnownTail {
    /// By source: the numbers of its items.
    var sources: [Range<Int>] = []
    var pairs: [(shape: Int, drift: Int)] = []
    var shapes = ShapeList()
    /// By number; the first says nothing.
    var drifts: [[DriftNote]] = []
    /// By entity: objects of which an item may not be known.
    var excluded: [[Int64]] = []

    init() {}

    /// - Parameter shapes: those that are written, as there may be very many.
    func bytes(with shapes: ShapeTable) -> [UInt8] {
        var writer = TailWriter(capacity: shapes.byteCount + 16 * (shapes.count + pairs.count) + 1024)
        writer.write(sources) { writer, range in
            writer.write(range.lowerBound)
            writer.write(range.count)
        }
        writer.write(pairs) { writer, pair in
            writer.write(pair.shape)
            writer.write(pair.drift)
        }
        writer.write(shapes.count)
        for number in 0..<shapes.count { unsafe writer.write(shapes.bytes(of: number)) }
        writer.write(drifts) { writer, notes in
            writer.write(notes) { writer, note in
                writer.write(note.entity)
                writer.write(note.kind.rawValue)
                writer.write(note.records)
                writer.write(Array(note.path.utf8)[...])
            }
        }
        writer.write(excluded) { writer, objectIDs in writer.write(objectIDs) { $0.write(Int($1)) } }
        return writer.bytes
    }

    /// Nil where the bytes end too early.
    init?(_ bytes: [UInt8]) {
        var reader = TailReader(bytes)
        sources = reader.readList { reader in
            let start = reader.read()
            return start..<start &+ max(reader.read(), 0)
        }
        pairs = reader.readList { reader in (reader.read(), reader.read()) }
        shapes = ShapeList(bytes, reader.readList { $0.readRange() })
        drifts = reader.readList { reader in
            reader.readList { reader in
                DriftNote(
                    entity: reader.read(), kind: DriftNote.Kind(rawValue: reader.read()) ?? .unknown,
                    records: reader.read(),
                    path: String(decoding: bytes[reader.readRange()], as: UTF8.self))
            }
        }
        excluded = reader.readList { reader in reader.readList { Int64($0.read()) } }
        if reader.isTorn { return nil }
    }
}

/// A field of an item that drift is about.
package struct DriftNote: Hashable, Sendable {
    package enum Kind: Int, Sendable {
        /// The definition does not use the field.
        case unknown
        /// It stands more than once in its object.
        case repeated
        /// It is the elements themselves, of one kind, that no entity takes.
        case untaken
    }

    package var entity: Int
    package var kind: Kind
    /// Records of the item that have it.
    package var records: Int
    /// As `Path` is written.
    package var path: String

    package init(entity: Int, kind: Kind, records: Int, path: String) {
        self.entity = entity
        self.kind = kind
        self.records = records
        self.path = path
    }

    /// By bytes: two spellings of a letter are two fields.
    package static func == (one: DriftNote, other: DriftNote) -> Bool {
        one.isSameField(as: other) && one.records == other.records
    }

    /// By bytes.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(entity)
        hasher.combine(kind)
        hasher.combine(records)
        hasher.combine(ExactText(path))
    }

    package func isSameField(as other: DriftNote) -> Bool {
        entity == other.entity && kind == other.kind && path.isIdentical(to: other.path)
    }
}

private struct TailWriter {
    private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: how many bytes there will be, about: there may be millions.
    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func write(_ number: Int) {
        unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func write(_ text: ArraySlice<UInt8>) {
        write(text.count)
        bytes += text
    }

    mutating func write(_ text: UnsafeRawBufferPointer) {
        write(text.count)
        unsafe bytes.append(contentsOf: text)
    }

    mutating func write<Element>(_ list: [Element], _ body: (inout TailWriter, Element) -> Void) {
        write(list.count)
        for element in list { body(&self, element) }
    }
}

private struct TailReader {
    private let bytes: [UInt8]
    private var at = 0
    private(set) var isTorn = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() -> Int {
        guard bytes.count - at >= 8 else {
            isTorn = true
            return 0
        }
        defer { at += 8 }
        return (0..<8).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }

    /// Where some bytes stand.
    mutating func readRange() -> Range<Int> {
        let count = read()
        guard count >= 0, bytes.count - at >= count else {
            isTorn = true
            return 0..<0
        }
        defer { at += count }
        return at..<at + count
    }

    mutating func readList<Element>(_ body: (inout TailReader) -> Element) -> [Element] {
        var list: [Element] = []
        var left = read()
        while left > 0, !isTorn {
            list.append(body(&self))
            left -= 1
        }
        return list
    }
}
