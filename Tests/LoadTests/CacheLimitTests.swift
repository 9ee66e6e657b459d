import SluiceRecords
import TestSupport
import Testing

@testable import SluiceLoad

/// A run with little memory for its objectID caches does the same as one with enough.
@Suite struct CacheLimitTests {
    private static let spread = 3000

    private static func records(_ seed: Int) -> [TestRecord] {
        var random = SeededRandom(seed + 4_000_000)
        return (0..<3000).map { _ in LoadPropertyTests.record(&random, spread: spread) }
    }

    /// After each batch the caches are within the limit, but for promises, and in it they were beyond by what it added.
    @Test(arguments: SeededRandom.seeds(0..<2))
    func thePeakIsTheLimitAndABatch(seed: Int) throws {
        var model = LoadPropertyTests.model
        if seed % 2 == 1 { model = LoadPropertyTests.withStubs(model) }
        let folder = TemporaryFolder()
        let (small, large) = (folder.file("small.sqlite"), folder.file("large.sqlite"))
        let (limit, batchSize) = (30_000, 100)
        let shortcuts: Shortcuts = seed % 3 == 0 ? .all : [.sequence, .deferral]
        for run in 0..<2 {
            let records = Self.records(seed * 2 + run)
            var peaks: [Int] = []
            let (sink, wholeSink) = (SilentSink(), SilentSink())
            let counts = try load(
                records, model, into: small, batchSize: batchSize, shortcuts: shortcuts, cacheLimit: limit,
                watch: { loader in
                    #expect(shortcuts == .all || loader.cacheByteCount <= limit)
                    peaks.append(loader.cachePeakByteCount)
                }, sink: sink)
            let wholeCounts = try load(
                records, model, into: large, batchSize: batchSize, watch: { peaks.append($0.cachePeakByteCount) },
                sink: wholeSink)
            let (peak, wholePeak) = (peaks[records.count / batchSize], peaks[peaks.count - 1])
            #expect(limit < peak && peak < limit * 3 / 2 && limit * 3 / 2 < wholePeak, "\(peak) \(wholePeak)")
            #expect(counts == wholeCounts)
            #expect(sink.counts == wholeSink.counts)
            for definition in model.entities {
                #expect(try LoadPropertyTests.stored(small, definition) == LoadPropertyTests.stored(large, definition))
            }
        }
    }

    /// Promises cannot be forgotten: they take three quarters of the room. Who refers to one that was given does not
    /// wait then, all others do.
    @Test func promisesLeaveRoom() throws {
        let (limit, batchSize, count, parents) = (30_000, 100, 4000, 2000)
        let places = (0..<count).map { TestValue.text("a\($0)") } + (0..<parents).map { TestValue.text("b\($0)") }
        func parent(_ child: Int) -> Int { (child < 1000 ? child : child * 7) % parents }
        let records = places.indices.map { index in
            let parent = index < count ? places[count + parent(index)] : .null
            return TestRecord(entity: 0, values: [places[index], .null, .null, parent, .null, .null, .list([])])
        }
        let path = TemporaryFolder()
        var most = 0
        let counts = try load(
            records, LoadPropertyTests.model, into: path.file("store.sqlite"), batchSize: batchSize, cacheLimit: limit,
            watch: { most = max(most, $0.states[0].ids.cache.promisedByteCount) })
        #expect(limit / 4 * 3 < most && most <= limit / 4 * 3 + batchSize * (43 + 6))
        #expect(counts[0].relationships[0].resolved == count && counts[0].relationships[0].null == parents)
        let stored = try rows(
            path.file("store.sqlite"), "SELECT c.id, p.id FROM Place c JOIN Place p ON c.parent = p.objectID")
        #expect(stored.count == count)
        #expect(stored.allSatisfy { Int($0[0].dropFirst()).map { "b\(parent($0))" } == $0[1] })
    }

    /// On a first import nothing can be absent: what the definition deletes then is no reason to let references wait.
    @Test func aFirstImportPromisesWhatMayBeDeletedLater() throws {
        var model = LoadPropertyTests.model
        for entity in model.entities.indices { model.entities[entity].absence.choice = .delete }
        let folder = TemporaryFolder()
        for (run, isPromising) in [(0, true), (1, false)] {
            let counts = try load(
                Self.records(run), model, into: folder.file("store.sqlite"), batchSize: 100,
                watch: { loader in
                    #expect(loader.rounds.contains { $0.relations.promises.areAllowed.contains(true) } == isPromising)
                })
            #expect(counts.contains { $0.deleted > 0 } != isPromising)
        }
    }

    /// Where nothing else waits for objectIDs, they are given in the order of the feed with every limit.
    @Test(arguments: [0, 10_000])
    func objectIDsFollowTheFeed(limit: Int) throws {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        let records = Self.records(0)
        try load(
            records, LoadPropertyTests.model, into: path, batchSize: 700, shortcuts: .sequence, cacheLimit: limit)
        var expected: [String] = []
        var met: Set<TestValue> = []
        for record in records where record.entity == 0 && met.insert(record.values[0]).inserted {
            if case .text(let id) = record.values[0] { expected.append(id.description) }
        }
        #expect(try rows(path, "SELECT id FROM Place ORDER BY objectID").map { $0[0] } == expected)
    }
}
