import SluiceRecords
import TestSupport
import Testing

@testable import SluiceLoad

/// Objects that were promised their objectIDs in another order than they come in are written in that of the objectIDs,
/// and are the same objects.
@Suite struct ScatteredRowsTests {
    private static let (customer, order) = (0, 1)
    private static let count = 60_000

    /// Orders of customers, who may have been sent by others.
    private static let model: Model = {
        let customer = Entity.forLoad(
            "Customer", identifier: [0], attributes: [("id", .integer), ("name", .text)],
            relationships: [.forLoad("sender", [(0, [.integer])])])
        let order = Entity.forLoad(
            "Order", identifier: [0], attributes: [("id", .integer)],
            relationships: [.forLoad("customer", [(0, [.integer])])])
        return Model(entities: [customer, order])
    }()

    private static func customer(_ id: Int64, _ name: String) -> TestRecord {
        TestRecord(entity: customer, values: [.integer(id), .text(Text(name)), .integer(sender(of: id))])
    }

    /// One of them is not there.
    private static func sender(of id: Int64) -> Int64 { id * 7 % Int64(count + 1) }

    private static func shuffled(_ seed: Int) -> [Int64] {
        var random = SeededRandom(seed)
        var ids = (0..<Int64(count)).map { $0 }
        for index in ids.indices { ids.swapAt(index, random.below(ids.count)) }
        return ids
    }

    /// With a limit that the cache reaches while rows are kept, they are written before it is emptied. Where
    /// identifiers come sorted, their objects are in no order, too.
    @Test(arguments: [Loader.defaultCacheLimit, 4 << 20], [false, true])
    func arriveAsTheyAre(cacheLimit: Int, areSorted: Bool) throws {
        let orders = Self.shuffled(1).map { TestRecord(entity: Self.order, values: [.integer($0), .integer($0)]) }
        let ids = areSorted ? (0..<Int64(Self.count)).map { $0 } : Self.shuffled(2)
        let customers = ids.map { Self.customer($0, "customer \($0)") }
        let copies = (0..<500).map { Self.customer(Int64($0 * 3), "copy \($0)") }
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        var model = Self.model
        model.entities[Self.customer].duplicates = .last
        var wasKept = false
        let sink = SilentSink()
        let counts = try load(
            orders + customers + copies, model, into: path, batchSize: 5000, cacheLimit: cacheLimit,
            watch: { if $0.states[Self.customer].phase.lateIndexing?.scattered != nil { wasKept = true } }, sink: sink)
        #expect(wasKept)
        #expect(counts[Self.customer].created == Self.count && counts[Self.customer].conflicting == 500)
        #expect(try rows(path, "PRAGMA integrity_check") == [["ok"]])
        let wrong = """
            SELECT count(*) FROM "Order" o LEFT JOIN Customer c ON c.objectID = o.customer WHERE c.id IS NOT o.id
            """
        #expect(try rows(path, wrong) == [["0"]])
        let renamed = "SELECT count(*) FROM Customer WHERE name = 'copy ' || (id / 3) AND id % 3 = 0 AND id < 1500"
        #expect(try rows(path, renamed) == [["500"]])
        #expect(try rows(path, "SELECT count(*) FROM Customer WHERE name = 'customer ' || id") == [["59500"]])
        let senders = """
            SELECT count(*) FROM Customer c LEFT JOIN Customer s ON s.objectID = c.sender
            WHERE s.id IS NOT nullif(c.id * 7 % \(Self.count + 1), \(Self.count))
            """
        #expect(try rows(path, senders) == [["0"]])
    }

    /// Where they come in the order in which they were promised, or nearly so, they are written as they come.
    @Test func areKeptOnlyWhereTheyAreScattered() throws {
        let orders = Self.shuffled(1).map { TestRecord(entity: Self.order, values: [.integer($0), .integer($0)]) }
        let customers = Self.shuffled(1).map { Self.customer($0, "") }
        var wasKept = false
        let folder = TemporaryFolder()
        try load(
            orders + customers, Self.model, into: folder.file("store.sqlite"), batchSize: 5000,
            watch: { if $0.states[Self.customer].phase.lateIndexing?.scattered != nil { wasKept = true } })
        #expect(!wasKept)
    }

    /// Parts come in their order, and the rows of each by their objectIDs, also where some are beyond what was known.
    @Test(arguments: [0, 10_000, 3_000_000, 100_000_000])
    func areReadInOrder(highest: Int64) throws {
        let entity = Self.model.entities[Self.order]
        let batch = RecordBatch(model: Self.model)
        let section = batch.sections[Self.order]
        let work = RowScratch(entity)
        let spool = ScatteredRows(entity, upTo: highest)
        var random = SeededRandom(3)
        var objectIDs: Set<Int64> = []
        while objectIDs.count < 9000 { objectIDs.insert(Int64(random.below(20_000_000)) + 1) }
        for objectID in objectIDs {
            batch.reset()
            batch.append(TestRecord(entity: Self.order, values: [.integer(-objectID), .null]), number: 0)
            work.ensure(1)
            work.objectIDs[0] = objectID
            try spool.append(0, section, batch, work: work)
        }
        var found: [Int64] = []
        try spool.forEachBatch(section, batch, work: work) { rows in
            for row in rows {
                #expect(section.typed[row * section.width].integer == -work.objectIDs[row])
                found.append(work.objectIDs[row])
            }
        }
        #expect(found == objectIDs.sorted())
    }
}
