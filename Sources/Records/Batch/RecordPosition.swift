/// Where a record stands in its feed: trivial, so that a batch holds thousands of them without allocating.
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
        let parent = parentPath.kind == .text ? arena.text(of: parentPath) : "$"
        switch step.kind {
        case .integer: return "\(parent)[\(step.integer)]"
        case .text: return parent + Path.spelled(name: arena.text(of: step))
        default: return parent
        }
    }
}
