import SluiceRecords

/// What a record, or an object, says of a reference: which object it is to, or one of the constants.
package struct Reference: Hashable, Sendable, BitwiseCopyable, Comparable {
    /// ObjectIDs below 2^48 leave room for the target.
    @inlinable static var objectIDBits: Int64 { 48 }

    /// An objectID (from 1) with the index of its target among the relationship's targets in the upper bits; or 0 and
    /// below.
    @usableFromInline let bits: Int64

    @inlinable init(bits: Int64) { self.bits = bits }

    /// A reference to an object.
    ///
    /// - Parameter target: the index of its entity among the targets of the relationship.
    @inlinable @inline(__always)
    package init(_ objectID: Int64, target: Int = 0) { bits = Int64(target) << Reference.objectIDBits | objectID }

    /// Null.
    @inlinable package static var null: Reference { Reference(bits: 0) }
    /// Its target is not known, or not yet.
    @inlinable package static var pending: Reference { Reference(bits: -1) }
    /// The record says nothing of it: an existing object keeps what it has.
    @inlinable package static var unstated: Reference { Reference(bits: -2) }

    /// The highest objectID that a store may have: those of a run follow it, and must leave room for the target, too.
    @inlinable package static var highestStored: Int64 { 1 << (objectIDBits - 1) }

    /// Whether its object is known.
    @inlinable @inline(__always)
    package var isKnown: Bool { bits > 0 }

    /// Whether it is known to which object it is, or that it is null.
    @inlinable @inline(__always)
    package var isDetermined: Bool { bits >= 0 }

    /// As an object holds it: null where the object is not known.
    @inlinable @inline(__always)
    package var held: Reference { isKnown ? self : .null }

    /// Of a known reference.
    @inlinable @inline(__always)
    package var objectID: Int64 { bits & (1 << Reference.objectIDBits - 1) }

    /// Of a known reference: the index of its entity among the targets of the relationship.
    @inlinable @inline(__always)
    package var target: Int { Int(bits >> Reference.objectIDBits) }

    /// What it is hashed by.
    @inlinable @inline(__always)
    package var number: Int64 { bits }

    @inlinable package static func < (one: Reference, other: Reference) -> Bool { one.bits < other.bits }
}

extension Reference {
    /// The highest objectID that a table of a store has, 0 where it has none; throws where it leaves no room for
    /// others.
    package static func checkedHighest(_ highest: Int64, _ table: String, store: String) throws(Failure) -> Int64 {
        guard highest <= highestStored else {
            throw Failure(
                .io,
                "the store \(store) holds the objectID \(highest) in the table \(table), and the highest that"
                    + " can be loaded into is \(highestStored)")
        }
        return max(highest, 0)
    }
}
