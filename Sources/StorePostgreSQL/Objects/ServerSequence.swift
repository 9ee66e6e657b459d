import SluicePostgreSQL
import SluiceRecords

/// How the objects of an entity are read in sequence: a range of them for each batch, which is asked for while the one
/// before is compared.
struct ServerSequence {
    /// A range whose query was sent.
    struct Sent {
        var answer: ServerAnswer
        /// The objectID behind which it begins.
        var first: Int64
        /// That up to which it goes.
        var last: Int64
        /// For how many rows it is.
        var count: Int
    }

    var sent: Sent? { didSet { highestWritten = 0 } }
    /// The highest objectID that was written since: up to it, the range that was sent for may be out of date.
    private var highestWritten: Int64 = 0
    /// How many batches are still looked up without a range, since the last range did not have their objects.
    private var skipped = 0
    /// The share of a batch by which a range is longer, as its divisor: objects may be in the store and not in the
    /// feed.
    private var divisor = ServerSequence.largestDivisor

    private static let mostSkipped = 8
    private static let (smallestDivisor, largestDivisor) = (2, 64)

    /// How many objects more than rows are asked for.
    func slack(_ count: Int) -> Int { count / divisor + 16 }

    /// Whether a batch is looked up by its identifiers.
    mutating func isSkipped() -> Bool {
        if skipped == 0 { return false }
        skipped -= 1
        return true
    }

    /// The range that was asked for, where it is what is wanted now.
    mutating func take(behind first: Int64, upTo last: Int64, _ count: Int) -> ServerAnswer? {
        guard let sent else { return nil }
        let isGood = sent.first <= first && highestWritten <= first && sent.last == last && sent.count >= count
        self.sent = nil
        return isGood ? sent.answer : nil
    }

    /// Notes that an object was written.
    mutating func wrote(_ objectID: Int64) { highestWritten = max(highestWritten, objectID) }

    /// Notes that objects were written, whichever.
    mutating func forget() { sent = nil }

    /// Learns from a batch how the next are to be read.
    mutating func note(hits: Int, of count: Int, isAtEnd: Bool) {
        if isAtEnd { divisor = max(ServerSequence.smallestDivisor, divisor / 2) }
        // Records in another order than their objects are looked up by their identifiers for a while.
        if hits * 4 < count {
            skipped = ServerSequence.mostSkipped
            sent = nil
        }
    }
}

extension ServerRows {
    /// The place of the first object behind one, of objects in their order.
    func place(behind objectID: Int64) -> Int {
        (0..<count).partitionPoint { integer($0, 1) > objectID }
    }
}

/// Walks through a range of objects with the records of a batch: mostly, the object of each record is the next one.
struct RangeWalk {
    private let range: ServerRows
    /// The first object that no row was found to be of.
    private(set) var next: Int
    /// By the hash of the identifier: once records were met whose object is not the next.
    private var places: [UInt64: Int]?

    init(_ range: ServerRows, from start: Int) {
        self.range = range
        next = start
    }

    /// Whether the range holds no more.
    var isAtEnd: Bool { next >= range.count }

    /// The place of a row's object, behind those of all rows before it; nil: it is not there.
    mutating func place(of row: Int, _ comparison: ServerRowComparison) -> Int? {
        if next < range.count, comparison.isMet(row, range, next) {
            defer { next += 1 }
            return next
        }
        let found = placesByHash(comparison)[comparison.hash(row)]
        guard let found, found >= next, comparison.isMet(row, range, found) else { return nil }
        next = found + 1
        return found
    }

    private mutating func placesByHash(_ comparison: ServerRowComparison) -> [UInt64: Int] {
        if let places { return places }
        var all: [UInt64: Int] = [:]
        all.reserveCapacity(range.count)
        for place in 0..<range.count { all[comparison.hash(range, place)] = place }
        places = all
        return all
    }
}
