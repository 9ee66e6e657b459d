import SluiceRecords

/// Looks for the items of one source in the fingerprints of the run before, while the source is read.
///
/// Most come in the order in which they came the last time: then the bytes of the next one have its length and its
/// hash. An item that does not is looked for by its own hash: among those that come next, then among all.
@safe
package final class KnownSearch {
    package let file: KnownFile
    private let state: Unchecked<KnownSearchState>

    /// What is said of the bytes at hand.
    package enum Outcome: BitwiseCopyable {
        /// They begin with an item that is known, of so many bytes.
        case known(length: Int)
        /// More of them must be at hand before anything can be said.
        case unfinished
        case unknown
    }

    /// - Parameters:
    ///   - waiting: by entity, the objects that wait for a target.
    ///   - tableBytes: what a table of all items may take.
    package init(_ file: KnownFile, source: Int, waiting: [[Int64]], tableBytes: Int) {
        self.file = file
        state = Unchecked(KnownSearchState(file, source: source, waiting: waiting, tableBytes: tableBytes))
    }

    deinit {
        state.value.deallocate()
        state.deallocate()
    }

    package var isEmpty: Bool { state.value.items.isEmpty }
    /// By shape: how many records were known.
    package var counts: [Int] { state.value.counts }
    /// By number of what drift notes: how many items were known.
    package var driftCounts: [Int] { state.value.driftCounts }
    /// How many items were known.
    package var itemCount: Int { state.value.itemCount }
    /// The number of the item that was known last.
    package var last: Int { state.value.last }
    /// Items that were not found since one was known.
    package var missed: Int { state.value.missed }
    /// Whether something was met that a run in full must judge.
    package var isInDoubt: Bool {
        get { state.value.isInDoubt }
        set { state.value.isInDoubt = newValue }
    }

    /// Adds the records that were known to those that the paths of each entity have taken.
    package func addTaken(to taken: inout [[UInt64]], _ model: Model) {
        for (shape, records) in zip(file.shapes, state.value.counts) where records > 0 {
            for path in model.entities[shape.entity].records.indices
            where path < 32 && shape.paths >> UInt32(path) & 1 == 1 {
                taken[shape.entity][path] += UInt64(records)
            }
        }
    }

    /// Whether the bytes begin with the item that should come next, or with the one behind it.
    ///
    /// - Parameter salt: the hash of what items of the list become.
    package func match(
        _ bytes: UnsafePointer<UInt8>, _ available: Int, isLast: Bool,
        salt: ItemHash.Value = ItemHash.Value(low: 0, high: 0)
    ) -> Outcome {
        unsafe state.value.match(bytes, available, isLast: isLast, salt: salt)
    }

    /// Likewise of rows of a table.
    ///
    /// - Parameter salt: the hash of what the cells of its rows mean.
    package func matchRow(
        _ bytes: UnsafePointer<UInt8>, _ available: Int, isLast: Bool, salt: ItemHash.Value
    ) -> Outcome {
        unsafe state.value.matchRow(bytes, available, isLast: isLast, salt: salt)
    }

    /// Whether an item, of which all bytes are at hand, is known.
    package func find(
        _ bytes: UnsafePointer<UInt8>, _ length: Int, salt: ItemHash.Value = ItemHash.Value(low: 0, high: 0)
    ) -> Bool {
        unsafe state.value.find(bytes, length, salt)
    }

    /// Has some items at hand by their hashes, if there is room for it; all of them where those come in no order.
    package func index() { state.value.index() }

    /// Items that may be missed, one after the other, before others than the next ones are looked at.
    private static let missedBeforeIndexing = 48
    /// Those that may be missed then before the reading goes on without.
    private static let missedBeforePause = 512

    /// Draws the conclusion of an item that was not found: indexes items, or returns how many bytes are read without
    /// looking for any item, more each time that none was found.
    package func pauseAfterMiss() -> Int? {
        if missed == KnownSearch.missedBeforeIndexing { index() }
        return missed >= KnownSearch.missedBeforePause ? state.value.nextPause() : nil
    }

    /// Hands out the records of the item that was known last; one that does not count has the objectID 0.
    @inline(__always)
    package func forEachRecord(_ body: (BatchItems.KnownRecord) -> Void) {
        let file = file
        _ = file.forEachRecord(of: file.entry(last)) { body(file.record(of: $0).with(objectID: $1)) }
    }
}
