import SluiceRecords

/// The duplicates of an entity, until the run knows for each of them the position and the content of the first record
/// of its object.
///
/// A run remembers no record that it has loaded. So it writes down the position of the first of each object and what it
/// left unsaid, which takes a few bytes of disk, and lets the duplicates wait there, too; most feeds have none, and
/// then nothing is read again.
///
/// A duplicate conflicts if it would change the object that the copies before it alone would have made. The stored
/// values from before the run do not matter: in a column that no copy before has stated, the duplicate differs if it
/// gives a value; in any other, if it differs from the object as the run held it.
final class Duplicates {
    private let relations: EntityRelations
    private let sink: any FindingSink
    private var firsts: FirstPositionLog?
    private var spool: RowSpool?
    /// The objects with duplicates.
    private let objects = ObjectIDSet()

    private var state: EntityState { relations.state }
    private var work: RowScratch { relations.work }
    private var statedColumns: StatedColumns { state.statedColumns }

    /// What the copies of an object have said so far.
    private struct EarlierCopies {
        var first: FirstPosition
        var stated: [UInt64]
        var digests: [UInt64]

        init(_ entry: FirstPositionLog.Entry) {
            first = entry.position
            stated = entry.unsaid.map { ~$0 }
            digests = entry.digests
        }

        func states(_ column: Int) -> Bool { stated[column >> 6] >> UInt64(column & 63) & 1 == 1 }

        /// Takes in what a later copy says.
        mutating func add(_ row: Int, _ work: RowScratch) {
            for word in stated.indices { stated[word] |= work.stated[row * stated.count + word] }
            for (index, relationship) in work.digested.enumerated()
            where work.isStated(row, column: work.attributeCount + relationship) {
                digests[index] = work.digests[row * digests.count + index]
            }
        }
    }

    init(_ relations: EntityRelations, _ sink: any FindingSink) {
        self.relations = relations
        self.sink = sink
    }

    /// Appends the positions of the first records of objects; those that say that their object is gone say nothing
    /// else.
    func appendFirsts(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch, areGone: Bool) throws(Failure) {
        if rows.isEmpty || state.entity.duplicates.areRejected { return }
        let (work, columns, highest) = (work, statedColumns, state.traits.highestAtStart)
        if areGone {
            for row in rows { columns.setGone(row, work) }
        } else {
            columns.setStated(rows, section, work, upTo: highest)
            if !columns.digested.isEmpty {
                for row in rows { columns.setDigests(row, section, batch, work) }
            }
        }
        if firsts == nil { firsts = FirstPositionLog(wordCount: work.wordCount, digestCount: columns.digested.count) }
        try firsts?.append(rows, section, work, upTo: areGone ? .max : highest)
    }

    /// Lets a duplicate wait to be compared and reported; `work` has what it states, and what it differs in.
    func add(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        if spool == nil { spool = RowSpool(state.entity, cells: state.entity.identifier) }
        objects.insert(work.objectIDs[row])
        try spool?.append(row, section, batch, fate: .duplicate, work: work)
    }

    /// Counts and reports all of them; the batch is used for it.
    func report(_ batch: RecordBatch, limit: Int) throws(Failure) {
        guard let spool, let firsts else { return }
        self.spool = nil
        let parts = ObjectParts(objects, of: state.heldObjects)
        let spools = try spool.divided(
            by: parts, batch.sections[state.index], batch, work: work, limit: limit)
        let logs = try firsts.divided(by: parts)
        try parts.forEachPart { part, objectIDs throws(Failure) in
            var earlier: [Int64: EarlierCopies] = [:]
            let wanted = Set(objectIDs)
            try logs[part].visit { objectID, entry in
                if wanted.contains(objectID), earlier[objectID] == nil { earlier[objectID] = EarlierCopies(entry()) }
            }
            try report(spools[part], &earlier, batch, limit)
        }
    }

    private func report(
        _ spool: RowSpool, _ earlier: inout [Int64: EarlierCopies], _ batch: RecordBatch, _ limit: Int
    ) throws(Failure) {
        let section = batch.sections[state.index]
        try spool.forEachBatch(section, batch, work: work, limit: limit) { rows in
            for row in rows.map(\.row) {
                let objectID = work.objectIDs[row]
                guard let before = earlier[objectID] else { continue }
                compare(row, with: before)
                if state.entity.duplicates.lastCounts { earlier[objectID]?.add(row, work) }
                count(row, before.first, section, batch)
            }
        }
    }

    /// Reduces the differences of a row to those from the copies before it.
    private func compare(_ row: Int, with earlier: EarlierCopies) {
        let (differences, count) = (work.differences, work.wordCount)
        for word in 0..<count {
            let place = row * count + word
            differences[place] = differences[place] & earlier.stated[word] | work.given[place] & ~earlier.stated[word]
        }
        for (index, relationship) in statedColumns.digested.enumerated() {
            let column = work.attributeCount + relationship
            guard earlier.states(column) else { continue }
            let isSame =
                !work.isStated(row, column: column)
                || work.digests[row * statedColumns.digested.count + index] == earlier.digests[index]
            if isSame { work.setSame(row, column: column) } else { work.setDifferent(row, column: column) }
        }
    }

    private func count(_ row: Int, _ first: FirstPosition, _ section: EntityRecords, _ batch: RecordBatch) {
        let isConflicting = work.hasDifferences(row)
        state.tally.add(to: isConflicting ? \.conflicting : \.identical)
        if !isConflicting, state.entity.repeats { return }
        let position = section.positions[row]
        sink.report(.duplicate, at: RecordPositionKey(position), isMinor: !isConflicting) {
            var finding = Finding(
                entity: state.entity.name, identifier: state.traits.identifier(of: row, section, batch.arena),
                detail: .duplicate(conflicting: isConflicting, differs: differingNames(row)),
                at: FeedPosition(position, in: batch.arena))
            finding.first = first
            return finding
        }
    }

    /// The names of the columns in which a row differs.
    private func differingNames(_ row: Int) -> [String] {
        let (attributes, relationships) = (state.entity.attributes, state.entity.relationships)
        return work.columnSet(row).columns.compactMap { column in
            if column == work.presenceColumn { return state.entity.marksAbsent ? Entity.deletedAt : nil }
            return column < attributes.count ? attributes[column].name : relationships[column - attributes.count].name
        }
    }
}
