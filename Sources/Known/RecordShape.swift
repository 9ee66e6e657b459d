import SluiceRecords

/// All that a run counts of a record, but for its object: records of one shape count alike.
package struct RecordShape: Hashable, Sendable {
    package var entity: Int
    /// See `BatchItems.KnownRecord.isPartial`.
    package var isPartial: Bool
    /// Which of the entity's paths have led to it, as bits.
    package var paths: UInt32
    /// Of what JSON type each slot is, as the census counts it; of a record that does not count, nothing.
    package var kinds: ArraySlice<UInt8>
    /// By relationship: how many references with a target its object holds.
    package var held: ArraySlice<UInt8>

    /// Whether it counts (`where`).
    package var counts: Bool { !held.isEmpty || !kinds.isEmpty }

    /// Bytes before the kinds.
    package static let headBytes = 8

    /// Reads what `ShapeTable` holds.
    init?(_ bytes: ArraySlice<UInt8>, relationships: (_ entity: Int) -> Int?) {
        guard bytes.count >= RecordShape.headBytes else { return nil }
        let first = bytes.startIndex
        entity = Int(bytes[first]) | Int(bytes[first + 1]) << 8
        isPartial = bytes[first + 3] != 0
        paths = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[first + 4 + $1]) << UInt32(8 * $1) }
        guard let count = relationships(entity) else { return nil }
        let rest = bytes.dropFirst(RecordShape.headBytes)
        if bytes[first + 2] == 0 {
            (kinds, held) = ([], [])
            return
        }
        guard rest.count >= count else { return nil }
        kinds = rest.dropLast(count)
        held = rest.suffix(count)
    }
}
