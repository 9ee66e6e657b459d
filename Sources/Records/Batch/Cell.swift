/// What a cell holds.
///
/// The first group is what typed columns hold, the second what the reader found in the feed. A raw cell becomes a
/// typed one in Transform.
@frozen
public enum CellKind: UInt8, Sendable, BitwiseCopyable {
    /// No path matched anything.
    case absent = 0
    /// JSON `null`, or what counts as null.
    case null
    /// A 64-bit integer in the payload, as two's complement.
    case integer
    /// A double in the payload, as its bit pattern.
    case real
    /// UTF-8 in the arena: the payload is its offset, `length` its bytes. A NUL byte follows it.
    case text
    /// Bytes in the arena, like `text`.
    case blob
    /// Several values: a chain in the batch's `elements`; the payload holds head and tail, `length` counts them.
    case list
    /// A reference that cannot exist, because its value does not convert to the type of the target's identifier. The
    /// arena holds the value as the feed wrote it, like `text`.
    case impossible

    /// Raw: JSON `true`.
    case yes = 16
    /// Raw: JSON `false`.
    case no
    /// Raw: a JSON number as written; in the arena, like `text`.
    case number
    /// Raw: a JSON string, decoded; in the arena, like `text`.
    case string
    /// Raw: an object, where no slot wanted its text. The arena holds nothing of it.
    case object
    /// Raw: an array, where no slot wanted its text. The arena holds nothing of it.
    case array
    /// Raw: any JSON value but null, as written, without white space between its tokens; in the arena, like `text`.
    case json
    /// Raw: a string with an escaped surrogate that has no partner: it is no Unicode text. The arena holds nothing.
    case brokenString
    /// Raw, an element of a list: what stands where a list or an object was looked for, as written; in the arena, like
    /// `json`.
    case unlisted
}

/// One value of one record: sixteen bytes, and no memory of its own.
@frozen
public struct Cell: Sendable, BitwiseCopyable {
    /// The value itself, or its offset in the arena of its batch.
    public var payload: UInt64
    /// Bytes in the arena, or the number of values of a list.
    public var length: UInt32
    /// What the cell holds.
    public var kind: CellKind

    /// A cell of a kind.
    @inlinable
    public init(kind: CellKind, payload: UInt64 = 0, length: UInt32 = 0) {
        self.payload = payload
        self.length = length
        self.kind = kind
    }

    /// No path matched anything.
    @inlinable public static var absent: Cell { Cell(kind: .absent) }
    /// Null.
    @inlinable public static var null: Cell { Cell(kind: .null) }

    /// A typed integer.
    @inlinable
    public static func integer(_ value: Int64) -> Cell {
        Cell(kind: .integer, payload: UInt64(bitPattern: value))
    }

    /// A typed double.
    @inlinable
    public static func real(_ value: Double) -> Cell {
        Cell(kind: .real, payload: value.bitPattern)
    }

    /// The integer of an `integer` cell.
    @inlinable public var integer: Int64 { Int64(bitPattern: payload) }
    /// The double of a `real` cell.
    @inlinable public var real: Double { Double(bitPattern: payload) }
    /// The offset in the arena of a cell that has bytes there.
    @inlinable public var offset: Int { Int(truncatingIfNeeded: payload) }
    /// The bytes in the arena, or the number of values of a list.
    @inlinable public var count: Int { Int(length) }

    /// A JSON value as what stands where a list was looked for.
    package var asUnlisted: Cell { Cell(kind: .unlisted, payload: payload, length: length) }

    /// Whether the value is null or absent.
    @inlinable public var isNull: Bool { kind == .absent || kind == .null }

    /// Whether the cell's bytes are in the arena.
    @inlinable
    public var hasBytes: Bool {
        switch kind {
        case .text, .blob, .impossible, .number, .string, .json, .unlisted: true
        default: false
        }
    }

    /// The index of a list's first element; meaningless for an empty list.
    @inlinable public var head: Int { Int(payload >> 32) }
    /// The index of a list's last element; meaningless for an empty list.
    @inlinable public var tail: Int { Int(payload & 0xffff_ffff) }
}
