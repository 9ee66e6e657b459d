import Foundation
import SluiceKnown
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceExtract

/// Items that are known are left out, and nothing else: what is read says the same, at the same places, however the
/// bytes come.
@Suite struct KnownItemTests {
    private static let secret = (0..<UInt8(ItemHash.secretBytes)).map { $0 ^ 0x5a }
    private static let entities = [
        entity("Stop", "$.stops[*]", slots: ["id", "name"]), entity("Note", "$.stops[*].notes[*]", slots: ["text"]),
        entity("Route", "$.lists.routes[*]", slots: ["id"]),
    ]
    private static let lines = [
        entity("Stop", "$", slots: ["id", "name"]), entity("Note", "$.notes[*]", slots: ["text"]),
    ]

    /// What one reading of a feed gave.
    private struct Reading {
        var rows: [String] = []
        var statistics: FeedStatistics?
        var failure: String?
        var taken: [[UInt64]] = []
    }

    // MARK: Feeds

    private struct Feed {
        var random: SeededRandom
        var stops: [String] = []
        var routes: [String] = []
        var isLines: Bool

        init(seed: Int) {
            random = SeededRandom(seed)
            isLines = random.below(3) == 0
            for number in 0..<random.below(60) { stops.append(stop(number)) }
            for number in 0..<random.below(20) { routes.append(#"{"id":\#(number)}"#) }
        }

        private mutating func stop(_ number: Int) -> String {
            let names = [
                "plain", "a ]} {[", "\\\" quoted \\\\", "ä☃𝄞", "\\ud83d\\ude00", String(repeating: "x", count: 70),
            ]
            let notes = (0..<random.below(3)).map { #"{"text":"note \#($0)"}"# }.joined(separator: ", ")
            let name = names[random.below(names.count)]
            return random.below(12) == 0 ? "\(number)" : #"{"id": \#(number), "name":"\#(name)", "notes":[\#(notes)]}"#
        }

        mutating func change() {
            for _ in 0..<random.below(4) where !stops.isEmpty {
                let place = random.below(stops.count)
                switch random.below(4) {
                case 0: stops.remove(at: place)
                case 1: stops.insert(stop(1000 + random.below(1000)), at: place)
                case 2: stops[place] = stop(place)
                default: stops.swapAt(place, random.below(stops.count))
                }
            }
            if random.below(6) == 0 { stops.shuffle(using: &random) }
        }

        mutating func bytes() -> [UInt8] {
            let space = ["", " ", "\n", "\r\n\t"][random.below(4)]
            if isLines {
                return Array(stops.map { (random.below(2) == 0 ? "\u{1e}" : "") + $0 + "\n" }.joined().utf8)
            }
            let lists = #""lists":{"routes":["# + routes.joined(separator: ",") + "]}"
            let all = #""stops":["# + space + stops.joined(separator: space + "," + space) + space + "]"
            let text = "{" + (random.below(2) == 0 ? lists + "," + all : all + "," + lists) + "}"
            return (random.below(4) == 0 ? [0xef, 0xbb, 0xbf] : []) + Array(text.utf8)
        }
    }

    // MARK: Reading

    private func read(
        _ feed: [UInt8], _ isLines: Bool, sizes: [Int] = [.max], chunk: Int? = nil, _ noting: ItemNoting? = nil,
        each: (RecordBatch) throws(Failure) -> Void = { (_) throws(Failure) in }
    ) -> Reading {
        let model = Model(entities: isLines ? Self.lines : Self.entities)
        var options = (isLines ? FeedOptions.lines : FeedOptions()).with(chunk: chunk, batch: 7)
        options.noting = noting
        let reader = FeedReader(model: model, source: 0, options: options)
        var (reading, batch) = (Reading(), RecordBatch(model: model))
        do throws(Failure) {
            reading.statistics = try reader.read(ChunkedBytes(feed, sizes: sizes), named: "feed", into: &batch) {
                full throws(Failure) in
                reading.rows += rows(full, model)
                try each(full)
                full.reset()
                return full
            }
            reading.rows += rows(batch, model)
            try each(batch)
        } catch {
            reading.failure = "\(error)"
        }
        reading.taken = reader.taken
        return reading
    }

    private func rows(_ batch: RecordBatch, _ model: Model) -> [String] {
        batch.sections.flatMap { section in
            (0..<section.count).filter { section.status[$0] != .dropped }.map { row in
                let at = section.positions[row]
                let cells = (0..<section.slotCount).map { slot -> String in
                    let cell = section.raw[row * section.slotCount + slot]
                    return [.string, .number].contains(cell.kind) ? batch.arena.text(of: cell) : "\(cell.kind)"
                }
                let path = at.path(in: batch.arena)
                return "\(section.entity) \(at.record) \(at.offset) \(at.line):\(at.column) \(path) \(cells)"
            }
        }
    }

    /// Reads a feed, and writes down its items: each row gets an object of its own.
    private func remember(_ feed: [UInt8], _ isLines: Bool, at path: String, chunk: Int) throws -> KnownFile {
        let writer = try KnownWriter(path, secret: Self.secret, old: nil)
        writer.begin(source: 0)
        var next: Int64 = 0
        let reading = read(feed, isLines, sizes: [chunk], chunk: chunk, ItemNoting(secret: Self.secret)) {
            batch throws(Failure) in
            for item in 0..<batch.items.readCount {
                var records: [(shape: Int, objectID: Int64)] = []
                for section in batch.sections {
                    for row in 0..<section.count where Int(section.items[row].number) == item {
                        next += 1
                        let shape: [UInt8] = [UInt8(section.entity), 0, 1, 0, 1, 0, 0, 0, 1]
                        let number = unsafe shape.withUnsafeBufferPointer { unsafe writer.number(ofShape: $0) }
                        records.append((number ?? 0, next))
                    }
                }
                guard records.count == batch.items.reads[item].recordCount else { continue }
                try writer.append(batch.items.reads[item], records)
            }
        }
        #expect(reading.failure == nil)
        let identity = ItemHash.Value(low: 5, high: 6)
        try writer.finish(identity: identity, drifts: [[]], excluded: [])
        try writer.publish([UInt64](repeating: 1, count: 8))
        return try #require(KnownFile(path, secret: Self.secret, identity: identity, relationships: { _ in 0 }))
    }

    // MARK: Tests

    @Test("Any change, any split of the feed into reads", arguments: SeededRandom.seeds(1..<60))
    func anySplit(seed: Int) throws {
        var feed = Feed(seed: seed)
        let path = NSTemporaryDirectory() + "sluice-items-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try remember(feed.bytes(), feed.isLines, at: path, chunk: [5, 64, 1 << 18][feed.random.below(3)])
        feed.change()
        let bytes = feed.bytes()
        let whole = read(bytes, feed.isLines)
        for size in [1, 7, 33, 100, 700, .max] {
            let noting = ItemNoting(secret: Self.secret)
            let search = KnownSearch(file, source: 0, waiting: [[], [], []], tableBytes: 1 << 20)
            noting.expect { _ in search }
            let part = read(bytes, feed.isLines, sizes: [size], chunk: min(size, 1 << 18), noting)
            #expect(part.failure == whole.failure && part.statistics == whole.statistics, "\(size)")
            let left = Set(whole.rows).subtracting(part.rows)
            #expect(part.rows.count + left.count == whole.rows.count && Set(part.rows).isSubset(of: whole.rows))
            #expect(left.count == search.counts.reduce(0, +), "\(size): \(left.count) of \(whole.rows.count)")
        }
    }

    @Test("A feed of which nothing has changed is known but for its beginning, and for one record of each entity")
    func nothingChanged() throws {
        let path = NSTemporaryDirectory() + "sluice-items-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text =
            #"{"stops":["# + (0..<2000).map { #"{"id":\#($0),"notes":[{"text":"a"}]}"# }.joined(separator: ",") + "]}"
        let file = try remember(Array(text.utf8), false, at: path, chunk: 1 << 18)
        let noting = ItemNoting(secret: Self.secret)
        let search = KnownSearch(file, source: 0, waiting: [[], [], []], tableBytes: 1 << 20)
        noting.expect { _ in search }
        let rows = read(Array(text.utf8), false, noting).rows
        #expect(search.itemCount > 1950 && rows.count + search.counts.reduce(0, +) == 4000)
    }

    @Test(
        "What is malformed between known items is never let through",
        arguments: [",,", ", x", " ", ", ]", ",[", "]", ", \u{c}", ",1 2,", ",\"a\" \"b\","])
    func malformed(between: String) throws {
        let path = NSTemporaryDirectory() + "sluice-items-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let items = (0..<200).map { #"{"id":\#($0),"notes":[]}"# }
        let file = try remember(
            Array((#"{"stops":["# + items.joined(separator: ",") + "]}").utf8), false, at: path, chunk: 64)
        let broken =
            #"{"stops":["# + items[..<150].joined(separator: ",") + between + items[150...].joined(separator: ",")
            + "]}"
        let noting = ItemNoting(secret: Self.secret)
        let search = KnownSearch(file, source: 0, waiting: [[], [], []], tableBytes: 1 << 20)
        noting.expect { _ in search }
        #expect(read(Array(broken.utf8), false).failure != nil)
        let part = read(Array(broken.utf8), false, noting)
        #expect(part.failure != nil && search.itemCount > 50)
    }
}
