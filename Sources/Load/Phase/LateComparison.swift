import SluiceRecords

/// Joins the records that are compared with the objects.
struct LateComparison {
    let compared: ComparedRecords
    let rounds: EntityRounds
    let context: LoadContext
    private var state: EntityState { rounds.state }
    private var work: RowScratch { rounds.relations.work }

    /// Settles the records that equal their objects, and returns the numbers of the records whose objects are certainly
    /// new, and of all others. The batch is used as a buffer.
    func run(_ batch: RecordBatch) throws(Failure) -> (others: ObjectIDSet, new: ObjectIDSet) {
        // The objects of this run are read as well, so that an identifier that is not among them is new.
        try compared.readObjects(upTo: .max, state)
        let stored = compared.objects
        let (others, new) = (ObjectIDSet(), ObjectIDSet())
        let found = state.spools.positions == nil ? nil : FoundObjects(compared.spool.count)
        var join = DigestJoin()
        defer { join.deallocate() }
        for partition in 0..<stored.partitionCount {
            try context.checkCancelled()
            try join.run(partition, stored: stored, waiting: compared.digests) { record, verdict throws(Failure) in
                switch verdict {
                case .same(let object):
                    if settleSame(object) {
                        try found?.append(record.number, object.number)
                    } else {
                        others.insert(record.number)
                    }
                case .new: new.insert(record.number)
                case .other: others.insert(record.number)
                }
            }
        }
        if let found { try appendPositions(of: found, batch) }
        return (others, new)
    }

    /// Settles the feed's only record of an object, which equals the object: as `RoundReferences.settleFirst` and what
    /// follows it do where nothing differs. False where the record must be loaded all the same.
    private func settleSame(_ object: RowDigest) -> Bool {
        let (objectID, objects) = (object.number, state.objects)
        if objects.stubs.earlier.contains(objectID) { return false }
        for waiting in objects.waiting where waiting.contains(objectID) { return false }
        guard objects.insertSeen(objectID) else { return false }
        for relationship in rounds.relations.toOne.indices {
            let isKnown = object.isKnown(relationship)
            state.tally.count(resolved: isKnown ? 1 : 0, null: isKnown ? 0 : 1, relationship)
        }
        return true
    }

    /// Keeps the positions of records that say what their objects hold: their references may be nullified.
    private func appendPositions(of found: FoundObjects, _ batch: RecordBatch) throws(Failure) {
        let section = batch.sections[state.index]
        var objects = FoundObjects.Reader(found)
        defer { objects.deallocate() }
        try compared.spool.forEachBatch(section, batch, work: work, limit: context.batchSize) { read throws(Failure) in
            try context.checkCancelled()
            for row in read.map(\.row) {
                let objectID = try objects.object(of: work.objectIDs[row])
                if objectID == 0 { continue }
                work.objectIDs[row] = objectID
                try state.spools.positions?.append(row, section, batch, fate: .found, work: work)
            }
        }
    }
}

/// The objects of records, by the numbers of these: written in any order, read in theirs.
final class FoundObjects {
    fileprivate let spool: DigestSpool
    private let shift: UInt64

    init(_ records: Int) {
        spool = DigestSpool(objects: Int64(records))
        // The partitions go by the upper bits.
        shift = UInt64(UInt64(records + 1).leadingZeroBitCount)
    }

    func append(_ number: Int64, _ objectID: Int64) throws(Failure) {
        try spool.append(RowDigest(identifier: identifier(of: number), content: UInt64(number), number: objectID))
    }

    fileprivate func identifier(of number: Int64) -> UInt64 { UInt64(number) << shift }

    /// Reads them, by ascending numbers.
    @safe
    struct Reader {
        private let found: FoundObjects
        private var digests = Table<RowDigest>()
        /// The objects of the partition at hand, by number.
        private var objects: [Int64: Int64] = [:]
        private var partition = -1

        init(_ found: FoundObjects) { self.found = found }

        mutating func deallocate() { digests.deallocate() }

        /// The object of a record, or 0.
        mutating func object(of number: Int64) throws(Failure) -> Int64 {
            let wanted = found.spool.partition(of: found.identifier(of: number))
            if wanted != partition {
                partition = wanted
                objects.removeAll(keepingCapacity: true)
                for place in 0..<(try found.spool.read(partition, into: &digests)) {
                    objects[Int64(digests[place].content)] = digests[place].number
                }
            }
            return objects[number] ?? 0
        }
    }
}
