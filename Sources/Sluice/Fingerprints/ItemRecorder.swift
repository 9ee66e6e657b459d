import SluiceExtract
import SluiceKnown
import SluiceRecords
import SluiceTransform

/// Writes down, batch by batch, what became of the items of feeds.
@safe
final class ItemRecorder {
    private let writer: KnownWriter
    private let drift: RowDrift
    private let isKnowable: [Bool]
    private let isKnowableInMember: [Bool]
    /// By entity: whether what is no record of it by its item is none the next time.
    private let hasValuesInItems: [Bool]
    private let hasValuesInMembers: [Bool]
    /// By entity: the attributes of which a record may say nothing, where that makes a difference.
    private let keeping: [[Int]]
    /// By item of the batch: its last row among `links`, or -1.
    private var heads = Table<Int32>()
    private var links = Table<Link>()
    private var linkCount = 0
    private var shape = Table<UInt8>()
    /// The elements of the batch that no entity takes, and their items, in the order of these.
    private var untaken: [(item: Int, element: UntakenElement)] = []
    private var nextUntaken = 0
    private let nulled: NulledSlots
    /// Those of one item.
    private var records: [(shape: Int, objectID: Int64)] = []

    /// A row of an item, and the one before it.
    private struct Link: BitwiseCopyable {
        var entity: Int32
        var row: Int32
        var before: Int32
    }

    init(_ writer: KnownWriter, _ noting: ItemNoting, _ model: Model) {
        self.writer = writer
        drift = RowDrift(noting)
        nulled = NulledSlots(model)
        isKnowable = model.entities.indices.map { model.isKnowable($0) }
        isKnowableInMember = model.entities.indices.map { model.isKnowable($0, inMember: true) }
        hasValuesInItems = model.entities.indices.map { model.hasValuesInItems($0) }
        hasValuesInMembers = model.entities.indices.map { model.hasValuesInItems($0, inMember: true) }
        keeping = model.entities.map { $0.sharesKnown ? $0.keptAttributes : [] }
    }

    deinit {
        heads.deallocate()
        links.deallocate()
        shape.deallocate()
    }

    /// Takes in a batch that has been loaded.
    func observe(_ batch: RecordBatch) throws(Failure) {
        let items = batch.items
        let (runs, count) = (items.runs, items.runCount)
        if count == 0 { return }
        link(items.readCount, batch)
        recordUntaken(batch)
        for index in 0..<count {
            let run = runs[index]
            writer.begin(source: run.sourceIndex)
            if run.areKnown {
                try writer.append(known: run.first..<run.first + run.count)
            } else {
                for item in run.first..<run.first + run.count { try record(item, items.reads[item], batch) }
            }
        }
    }

    /// Brings the rows of each item together.
    private func link(_ count: Int, _ batch: RecordBatch) {
        heads.ensure(count)
        for item in 0..<count { heads[item] = -1 }
        linkCount = 0
        for section in batch.sections where section.count > 0 {
            let items = section.items
            links.ensure(linkCount + section.count)
            for row in 0..<section.count {
                let item = Int(items[row].number)
                guard item < count else { continue }
                links[linkCount] = Link(entity: Int32(section.entity), row: Int32(row), before: heads[item])
                heads[item] = Int32(linkCount)
                linkCount += 1
            }
        }
    }

    private func recordUntaken(_ batch: RecordBatch) {
        nextUntaken = 0
        untaken = batch.untaken.map { element in
            (Int(batch.sections[element.row.entity].items[element.row.row].number), element)
        }.sorted { $0.item < $1.item }
    }

    private func record(_ item: Int, _ read: BatchItems.Read, _ batch: RecordBatch) throws(Failure) {
        drift.begin(read.drift)
        while nextUntaken < untaken.count, untaken[nextUntaken].item <= item {
            if untaken[nextUntaken].item == item { drift.add(untaken[nextUntaken].element) }
            nextUntaken += 1
        }
        var (read, place) = (read, heads[item])
        if read.recordCount == 1, place >= 0, links[Int(place)].before < 0 {
            guard let (shape, objectID) = self.record(links[Int(place)], read, batch), objectID > 0,
                let number = drift.number
            else { return }
            read.drift = number
            return try writer.append(read, shape: shape, objectID: objectID)
        }
        records.removeAll(keepingCapacity: true)
        while place >= 0 {
            guard let record = self.record(links[Int(place)], read, batch) else { return }
            records.append(record)
            place = links[Int(place)].before
        }
        // Rows that are in other batches are not known.
        guard records.count == read.recordCount, let number = drift.number else { return }
        read.drift = number
        try writer.append(read, records)
    }

    /// The shape and the object of a row; nil: the record must be read the next time.
    private func record(_ link: Link, _ read: BatchItems.Read, _ batch: RecordBatch) -> (shape: Int, objectID: Int64)? {
        let (section, row) = (batch.sections[Int(link.entity)], Int(link.row))
        let (paths, objectID) = (section.items[row].paths, section.outcomes[row])
        guard paths != 0, paths != .max else { return nil }
        switch section.status[row] {
        case .complete where objectID > 0 && isKnowable[section.entity]: break
        case .complete where objectID > 0 && read.isMember && isKnowableInMember[section.entity]: break
        // It does not count, of whatever entity it would be.
        case .dropped where hasValuesInItems[section.entity]: break
        case .dropped where read.isMember && hasValuesInMembers[section.entity]: break
        case .dropped, .complete, .open, .rejected, .gone: return nil
        }
        if section.hasNotes, section.status[row] == .complete { drift.add(row, of: section, batch) }
        return shapeNumber(section, row, batch).map { ($0, objectID) }
    }

    /// The number of a row's shape, see `RecordShape`.
    private func shapeNumber(_ section: EntityRecords, _ row: Int, _ batch: RecordBatch) -> Int? {
        let (slots, relationships) = (section.slotCount, section.relationshipCount)
        let counts = section.status[row] == .complete
        var count = RecordShape.headBytes
        shape.ensure(count + slots + relationships)
        let paths = section.items[row].paths
        shape[0] = UInt8(truncatingIfNeeded: section.entity)
        shape[1] = UInt8(truncatingIfNeeded: section.entity >> 8)
        shape[RecordShape.countsAt] = counts ? slots & 1 == 1 ? PackedKind.odd : PackedKind.even : 0
        shape[3] = counts && !section.states(keeping[section.entity], row) ? 1 : 0
        for byte in 0..<4 { shape[4 + byte] = UInt8(truncatingIfNeeded: paths >> UInt32(8 * byte)) }
        if counts {
            let (raw, held) = (section.raw, section.held)
            for slot in 0..<slots {
                shape[RecordShape.headBytes + slot] = FieldCensus.kind(of: raw[row * slots + slot], batch).rawValue
            }
            for slot in nulled[section.entity] {
                guard let made = NulledSlots.kind(instead: slot, section, row) else { continue }
                shape[RecordShape.headBytes + slot.number] = made.rawValue
            }
            count += unsafe PackedKind.pack(shape.base + RecordShape.headBytes, slots)
            for relationship in 0..<relationships {
                shape[count + relationship] = held[row * relationships + relationship]
            }
            count += relationships
        }
        return unsafe writer.number(ofShape: UnsafeBufferPointer(start: shape.base, count: count))
    }
}
