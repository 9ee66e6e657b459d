import SluiceRecords

/// What is measured of the records of an entity: which columns together are unique, and whether one column is the key
/// of objects that many records describe.
@safe
final class RecordMeasure: RowReceiver {
    private(set) var candidates: [UniqueColumns] = []
    /// All that the records say; nil: they say more than values.
    private let whole: UniqueColumns?
    /// What identifies the records by itself, if something does, whatever was chosen.
    var alone: DraftIdentifier?
    /// The column that may be the key of objects which many records describe.
    let objectKey: Int?
    /// The columns that are to be the same wherever the key is, in the order of their names.
    let dependents: [Int]
    private let state: UnsafeMutablePointer<State>

    /// What is read or changed for each record.
    @safe
    private struct State: BitwiseCopyable {
        var records = 0
        /// Those that are still followed. Nobody counts their owners for each record.
        var live = unsafe Table<Unmanaged<UniqueColumns>>(capacity: 0)
        var liveCount = 0
        var hasComparisons = false
        /// The place of the object key in rows; -1: there is none.
        var keyPlace = -1
        var dependents = Table<Int>(capacity: 0)
        var dependentCount = 0
        /// What the lists of the record that goes on have, added up.
        var inner: UInt64 = 0
        var keys = HashCounts(most: 1 << 20)
        var descriptions = HashCounts(most: 1 << 20)
        var sample = Table<UInt64>(capacity: 0)
        let width: Int
    }

    /// Where what a record has counts as what the record around it has: that is the same object as another one only if
    /// its lists are the same, too. Nil: nobody asks.
    private var around: RecordMeasure?

    /// So many rows are kept, the first ones.
    private static let mostSampled = 64

    /// Two columns, and in how many records both have the same value.
    final class Comparison {
        let (one, other): (Int, Int)
        var equal = 0

        init(_ one: Int, _ other: Int) { (self.one, self.other) = (one, other) }
    }

    private var comparisons: [[Int]: Comparison] = [:]
    /// Those that are still followed.
    private var followed: [Comparison] = []
    /// After so many records, columns that never had the same value are followed no longer.
    private static let mostCompared = 256
    /// Whether records have lists of values: which of them are in one is asked to the end.
    private let hasLists: Bool

    /// What tells records from others, where most have it.
    private let strangers: [StrangerLog]

    /// The columns that only those have which lack a column, and share nothing with the records; nil: they are records.
    func strangers(without column: DraftColumn) -> [DraftColumn]? {
        strangers.first { $0.column == column.index }?.columns(of: entity)
    }

    /// Compares two columns in each record.
    func compare(_ one: DraftColumn, _ other: DraftColumn) {
        guard comparisons[[one.index, other.index]] == nil else { return }
        let comparison = Comparison(one.index, other.index)
        comparisons[[one.index, other.index]] = comparison
        followed.append(comparison)
        unsafe state.pointee.hasComparisons = true
    }

    /// In how many records two columns have the same value.
    func equal(_ one: DraftColumn, _ other: DraftColumn) -> Int {
        comparisons[[one.index, other.index]]?.equal ?? 0
    }

    override init(_ entity: DraftEntity) {
        objectKey = RecordMeasure.objectKey(of: entity)
        dependents = objectKey == nil ? [] : RecordMeasure.dependents(of: entity)
        hasLists = !entity.isEmbedded && entity.columns.contains { $0.content == .list || $0.content == .inner }
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: State(width: entity.columns.count + 1))
        let sets = RecordMeasure.candidates(entity)
        let single = RecordMeasure.optional(entity)
        strangers = StrangerLog.all(of: entity, single)
        whole = RecordMeasure.whole(entity, sets).map { UniqueColumns($0, of: entity, takesNone: true) }
        super.init(entity)
        let most = sets.count > 24 ? UniqueValues.most / 8 : UniqueValues.most
        candidates = sets.map { UniqueColumns($0, of: entity, most: most) }
        let optional = single.map { [$0] } + RecordMeasure.optionalPairs(entity)
        candidates += optional.map { UniqueColumns($0, of: entity, isOptional: true, most: most) }
        if let last = RecordMeasure.last(entity) {
            candidates.append(UniqueColumns(last, of: entity, isLast: true, most: most))
        }
        if let objectKey, entity.owner != nil, !entity.isEmbedded, !sets.contains([-1, objectKey]) {
            candidates.append(UniqueColumns([-1, objectKey], of: entity, most: most))
        }
        followWhatIsLeft()
        guard let objectKey else { return }
        unsafe state.pointee.keyPlace = objectKey + 1
        unsafe state.pointee.dependentCount = dependents.count
        unsafe state.pointee.dependents.ensure(dependents.count)
        for (index, column) in dependents.enumerated() { unsafe state.pointee.dependents[index] = column + 1 }
    }

    private static func dependents(of entity: DraftEntity) -> [Int] {
        entity.columns.filter { $0.content == .scalar && !$0.isKey && $0.cut == nil }
            .sorted { ($0.path ?? []).lexicographicallyPrecedes($1.path ?? []) }.map(\.index)
    }

    deinit {
        unsafe state.pointee.live.deallocate()
        unsafe state.pointee.dependents.deallocate()
        unsafe state.pointee.keys.deallocate()
        unsafe state.pointee.descriptions.deallocate()
        unsafe state.pointee.sample.deallocate()
        unsafe state.deallocate()
    }

    var keys: HashCounts { unsafe state.pointee.keys }
    var descriptions: HashCounts { unsafe state.pointee.descriptions }

    /// How many there were, as long as something was asked of them.
    var records: Int { unsafe state.pointee.records }

    override var isDone: Bool {
        unsafe state.pointee.liveCount == 0 && !state.pointee.hasComparisons && state.pointee.keyPlace < 0 && !hasLists
            && around == nil && strangers.isEmpty
    }

    /// Lets the lists of records that may be told of again and again be compared with what else these have.
    static func compareLists(_ measures: [RecordMeasure]) {
        // Those around come first.
        for measure in measures.sorted(by: { $0.entity.place.steps.count < $1.entity.place.steps.count }) {
            guard let owner = measure.entity.owner, !measure.entity.isEmbedded, !measure.entity.isTree, !owner.isTree,
                !owner.isEmbedded
            else { continue }
            let around = measures[owner.index]
            if around.objectKey != nil || around.around != nil { measure.around = around }
        }
    }

    /// Adds a record: the hash of each column's value, before which is that of its owner.
    override func add(_ row: UnsafePointer<UInt64>) -> RowDemand {
        let state = unsafe state
        unsafe state.pointee.records &+= 1
        let number = unsafe state.pointee.records
        if number <= RecordMeasure.mostSampled { unsafe keep(row, number) }
        var hasGone = false
        for index in 0..<(unsafe state.pointee.liveCount) {
            let step = unsafe state.pointee.live[index]._withUnsafeGuaranteedRef { unsafe $0.add(row, number) }
            if step == .failed { return fail(index) }
            hasGone = hasGone || step == .gone
        }
        for log in strangers { unsafe log.add(row) }
        if unsafe state.pointee.hasComparisons { unsafe compare(row) }
        if unsafe state.pointee.keyPlace >= 0 { unsafe countObject(row) }
        if let around { unsafe around.takeInner(row, state.pointee.width, state.pointee.inner) }
        unsafe state.pointee.inner = 0
        if number == RecordMeasure.mostCompared { followed.removeAll { $0.equal == 0 } }
        // Attributes that are together by chance are soon not so.
        if number == 50_000 { thinOut() }
        if hasGone { followWhatIsLeft() }
        return hasGone && isDone ? .enough : .more
    }

    private func keep(_ row: UnsafePointer<UInt64>, _ number: Int) {
        let width = unsafe state.pointee.width
        unsafe state.pointee.sample.ensure(number * width)
        unsafe (state.pointee.sample.base + (number - 1) * width).update(from: row, count: width)
    }

    /// Calls a function with the first rows.
    func forEachSampled(_ body: (UnsafePointer<UInt64>) -> Void) {
        let width = unsafe state.pointee.width
        for number in 0..<min(records, RecordMeasure.mostSampled) {
            unsafe body(UnsafePointer(state.pointee.sample.base + number * width))
        }
    }

    private func fail(_ index: Int) -> RowDemand {
        failure = unsafe state.pointee.live[index].takeUnretainedValue().failure
        return .failed
    }

    @inline(__always)
    private func countObject(_ row: UnsafePointer<UInt64>) {
        let state = unsafe state
        let key = unsafe row[state.pointee.keyPlace]
        guard key != ValueFingerprint.none else { return }
        var all = unsafe ValueFingerprint.joined(1, state.pointee.inner)
        for index in 0..<(unsafe state.pointee.dependentCount) {
            all = unsafe ValueFingerprint.joined(all, row[state.pointee.dependents[index]])
        }
        unsafe state.pointee.keys.add(key)
        unsafe state.pointee.descriptions.add(ValueFingerprint.joined(key, all))
    }

    /// Takes a row of what is in the record that goes on, and what is in that. The order does not count.
    private func takeInner(_ row: UnsafePointer<UInt64>, _ width: Int, _ inner: UInt64) {
        var all = ValueFingerprint.joined(1, inner)
        for slot in 1..<width { all = unsafe ValueFingerprint.joined(all, row[slot]) }
        unsafe state.pointee.inner &+= all
    }

    private func compare(_ row: UnsafePointer<UInt64>) {
        for comparison in followed {
            let value = unsafe row[comparison.one + 1]
            if value != ValueFingerprint.none, value == (unsafe row[comparison.other + 1]) { comparison.equal += 1 }
        }
    }

    private func followWhatIsLeft() {
        unsafe state.pointee.live.ensure(candidates.count + 1)
        unsafe state.pointee.liveCount = 0
        let left = candidates.filter { !$0.isGone && !$0.isCertain }
        // Where nothing can be unique any more, places are taken.
        if left.isEmpty, !entity.place.isOfSequence { whole?.drop() }
        for candidate in left + [whole].compactMap({ $0 }).filter({ !$0.isGone }) {
            unsafe state.pointee.live[state.pointee.liveCount] = unsafe Unmanaged.passUnretained(candidate)
            unsafe state.pointee.liveCount += 1
        }
    }

    /// How many records are copies of another one, in all that they say; nil: that was not looked at.
    func copies() throws(Failure) -> Int? {
        guard let whole, !whole.isGone, whole.isComplete(records) else { return nil }
        return try whole.repeats()
    }

    private func thinOut() {
        let combined = candidates.filter { !$0.isGone && $0.columns.count > 1 && !$0.isLast }
        for candidate in combined.dropFirst(8) where !candidate.isCertain && !isObjectKeyInOwner(candidate) {
            candidate.drop()
        }
        let isNamed = candidates.contains { !$0.isGone && $0.columns.count == 1 && !$0.isOptional }
        if isNamed {
            for candidate in candidates where candidate.isLast { candidate.drop() }
            whole?.drop()
        }
        followWhatIsLeft()
    }

    /// Whether it tells if a record has an object twice.
    private func isObjectKeyInOwner(_ candidate: UniqueColumns) -> Bool {
        objectKey.map { candidate.columns == [-1, $0] } ?? false
    }

    /// Whether no record that these are in has an object twice.
    ///
    /// - Parameter name: by which member objects are known, where none of their names is that of a key.
    func areOnceInOwners(by name: String) throws(Failure) -> Bool {
        let named = entity.columns.first { $0.cut == nil && !$0.isKey && $0.ownName.isIdentical(to: name) }
        let place = objectKey ?? named?.index
        guard let place, let candidate = candidates.first(where: { $0.columns == [-1, place] }), !candidate.isGone,
            candidate.isComplete(records)
        else { return false }
        return try candidate.repeats() == 0
    }
}
