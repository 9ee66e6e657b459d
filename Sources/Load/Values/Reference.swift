/// What a reference is: an objectID (from 1) with the index of its target among the relationship's targets in the upper
/// bits, or one of the constants.
enum Reference {
    /// ObjectIDs below 2^48 leave room for the target.
    private static let objectIDBits: Int64 = 48

    @inline(__always)
    static func make(_ objectID: Int64, target: Int) -> Int64 { Int64(target) << objectIDBits | objectID }

    @inline(__always)
    static func objectID(_ reference: Int64) -> Int64 { reference & (1 << objectIDBits - 1) }

    @inline(__always)
    static func target(_ reference: Int64) -> Int { Int(reference >> objectIDBits) }

    /// The highest objectID that a store may have: those of a run follow it, and must leave room for the target, too.
    static let highestStored: Int64 = 1 << (objectIDBits - 1)

    /// Null.
    static let none: Int64 = 0
    /// Its target is not known, or not yet.
    static let pending: Int64 = -1
    /// The record says nothing of it: an existing object keeps what it has.
    static let keep: Int64 = -2
}
