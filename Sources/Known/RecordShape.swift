import SluiceRecords

/// All that a run counts of a record, but for its object: records of one shape count alike.
///
/// A feed of many fields may have a shape for each record: so what it is made of stays where it was read.
package struct RecordShape: Hashable, Sendable {
    package var entity: Int
    /// See `BatchItems.KnownRecord.isPartial`.
    package var isPartial: Bool
    /// Which of the entity's paths have led to it, as bits.
    package var paths: UInt32
    /// Two kinds in each byte, and behind them what is held.
    private let rest: ArraySlice<UInt8>
    private let slots: Int

    /// Of what JSON type each slot is, as the census counts it; of a record that does not count, nothing.
    package var kinds: [UInt8] {
        (0..<slots).map { slot in
            let both = rest[rest.startIndex + slot / 2]
            return PackedKind.kind(slot & 1 == 0 ? both & 15 : both >> 4)
        }
    }

    /// By relationship: how many references with a target its object holds.
    package var held: ArraySlice<UInt8> { rest.dropFirst((slots + 1) / 2) }

    /// Whether it counts (`where`).
    package var counts: Bool { !rest.isEmpty }

    /// Bytes before the kinds.
    package static let headBytes = 8
    /// The byte of the head that says whether the record counts, and whether the last byte of kinds has but one.
    package static let countsAt = 2

    /// Reads what `ShapeTable` holds.
    init?(_ bytes: ArraySlice<UInt8>, relationships: (_ entity: Int) -> Int?) {
        guard bytes.count >= RecordShape.headBytes else { return nil }
        let first = bytes.startIndex
        entity = Int(bytes[first]) | Int(bytes[first + 1]) << 8
        isPartial = bytes[first + 3] != 0
        paths = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[first + 4 + $1]) << UInt32(8 * $1) }
        guard let count = relationships(entity) else { return nil }
        let how = bytes[first + RecordShape.countsAt]
        guard how != 0 else {
            (rest, slots) = ([], 0)
            return
        }
        rest = bytes.dropFirst(RecordShape.headBytes)
        guard rest.count >= count else { return nil }
        slots = max(0, 2 * (rest.count - count) - (how == PackedKind.odd ? 1 : 0))
    }
}

/// Kinds of cells in four bits each: the raw ones follow those that are null or absent, or a list.
package enum PackedKind {
    /// What a head says of an even number of kinds, and of an odd one.
    package static let (even, odd): (UInt8, UInt8) = (1, 2)

    static func kind(_ code: UInt8) -> UInt8 { code < 8 ? code : code + 8 }

    private static func code(_ kind: UInt8) -> UInt8 { kind < 8 ? kind : kind &- 8 & 15 }

    /// Packs kinds in place; returns how many bytes they are.
    package static func pack(_ kinds: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
        for place in 0..<count / 2 {
            unsafe kinds[place] = code(kinds[2 * place]) | code(kinds[2 * place + 1]) << 4
        }
        if count & 1 == 1 { unsafe kinds[count / 2] = code(kinds[count - 1]) }
        return (count + 1) / 2
    }
}
