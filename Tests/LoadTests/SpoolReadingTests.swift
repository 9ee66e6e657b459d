import SluiceRecords
import TestSupport
import Testing

@testable import SluiceLoad

/// What waits on disk is read a few times, however many objects it is about: what is read grows as what was written.
@Suite struct SpoolReadingTests {
    private static let (visit, place) = (0, 1)
    /// Objects of which what waits is held in memory.
    private static let held = 8

    /// Visits of places, which are stubs with the names that the visits say; later copies say something else.
    private static let model: Model = {
        var of = Relationship.forLoad("of", [(place, [.integer])])
        of.missing = .stub
        of.stub = [Attribute(name: "name", value: ValueRule(.slot(0)), conversion: Conversion(.text))]
        return Model(entities: [
            .forLoad(
                "Visit", identifier: [0], attributes: [("id", .integer), ("note", .text)], relationships: [of]),
            .forLoad("Place", identifier: [0], attributes: [("id", .integer), ("name", .text)]),
        ])
    }()

    private static func visit(_ id: Int64, _ note: String, of target: Int64) -> TestRecord {
        let layout = model.entities[visit].layout
        let relationship = model.entities[visit].relationships[0]
        var values = Array(repeating: TestValue.absent, count: layout.width)
        (values[0], values[1]) = (.integer(id), .text(Text(note)))
        values[layout.keyStart(relationship, at: 0, way: 0)] = .integer(target)
        values[layout.stubStart(relationship, at: 0)] = .text(Text("place \(target)"))
        return TestRecord(entity: visit, values: values)
    }

    /// Runs in which each object is described three times, and each time refers to another place.
    private static func records(_ count: Int, run: Int) -> [TestRecord] {
        (0..<3).flatMap { copy in
            (0..<count).map { number in
                let target = Int64((number * 7 + copy * count + run * 5 * count) % (9 * count))
                return visit(Int64(number), "run \(run), copy \(copy)", of: target)
            }
        }
    }

    /// The bytes of spools that were read, and what is in the store.
    private static func outcome(_ count: Int, held: Int) throws -> (bytes: Int, rows: [[String]], findings: Int) {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        let meter = SpoolMeter()
        let sink = SilentSink()
        try SpoolMeter.$current.withValue(meter) {
            for run in 0..<2 {
                try load(
                    records(count, run: run), model, into: path, batchSize: 50, heldObjects: held, sink: sink)
            }
        }
        let sql = """
            SELECT v.id, v.note, p.id, p.name FROM Visit v LEFT JOIN Place p ON p.objectID = v."of"
            UNION ALL SELECT NULL, NULL, id, name FROM Place ORDER BY 1, 2, 3
            """
        return (meter.bytes, try rows(path, sql), sink.findings.count)
    }

    @Test func growsAsWhatWasWritten() throws {
        let few = try Self.outcome(60, held: Self.held)
        let many = try Self.outcome(60 * 12, held: Self.held)
        #expect(few.bytes > 0)
        // Numbers take somewhat more bytes; with a reading for each part it would be twelve times as much.
        #expect(many.bytes < few.bytes * 12 * 2, "\(few.bytes) and \(many.bytes)")
    }

    /// In parts or not, the same comes of it.
    @Test(arguments: [1, 8, 100])
    func partsChangeNothing(held: Int) throws {
        let (whole, parts) = (try Self.outcome(90, held: 1 << 16), try Self.outcome(90, held: held))
        #expect(whole.rows == parts.rows && whole.findings == parts.findings)
        #expect(whole.rows.count > 90 && whole.rows.contains { $0[3].hasPrefix("place") })
    }

    @Test func partsAreOfObjectsThatFollowOneAnother() throws {
        let objects = ObjectIDSet()
        for objectID in [3, 4, 9, 70_000, 70_001, 500_000] as [Int64] { _ = objects.insert(objectID) }
        let parts = ObjectParts(objects, of: 2)
        #expect(parts.count == 3 && !parts.isWhole)
        #expect([3, 4, 9, 70_000, 70_001, 500_000].map { parts.part(of: $0) } == [0, 0, 1, 1, 2, 2])
        #expect([1, 5, 70_002, 600_000].allSatisfy { parts.part(of: $0) == nil })
        var seen: [[Int64]] = []
        try parts.forEachPart { part, objectIDs in
            #expect(part == seen.count)
            seen.append(objectIDs)
        }
        #expect(seen == [[3, 4], [9, 70_000], [70_001, 500_000]])
        #expect(ObjectParts(ObjectIDSet(), of: 2).isWhole && ObjectParts(objects, of: 6).isWhole)
    }
}
