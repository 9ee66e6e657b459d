import Foundation
import Sluice
import SluiceRecords

/// Damages a store, and lets every command that opens stores have it.
///
/// The first byte says which store and which run; the others what is damaged, see ``StoreDamage``.
enum StoreHarness {
    /// What the store may answer: done, a limit, a store of a later version (that SQLite only reads), a damaged store,
    /// a contradiction.
    private static let allowed: Set<Int32> = [0, 65, 73, 74, 78]

    private static let definition: PipelineDefinition? = try? PipelineDefinition.read(
        Array(StoreScene.definition.utf8), file: Scratch.folder + "/fuzz.json", environment: [:], checks: .all)
    private static let feeds = StoreScene.feeds.enumerated().map { index, text in
        Scratch.write("feed\(index).json", Data(text.utf8))
    }
    private static let store = Scratch.folder + "/store.sqlite"

    /// Sound stores: after one run, and after two.
    private static let stores: [Data] = {
        guard let definition else { return [] }
        clear()
        return feeds.prefix(2).map { feed in
            let report = run(definition, feed, isDry: false)
            return report.exitStatus == 0 ? (FileManager.default.contents(atPath: store) ?? Data()) : Data()
        }
    }()

    private static let tables: [LooseStore.Table] = {
        let path = Scratch.write("sound.sqlite", stores.first ?? Data())
        defer { Scratch.remove("sound.sqlite", "sound.sqlite-wal", "sound.sqlite-shm") }
        return LooseStore.tables(in: path)
    }()

    private static func clear() {
        Scratch.remove("store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal")
    }

    private static func run(_ definition: PipelineDefinition, _ feed: String, isDry: Bool) -> RunReport {
        var options = RunOptions()
        options.feeds = [.init(source: nil, file: feed)]
        options.store = store
        options.force = true
        options.isDry = isDry
        options.batchSize = 3
        return PipelineRun(checked: definition, options: options).perform()
    }

    static func complaint(about input: [UInt8]) -> String? {
        guard let definition, stores.allSatisfy({ !$0.isEmpty }) else { return "there is no sound store" }
        guard let way = input.first else { return nil }
        clear()
        _ = Scratch.write("store.sqlite", stores[Int(way) % stores.count])
        StoreDamage(input.dropFirst(), tables).apply(to: store)
        return readers(definition) ?? runs(definition, Int(way) / stores.count)
    }

    private static func runs(_ definition: PipelineDefinition, _ way: Int) -> String? {
        let feed = feeds[way % feeds.count]
        for isDry in way / feeds.count % 2 == 0 ? [true, false] : [false] {
            let report = run(definition, feed, isDry: isDry)
            guard allowed.contains(report.exitStatus) else {
                return "a run ends with \(report.exitStatus): \(report.outcome.error.map(\.description) ?? "")"
            }
        }
        return nil
    }

    /// What only reads the store.
    private static func readers(_ definition: PipelineDefinition) -> String? {
        let silent = { (_: String) throws(Failure) in }
        return attempt("check") { _ = try definition.storePlan(store: store).contradictions }
            ?? attempt("runs") {
                let history = try LedgerRuns(definition, store: store, all: true)
                try history.text(rows: nil, width: 80, write: silent)
                try history.json(rows: nil, write: silent)
                for run in 1...2 { _ = try history.report(run: run).text(colours: false) }
            }
            ?? attempt("unresolved") {
                let list = try UnresolvedList(definition, store: store)
                _ = try list.text(rows: 100, width: 80)
                try list.json(rows: nil, write: silent)
            }
    }

    private static func attempt(_ command: String, _ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let failure as Failure {
            // No such run, too.
            let isExpected = allowed.contains(failure.kind.rawValue) || failure.kind == .missing
            return isExpected ? nil : "\(command) ends with \(failure.kind.rawValue): \(failure)"
        } catch {
            return "\(command): \(error)"
        }
    }
}
