import Foundation
import Sluice
import SluiceStore
import TestSupport
import Testing

@Suite("Cancelling, and reading beside writers")
struct CancellationTests {
    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    @Test("Cancelling at random moments ends its own statement only")
    func random() async throws {
        var random = SeededRandom(7)
        let scene = try await StoreScene(items: 50)
        let store = try scene.open()
        for _ in 0..<40 {
            let delay = Int.random(in: 0..<4000, using: &random)
            let endless = (0..<3).map { _ in Task { try await store.decode(Int.self, Self.endless) } }
            let neighbour = Task { try await store.fetch(Item.all) }
            try await Task.sleep(for: .microseconds(delay))
            for task in endless { task.cancel() }
            for task in endless {
                let error = await #expect(throws: StoreError.self) { try await task.value }
                #expect(error?.kind == .cancelled)
            }
            #expect(try await neighbour.value.count == 50)
        }
        // The writer's, too: nothing of what was cancelled is there, and the next one can write.
        for _ in 0..<20 {
            let delay = Int.random(in: 0..<3000, using: &random)
            let task = Task {
                try await store.write { view throws(StoreError) in
                    _ = try view.delete(Item.all)
                    return try view.view.decode(Int.self, Self.endless)
                }
            }
            try await Task.sleep(for: .microseconds(delay))
            task.cancel()
            let error = await #expect(throws: StoreError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
            #expect(try await store.count(Item.all) == 50)
        }
        _ = try await store.update(Item.all) { [$0.name.set(to: "x")] }
    }

    @Test("A cancelled loop over batches ends, and leaves nothing open")
    func batches() async throws {
        let scene = try await StoreScene(items: 50)
        let store = try scene.open(.read)
        for delay in 0..<300 {
            let task = Task {
                var count = 0
                while true {
                    for try await batch in store.batches(Item.all, of: 1) { count += batch.count }
                }
            }
            try await Task.sleep(for: .microseconds(delay * 10))
            task.cancel()
            let error = await #expect(throws: StoreError.self) { _ = try await task.value }
            #expect(error?.kind == .cancelled)
        }
        let end = ContinuousClock.now + .seconds(5)
        while openConnections(to: scene.path) > 0, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(openConnections(to: scene.path) == 0)
    }

    @Test("A store that goes away leaves no connection")
    func closing() async throws {
        let scene = try await StoreScene(items: 5)
        do {
            let store = try scene.open()
            _ = try await store.fetch(Item.all)
            _ = try await store.update(Item.all) { [$0.name.set(to: "x")] }
            #expect(openConnections(to: scene.path) > 0)
        }
        let end = ContinuousClock.now + .seconds(5)
        while openConnections(to: scene.path) > 0, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(openConnections(to: scene.path) == 0)
    }

    @Test("Every answer is of one moment, whatever writers and runs do")
    func moments() async throws {
        let scene = try await StoreScene()
        let items = (0..<40).map { #"{"item_id": \#($0), "stock": 1}"# }.joined(separator: ",")
        try await scene.load("{\"items\": [\(items)]}")
        let (store, writer) = (try scene.open(.read), try scene.open())
        // In each committed state, all objects have the same stock.
        let writing = Task {
            for stock in 0..<30 {
                _ = try await writer.update(Item.all) { [$0.stock.set(to: stock)] }
                if stock % 10 == 5 {
                    let items = (0..<40).map { #"{"item_id": \#($0), "stock": 999}"# }.joined(separator: ",")
                    try await scene.load("{\"items\": [\(items)]}")
                }
            }
        }
        var rounds = 0
        while rounds < 60 {
            rounds += 1
            let (all, first, batches) = try await store.read { view throws(StoreError) in
                let first = try view.fetch(Item.all.limit(1))
                return (try view.fetch(Item.all), first, try view.count(Item.filter { $0.stock == first[0].stock }))
            }
            #expect(Set(all.map(\.stock)).count == 1)
            #expect(all.first?.stock == first.first?.stock && batches == 40)
            var stocks: Set<Int?> = []
            for try await batch in store.batches(Item.all, of: 7) { stocks.formUnion(batch.map(\.stock)) }
            #expect(stocks.count == 1)
        }
        try await writing.value
    }
}
