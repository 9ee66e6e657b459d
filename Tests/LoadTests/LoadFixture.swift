import Foundation
import SluiceRecords
import StoreMirror
import TestSupport

@testable import SluiceLoad
@testable import SluiceStoreSQLite
@testable import SluiceStores

/// A folder that goes away with the test.
final class TemporaryFolder {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }
}

extension Entity {
    /// An entity whose values need no feed: only Load is tested.
    static func forLoad(
        _ name: String, identifier: [Int], attributes: [(String, AttributeType)],
        relationships: [Relationship] = []
    ) -> Entity {
        let rule = ValueRule(.slot(0))
        return Entity(
            name: name, records: [], slots: [], identifier: identifier,
            attributes: attributes.map { Attribute(name: $0.0, value: rule, conversion: Conversion($0.1)) },
            relationships: relationships)
    }
}

extension Relationship {
    /// A relationship to entities, by index, with the types of their identifiers.
    static func forLoad(
        _ name: String, _ targets: [(Int, [AttributeType])], isMany: Bool = false, hasSelector: Bool = false
    ) -> Relationship {
        let rule = ValueRule(.slot(0))
        var relationship = Relationship(
            name: name,
            targets: targets.map { .init(entity: $0.0, conversions: $0.1.map { Conversion($0) }) },
            key: targets[0].1.map { _ in rule })
        relationship.isMany = isMany
        relationship.selector = hasSelector ? rule : nil
        return relationship
    }
}

extension RecordBatch {
    func append(_ record: TestRecord, number: Int) {
        let section = sections[record.entity]
        let row = section.appendRow(status: record.status)
        var position = RecordPosition()
        position.record = UInt64(number)
        position.offset = UInt64(number)
        section.positions[row] = position
        for (index, value) in record.values.enumerated() {
            section.typed[row * section.width + index] = cell(value)
        }
    }

    private func list(_ values: [TestValue]) -> Cell {
        var list = Cell(kind: .list)
        for value in values { append(cell(value), to: &list) }
        return list
    }

    private func cell(_ value: TestValue) -> Cell {
        switch value {
        case .absent: .absent
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): arena.appendText(text.description)
        case .impossible(let text): arena.appendText(text.description, kind: .impossible)
        case .bytes(let bytes): arena.appendText(String(decoding: bytes, as: UTF8.self), kind: .blob)
        case .list(let values): list(values)
        }
    }
}

extension TestRecord {
    /// The record as a model has it that lacks the last columns.
    func cut(to model: Model) -> TestRecord {
        var record = self
        record.values.removeLast(values.count - model.entities[entity].layout.width)
        return record
    }
}

final class SilentSink: FindingSink {
    private(set) var counts: [Finding.Kind: Int] = [:]
    private(set) var findings: [Finding] = []

    func report(_ kind: Finding.Kind, at position: RecordPositionKey, isMinor: Bool, _ make: () -> Finding) {
        counts[kind, default: 0] += 1
        findings.append(make())
    }
}

/// Loads records as one run; `watch` gets the loader after each batch, and after all. A store on a server is mirrored
/// as an SQLite database then.
@discardableResult
func load(
    _ records: [TestRecord], _ model: Model, into path: String, batchSize: Int, shortcuts: Shortcuts = .all,
    cacheLimit: Int = Loader.defaultCacheLimit, identifierOrder: IdentifierOrder = .observed,
    heldObjects: Int = 1 << 16, watch: (Loader) -> Void = { _ in }, sink: SilentSink = SilentSink(),
    pipeline: String = "test",
    on server: TestServer? = nil
) throws -> [EntityCounts] {
    let location = server.map { StoreLocation.server($0.location) } ?? .file(path)
    let counts = try load(
        records, into: location, .init(model: model, pipeline: pipeline, savesAtEnd: true), batchSize: batchSize,
        shortcuts: shortcuts, cacheLimit: cacheLimit, identifierOrder: identifierOrder, heldObjects: heldObjects,
        watch: watch, sink: sink)
    if let server { try StoreMirror(server, model).write(to: path) }
    return counts
}

/// Loads records as one run.
@discardableResult
func load(
    _ records: [TestRecord], into location: StoreLocation, _ use: StoreUse, batchSize: Int,
    shortcuts: Shortcuts = .all, cacheLimit: Int = Loader.defaultCacheLimit,
    identifierOrder: IdentifierOrder = .observed, heldObjects: Int = 1 << 16,
    watch: (Loader) -> Void = { _ in }, sink: SilentSink = SilentSink()
) throws -> [EntityCounts] {
    let model = use.model
    let store = try location.open(use)
    let run = try store.begin(RunStart(started: "2026-11-21T00:00:00Z"))
    var options = Loader.Options(
        batchSize: batchSize, shortcuts: shortcuts, cacheLimit: cacheLimit, identifierOrder: identifierOrder,
        goneIdentifiers: IdentifierDatabase.init)
    options.heldObjects = heldObjects
    let loader = try Loader(model, run, options, sink)
    let batch = RecordBatch(model: model)
    for start in stride(from: 0, to: records.count, by: batchSize) {
        for number in start..<min(start + batchSize, records.count) { batch.append(records[number], number: number) }
        try loader.load(batch)
        batch.reset()
        watch(loader)
    }
    try loader.finish()
    watch(loader)
    try run.commit(RunOutcome(status: "succeeded", finished: "2026-11-21T00:00:01Z", report: "{}"))
    return loader.counts
}

/// All rows of a query, as texts.
func rows(_ path: String, _ sql: String) throws -> [[String]] {
    let connection = try Connection(path: path, access: .read)
    let statement = try connection.prepare(sql)
    var rows: [[String]] = []
    while try statement.step() {
        rows.append((0..<statement.columnCount).map { statement.isNull($0) ? "∅" : statement.text($0) })
    }
    return rows
}
