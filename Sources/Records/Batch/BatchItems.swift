/// The items of feeds that a batch is about, in the order of the feed: the values of the outermost list of a document,
/// or those of a sequence. Most are read, and the batch has rows for their records; of some it is *known* from the run
/// before what became of their bytes, and the batch has nothing but the objects.
@safe
package struct BatchItems: BitwiseCopyable {
    /// An item that was read.
    package struct Read: BitwiseCopyable {
        /// The hash of its bytes.
        package var hash: ItemHash.Value
        /// Bytes.
        package var length: Int
        /// The number of what drift notes of it; 0: nothing.
        package var drift: Int
        /// Its records, by whatever entities.
        package var recordCount: Int
        /// Whether it is a member of an object, with its key.
        package var isMember: Bool

        package init(hash: ItemHash.Value, length: Int, drift: Int, recordCount: Int, isMember: Bool = false) {
            self.hash = hash
            self.isMember = isMember
            self.length = length
            self.drift = drift
            self.recordCount = recordCount
        }
    }

    /// Items that follow one another: of those that were known, the number of the first in the memory; of those that
    /// were read, in `reads`.
    package struct Run: BitwiseCopyable {
        package var areKnown: Bool
        package var sourceIndex: Int
        package var first: Int
        package var count: Int
    }

    /// A record of a known item: the object that it has become.
    package struct KnownRecord: BitwiseCopyable {
        private let word: UInt64

        private static let partial: UInt64 = 1 << 23

        /// - Parameters:
        ///   - objectID: 0 to `highestObjectID`; 0: the record does not count.
        ///   - entity: up to 2^23 - 1.
        ///   - isPartial: see `isPartial`.
        package init(objectID: Int64, entity: Int, isPartial: Bool) {
            word = UInt64(objectID) << 24 | UInt64(entity) | (isPartial ? KnownRecord.partial : 0)
        }

        private init(word: UInt64) { self.word = word }

        /// A record like this one, of another object.
        package func with(objectID: Int64) -> KnownRecord {
            KnownRecord(word: word & (1 << 24 - 1) | UInt64(objectID) << 24)
        }

        package var objectID: Int64 { Int64(word >> 24) }
        package var entity: Int { Int(word & (KnownRecord.partial - 1)) }
        /// Whether it says nothing of some attribute, where objects may have several known records.
        package var isPartial: Bool { word & KnownRecord.partial != 0 }
    }

    /// The greatest objectID that a known record can have.
    package static let highestObjectID: Int64 = 1 << 40 - 1

    package private(set) var reads = Table<Read>(capacity: 0)
    package private(set) var readCount = 0
    package private(set) var runs = Table<Run>(capacity: 0)
    package private(set) var runCount = 0
    package private(set) var known = Table<KnownRecord>(capacity: 0)
    package private(set) var knownCount = 0

    package init() {}

    package var isEmpty: Bool { runCount == 0 }

    package mutating func deallocate() {
        reads.deallocate()
        runs.deallocate()
        known.deallocate()
    }

    package mutating func reset() { (readCount, runCount, knownCount) = (0, 0, 0) }

    /// Adds an item whose records are rows.
    package mutating func append(_ read: Read, source: Int) {
        reads.ensure(readCount + 1)
        reads[readCount] = read
        note(Run(areKnown: false, sourceIndex: source, first: readCount, count: 1))
        readCount += 1
    }

    /// Adds an item that is known, without its records.
    package mutating func append(known number: Int, source: Int) {
        note(Run(areKnown: true, sourceIndex: source, first: number, count: 1))
    }

    /// Adds a record of the known item that was added last.
    package mutating func append(_ record: KnownRecord) {
        known.ensure(knownCount + 1)
        known[knownCount] = record
        knownCount += 1
    }

    private mutating func note(_ run: Run) {
        if runCount > 0 {
            let last = runs[runCount - 1]
            if last.areKnown == run.areKnown, last.sourceIndex == run.sourceIndex, last.first + last.count == run.first
            {
                runs[runCount - 1].count += 1
                return
            }
        }
        runs.ensure(runCount + 1)
        runs[runCount] = run
        runCount += 1
    }
}
