import Foundation
import SluiceRecords
import Synchronization
import TestSupport
import Testing

@testable import SluiceLoad
@testable import SluiceStoreSQLite

/// A run can be ended within one record, be it of a million links.
@Suite struct CancellationTests {
    private static let model = Model(entities: [
        .forLoad(
            "Stop", identifier: [0], attributes: [("id", .text)],
            relationships: [.forLoad("lines", [(0, [.text])], isMany: true)])
    ])

    @Test func oneRecordWithManyLinks() throws {
        let folder = TemporaryFolder()
        let isRequested = Mutex(false)
        var use = StoreUse(model: Self.model, pipeline: "test", savesAtEnd: true)
        use.isCancelled = { isRequested.withLock { $0 } }
        let store = try SQLiteStore(folder.file("store.sqlite"), use)
        let run = try store.begin(started: "")
        let loader = try Loader(
            Self.model, run, .init(batchSize: 10, shortcuts: .all, goneIdentifiers: IdentifierDatabase.init),
            SilentSink())
        let batch = RecordBatch(model: Self.model)
        let links = (0..<9000).map { TestValue.text("x\($0)") }
        batch.append(TestRecord(entity: 0, values: [.text("a"), .list(links)]), number: 0)
        try loader.load(batch)
        isRequested.withLock { $0 = true }
        // None of its links has a target: each is put on the waiting list by a statement of its own.
        let failure = #expect(throws: Failure.self) { try loader.finish() }
        #expect(failure?.kind == .cancelled)
        try store.rollback { RunOutcome(status: "cancelled", finished: "", report: "{}") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
