import SluiceRecords

/// An item in the memory: the hash of its bytes, and what became of it. 24 bytes.
package struct KnownEntry: BitwiseCopyable {
    /// Longer items are not kept.
    package static let longestItem = 1 << 20 - 1
    /// Of an item with other than one record, or a rare shape: the rest stands among the further words.
    static let severalRecords = 255
    private static let highestReference: Int64 = 1 << 36 - 1

    package var hash: ItemHash.Value
    /// The length in bytes (20 bits), the number of the pair of shapes (8), and the objectID or the place among the
    /// further words (36).
    private let word: UInt64

    /// - Parameters:
    ///   - pair: of shapes, or `severalRecords`.
    ///   - reference: see `fits`.
    init(hash: ItemHash.Value, length: Int, pair: Int, reference: Int64) {
        self.hash = hash
        word = UInt64(length) << 44 | UInt64(pair) << 36 | UInt64(reference)
    }

    static func fits(_ reference: Int64) -> Bool { reference >= 0 && reference <= highestReference }

    package var length: Int { Int(word >> 44) }
    var pair: Int { Int(word >> 36 & 255) }
    var reference: Int64 { Int64(word & UInt64(KnownEntry.highestReference)) }

    func moved(to reference: Int64) -> KnownEntry {
        KnownEntry(hash: hash, length: length, pair: pair, reference: reference)
    }
}

/// A record of an item in the memory, where an item has several: its shape (24 bits) and objectID (40).
struct FurtherRecord: BitwiseCopyable {
    let word: UInt64

    init(shape: Int, objectID: Int64) { word = UInt64(objectID) << 24 | UInt64(shape) }
    init(word: UInt64) { self.word = word }

    var shape: Int { Int(word & (1 << 24 - 1)) }
    /// 0: the record does not count.
    var objectID: Int64 { Int64(word >> 24) }
}

/// The first of the further words of an item: how many records follow, and what drift notes of it.
struct FurtherHead: BitwiseCopyable {
    let word: UInt64

    init(drift: Int, count: Int) { word = UInt64(drift) << 32 | UInt64(count) }
    init(word: UInt64) { self.word = word }

    var drift: Int { Int(word >> 32) }
    var count: Int { Int(word & 0xffff_ffff) }
}
