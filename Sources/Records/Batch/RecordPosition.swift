/// The position of a record in its feed: trivial, so that a batch holds thousands of them without allocating.
@frozen
public struct RecordPosition: Sendable, BitwiseCopyable {
    /// Bytes from the start of the (uncompressed) file to the record's first byte, from 0.
    public var offset: UInt64 = 0
    /// The record's number among those of its entity in its source, by their first byte, from 0. Once Transform has
    /// seen it, only records that count (`where`) have one.
    public var record: UInt64 = 0
    /// From 1.
    public var line: UInt64 = 1
    /// In bytes, from 1.
    public var column: UInt64 = 1
    /// The index of the source in the definition.
    public var source: UInt16 = 0
    /// The index of the file within its source.
    public var file: UInt32 = 0
    /// The path of the node that encloses the record: its text in the batch's arena. Records share it.
    public var parentPath: Cell = .absent
    /// The last step of the record's path: `integer`, an index; `text`, a name; `absent`, the record is the top itself.
    public var step: Cell = .absent

    /// The beginning of the first file of the first source.
    @inlinable public init() {}
}

extension RecordPosition {
    /// The record's path, such as `$.stops[17]`.
    public func path(in arena: borrowing Arena) -> String {
        var bytes: [UInt8] = []
        appendPath(in: arena, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Likewise, as UTF-8 behind other bytes.
    package func appendPath(in arena: borrowing Arena, to bytes: inout [UInt8]) {
        if parentPath.kind == .text {
            unsafe bytes.append(contentsOf: arena.bytes(of: parentPath))
        } else {
            bytes.append(UInt8(ascii: "$"))
        }
        switch step.kind {
        case .integer:
            bytes.append(UInt8(ascii: "["))
            bytes.append(contentsOf: String(step.integer).utf8)
            bytes.append(UInt8(ascii: "]"))
        case .text: bytes.append(contentsOf: Path.spelled(name: arena.text(of: step)).utf8)
        default: break
        }
    }
}
