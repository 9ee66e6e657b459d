import SluiceRecords
import TestSupport
import Testing

@testable import SluiceLoad

/// Records that are compared when all are read lead to the store that they lead to one by one.
@Suite struct LateComparisonTests {
    private static let (place, visit) = (0, 2)
    private static let model = LoadPropertyTests.withoutLinks(LoadPropertyTests.model)

    private struct Outcome: Equatable {
        var counts: [EntityCounts]
        var findings: Set<String>
        /// By entity. ObjectIDs may differ: what is new is created last.
        var objects: [[[Text]]]
        var indexes: [[String]]
    }

    /// The same feeds, one after the other, in both ways; whether any records were kept.
    private func outcomes(_ feeds: [[TestRecord]], _ model: Model, batchSize: Int, cacheLimit: Int) throws -> (
        [[Outcome]], keeps: Set<Int>
    ) {
        let folder = TemporaryFolder()
        var keeps: Set<Int> = []
        let outcomes = try [Shortcuts.sequence, [.sequence, .lateComparison]].map { shortcuts in
            let path = folder.file("\(shortcuts.rawValue).sqlite")
            return try feeds.map { feed in
                let sink = SilentSink()
                let counts = try load(
                    feed, model, into: path, batchSize: batchSize, shortcuts: shortcuts, cacheLimit: cacheLimit,
                    identifierOrder: .random,
                    watch: { loader in
                        for entity in loader.states
                        where entity.phase.compared.map({ $0.spool.count > 0 }) == true {
                            keeps.insert(entity.index)
                        }
                    }, sink: sink)
                #expect(try rows(path, "PRAGMA integrity_check") == [["ok"]])
                return Outcome(
                    counts: counts, findings: Set(sink.findings.map { "\($0)" }),
                    objects: try model.entities.map { try LoadPropertyTests.stored(path, $0) },
                    indexes: try rows(path, "SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY 1"))
            }
        }
        return (outcomes, keeps)
    }

    /// Feeds of which each has mostly the records of the one before, in another order; some are changed, new, gone or
    /// told twice.
    private static func feeds(_ random: inout SeededRandom, _ model: Model) -> [[TestRecord]] {
        let spread = [40, 400, 4000][random.below(3)]
        var records = (0..<300).map { _ in LoadPropertyTests.record(&random, spread: spread).cut(to: model) }
        var feeds = [records]
        for _ in 0..<2 {
            let rarely = [8, 40, 200][random.below(3)]
            var later: [TestRecord] = []
            for record in records.shuffled(using: &random) {
                switch random.below(rarely) {
                case 0: continue
                case 1: later.append(LoadPropertyTests.record(&random, spread: spread).cut(to: model))
                case 2: later += [record, records[random.below(records.count)]]
                default: later.append(record)
                }
            }
            feeds.append(later)
            records = later
        }
        return feeds
    }

    @Test(arguments: SeededRandom.seeds(0..<4))
    func leadsToTheSameObjects(seed: Int) throws {
        var random = SeededRandom(seed + 8_000_000)
        var model = Self.model
        for index in model.entities.indices {
            model.entities[index].duplicates = [.last, .first, .reject][random.below(3)]
            model.entities[index].absence.choice = [.keep, .keep, .mark, .delete][random.below(4)]
            for attribute in model.entities[index].attributes.indices where random.below(6) == 0 {
                model.entities[index].attributes[attribute].onAbsent = .keep
            }
        }
        if seed % 4 == 3 { model = LoadPropertyTests.withStubs(model) }
        let (both, _) = try outcomes(
            Self.feeds(&random, model), model, batchSize: [1, 10, 100][random.below(3)],
            cacheLimit: seed % 3 == 0 ? 5000 : Loader.defaultCacheLimit)
        for run in both[0].indices { #expect(both[0][run] == both[1][run], "run \(run)") }
    }

    private static func visit(_ id: Int, _ note: String, place: String) -> TestRecord {
        TestRecord(
            entity: visit,
            values: [.integer(Int64(id)), .text(Text(note)), .text(Text(place))]
                + Array(repeating: .null, count: model.entities[visit].layout.width - 3))
    }

    private static func place(_ id: Int, _ note: String) -> TestRecord {
        TestRecord(
            entity: place,
            values: [.text(Text("p\(id)")), .integer(1), .text(Text(note))]
                + Array(repeating: .null, count: model.entities[place].layout.width - 3))
    }

    /// Records that say what their objects hold are not written, nor looked up; the others are saved in their order.
    @Test func comparesWhatWasKept() throws {
        var random = SeededRandom(1)
        let places = (0..<200).map { Self.place($0, "") }
        let visits = (0..<600).map { Self.visit($0, "", place: "p\($0 % 200)") }
        var later = places.shuffled(using: &random) + visits.shuffled(using: &random)
        // Another value, another target, a target that is not there, one that comes, a new object, two copies.
        later.removeAll { record in
            record.entity == Self.visit && [7, 8, 9, 10].map { TestValue.integer($0) }.contains(record.values[0])
        }
        later += [
            Self.visit(7, "other", place: "p7"), Self.visit(8, "", place: "p9"), Self.visit(9, "", place: "nowhere"),
            Self.visit(10, "", place: "p1000"), Self.visit(1000, "", place: "p3"),
            Self.visit(11, "again", place: "p11"),
            Self.place(1000, "new"), Self.place(5, "again"),
        ]
        let (both, keeps) = try outcomes(
            [places + visits, later], Self.model, batchSize: 50, cacheLimit: Loader.defaultCacheLimit)
        #expect(both[0] == both[1])
        #expect(keeps == [Self.place, Self.visit])
        let counts = both[1][1].counts
        #expect(counts[Self.visit].unchanged == 595 && counts[Self.visit].updated == 5)
        #expect(counts[Self.visit].created == 1 && counts[Self.visit].conflicting == 1)
        #expect(counts[Self.place].unchanged == 199 && counts[Self.place].created == 1)
    }

    /// Few records out of order are looked up, many are kept; where all come in their order, none are.
    @Test func theOrderIsSeen() throws {
        let indexing = Indexing(.observed)
        #expect(!indexing.isWorth(1000, of: 1000, share: 8))
        #expect(!indexing.isWorth(9999, of: 80_000, share: 8))
        #expect(indexing.isWorth(10_000, of: 80_000, share: 8))
        #expect(!Indexing(.sorted).isWorth(80_000, of: 80_000, share: 8))
    }

    /// New records among others that come in their order are looked up as well, and say nothing of the order.
    @Test func newRecordsAreNotOutOfOrder() {
        var order = OrderWatch()
        order.count(lookedUp: 25, of: 100)
        #expect(order.lookedUp == 0)
        order.count(lookedUp: 26, of: 100)
        #expect(order.lookedUp == 26)
    }

    /// What records are compared with is read while they come, and only as far as there are objects of earlier runs.
    @Test(arguments: [1, 7, 50])
    func objectsAreReadAhead(batchSize: Int) throws {
        let folder = TemporaryFolder()
        let places = [Self.place(1, "")]
        let visits = (0..<300).map { Self.visit($0, "", place: "p1") }
        let new = (300..<400).map { Self.visit($0, "", place: "p1") }
        var random = SeededRandom(2)
        var (batches, last): (Int, Int64) = (0, 0)
        func loaded(_ feed: [TestRecord]) throws -> EntityCounts {
            try load(
                feed, Self.model, into: folder.file("s.sqlite"), batchSize: batchSize,
                shortcuts: [.sequence, .lateComparison], identifierOrder: .random,
                watch: { loader in
                    guard let kept = loader.states[Self.visit].phase.compared else { return }
                    #expect(kept.lastRead == min(Int64(2 * kept.spool.count), 300))
                    (batches, last) = (batches + 1, kept.lastRead)
                })[Self.visit]
        }
        _ = try loaded(places + visits)
        let counts = try loaded(places + (visits + new).shuffled(using: &random))
        #expect(batches > 1 && last == 300)
        #expect(counts.unchanged == 300 && counts.created == 100)
    }

    // MARK: Digests

    @Test func partitionsKeepTheirOrder() throws {
        var random = SeededRandom(2)
        let spool = DigestSpool(objects: 1_000_000)
        #expect(spool.partitionCount == 16)
        var expected: [[Int64]] = Array(repeating: [], count: 16)
        for number in 0..<100_000 as Range<Int64> {
            let identifier = UInt64.random(in: .min ... .max, using: &random)
            try spool.append(RowDigest(identifier: identifier, content: 1, number: number))
            expected[Int(identifier >> 60)].append(number)
        }
        var digests = Table<RowDigest>()
        defer { digests.deallocate() }
        for partition in 0..<16 {
            let count = try spool.read(partition, into: &digests)
            let numbers = (0..<count).map { digests[$0].number }
            #expect(numbers == expected[partition])
        }
    }

    @Test func objectsAreFoundByTheNumbersOfRecords() throws {
        var random = SeededRandom(3)
        let found = FoundObjects(200_000)
        for number in (1...200_000 as ClosedRange<Int64>).shuffled(using: &random) where number % 3 != 0 {
            try found.append(number, number + 7)
        }
        var reader = FoundObjects.Reader(found)
        defer { reader.deallocate() }
        for number in 1...200_000 as ClosedRange<Int64> {
            let objectID = try reader.object(of: number)
            #expect(objectID == (number % 3 == 0 ? 0 : number + 7))
        }
    }

    /// Of a feed with far more records than there are objects, a partition is divided once more, and no verdict
    /// changes.
    @Test func aLargePartitionIsDivided() throws {
        let (stored, waiting) = (DigestSpool(objects: 1), DigestSpool(objects: 1))
        var random = SeededRandom(5)
        let identifiers = (0..<300_000).map { _ in random.next() }
        for (place, identifier) in identifiers.enumerated() where place % 3 == 0 {
            try stored.append(RowDigest(identifier: identifier, content: UInt64(place), number: Int64(place)))
        }
        for (place, identifier) in identifiers.enumerated() {
            // One in ten says something else.
            let content = UInt64(truncatingIfNeeded: place % 10 == 0 ? -1 - place : place)
            try waiting.append(RowDigest(identifier: identifier, content: content, number: Int64(place)))
        }
        #expect(waiting.isTooLarge(0))
        var counts = [0, 0, 0]
        var join = DigestJoin()
        defer { join.deallocate() }
        try join.run(0, stored: stored, waiting: waiting) { record, verdict in
            let place = Int(record.number)
            switch verdict {
            case .same(let object):
                counts[0] += 1
                #expect(place % 3 == 0 && place % 10 != 0 && object.number == record.number)
            case .new:
                counts[1] += 1
                #expect(place % 3 != 0)
            case .other:
                counts[2] += 1
                #expect(place % 30 == 0)
            }
        }
        #expect(counts == [90_000, 200_000, 10_000])
    }

    /// Two objects, or two records, with the same hash are told apart one by one.
    @Test func whatHasTheSameHashIsUnclear() throws {
        let (stored, waiting) = (DigestSpool(objects: 1), DigestSpool(objects: 1))
        for (identifier, content) in [(1, 10), (2, 20), (2, 20), (3, 30), (4, 40), (5, 50)] as [(UInt64, UInt64)] {
            try stored.append(RowDigest(identifier: identifier, content: content, number: Int64(content)))
        }
        let records: [(UInt64, UInt64?)] = [
            (1, 10), (2, 20), (3, 30), (3, 30), (4, 41), (4, 40), (5, nil), (6, 60), (7, 70), (7, nil), (7, 70),
            (8, nil),
        ]
        for (place, (identifier, content)) in records.enumerated() {
            try waiting.append(RowDigest(identifier: identifier, content: content, number: Int64(place)))
        }
        var verdicts: [Int64: String] = [:]
        var join = DigestJoin()
        defer { join.deallocate() }
        try join.run(0, stored: stored, waiting: waiting) { record, verdict in
            #expect(verdicts[record.number] == nil)
            switch verdict {
            case .same(let object): verdicts[record.number] = "same as \(object.number)"
            case .new: verdicts[record.number] = "new"
            case .other: verdicts[record.number] = "other"
            }
        }
        #expect(verdicts.count == records.count)
        #expect(verdicts[0] == "same as 10")
        #expect([7, 11].allSatisfy { verdicts[$0] == "new" })
        #expect([1, 2, 3, 4, 5, 6, 8, 9, 10].allSatisfy { verdicts[$0] == "other" })
    }
}
