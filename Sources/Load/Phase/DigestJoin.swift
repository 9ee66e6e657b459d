import SluiceRecords

/// Finds, by digests, the waiting records that are the only one of their object and equal to it, and those that are the
/// only one of an object that is not there. All others are decided record by record.
@safe
struct DigestJoin {
    /// What a record is to the objects.
    enum Verdict {
        /// The only record of an object, and equal to it: the object's digest.
        case same(RowDigest)
        /// The only record of its identifier, which no object has.
        case new
        case other
    }

    /// The state of a stored digest: the place of the equal record, or one of these.
    private enum Match {
        static let none: Int32 = -1
        /// Several records have the identifier, or one that is not the same; or several objects have this hash.
        static let unclear: Int32 = -2
    }

    private var stored = Table<RowDigest>()
    private var waiting = Table<RowDigest>()
    /// By hash: one and the index of a stored digest; or, less than 0, minus one and the place of a record; 0: free.
    private var slots = Table<Int32>()
    /// By stored digest.
    private var matches = Table<Int32>()
    /// By record: whether it is the only one so far of an identifier that no object has.
    private var isNew = Table<Bool>()
    private var mask = 0

    mutating func deallocate() {
        stored.deallocate()
        waiting.deallocate()
        slots.deallocate()
        matches.deallocate()
        isNew.deallocate()
    }

    /// Gives a verdict on each record of a partition.
    mutating func run(
        _ partition: Int, stored objects: DigestSpool, waiting records: DigestSpool,
        _ verdict: (_ record: RowDigest, Verdict) throws(Failure) -> Void
    ) throws(Failure) {
        guard records.isTooLarge(partition) else { return try join(partition, objects, records, verdict) }
        let count = records.count(partition)
        let (objects, records) = (
            try objects.divided(partition, for: count), try records.divided(partition, for: count)
        )
        for part in 0..<records.partitionCount { try join(part, objects, records, verdict) }
    }

    private mutating func join(
        _ partition: Int, _ objects: DigestSpool, _ records: DigestSpool,
        _ verdict: (_ record: RowDigest, Verdict) throws(Failure) -> Void
    ) throws(Failure) {
        let count = try records.read(partition, into: &waiting)
        if count == 0 { return }
        let storedCount = try objects.read(partition, into: &stored)
        prepare(storedCount, count)
        let (stored, waiting, slots, matches, isNew) = (stored, waiting, slots, matches, isNew)
        for place in 0..<count {
            let record = waiting[place]
            let slot = slot(of: record.identifier)
            let found = Int(slots[slot])
            isNew[place] = found == 0
            if found == 0 {
                slots[slot] = Int32(-1 - place)
            } else if found < 0 {
                isNew[-1 - found] = false
                try verdict(record, .other)
            } else if matches[found - 1] == Match.none, stored[found - 1].hasSameContent(as: record) {
                matches[found - 1] = Int32(place)
            } else {
                if matches[found - 1] >= 0 { try verdict(waiting[Int(matches[found - 1])], .other) }
                matches[found - 1] = Match.unclear
                try verdict(record, .other)
            }
        }
        for object in 0..<storedCount where matches[object] >= 0 {
            try verdict(waiting[Int(matches[object])], .same(stored[object]))
        }
        try judgeUnmet(count, verdict)
    }

    private func judgeUnmet(
        _ count: Int, _ verdict: (_ record: RowDigest, Verdict) throws(Failure) -> Void
    ) throws(Failure) {
        for place in 0..<count {
            // A first record is reported only now, as others might have followed.
            if isNew[place] {
                try verdict(waiting[place], .new)
            } else if isFirst(place) {
                try verdict(waiting[place], .other)
            }
        }
    }

    /// Whether a record is the first of an identifier that no object has.
    private func isFirst(_ place: Int) -> Bool {
        slots[slot(of: waiting[place].identifier)] == Int32(-1 - place)
    }

    /// Makes a table of the stored digests, with room for the records.
    private mutating func prepare(_ count: Int, _ records: Int) {
        var capacity = 64
        while capacity < 2 * (count + records) { capacity *= 2 }
        mask = capacity - 1
        slots.ensure(capacity)
        matches.ensure(count)
        isNew.ensure(records)
        unsafe slots.base.initialize(repeating: 0, count: capacity)
        unsafe matches.base.initialize(repeating: Match.none, count: count)
        let (stored, slots, matches) = (stored, slots, matches)
        for object in 0..<count {
            let slot = slot(of: stored[object].identifier)
            if slots[slot] == 0 {
                slots[slot] = Int32(object + 1)
            } else {
                matches[Int(slots[slot]) - 1] = Match.unclear
            }
        }
    }

    /// The slot that has an identifier's hash, or the free one where it belongs.
    @inline(__always)
    private func slot(of identifier: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: identifier) & mask
        while true {
            let found = Int(slots[slot])
            if found == 0 { return slot }
            let digest = found > 0 ? stored[found - 1] : waiting[-1 - found]
            if digest.identifier == identifier { return slot }
            slot = (slot + 1) & mask
        }
    }
}
