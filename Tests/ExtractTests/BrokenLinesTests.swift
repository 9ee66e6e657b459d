import FeedReference
import SluiceExtract
import SluiceRecords
import TestSupport
import Testing

/// Lines that are no values, in chunks of any size: each is a record that is rejected, and all others come as ever.
@Suite struct BrokenLinesTests {
    /// The records of a feed: the line and column of each, and its text; of one that is rejected, only that it is.
    private func records(_ feed: [UInt8], chunk: Int) throws -> [String] {
        let model = Model(entities: [entity("A", "$", slots: [Slot(path: Path(root: .record, steps: []), json: true)])])
        var options = FeedOptions()
        options.format = .lines
        options.rejectsLines = true
        options.chunkSize = chunk
        options.batchSize = 3
        let reader = FeedReader(model: model, source: 0, options: options)
        var batch = RecordBatch(model: model)
        var found: [String] = []
        func take(_ batch: RecordBatch) {
            let section = batch.sections[0]
            for row in 0..<section.count {
                let place = section.positions[row]
                let isOfBytes = batch.faults.contains { $0.row == row && $0.isOfBytes }
                let text = isOfBytes ? "rejected" : batch.arena.text(of: section.raw[row])
                #expect((section.status[row] == .rejected) == isOfBytes)
                found.append("\(place.record) \(place.line):\(place.column)@\(place.offset) \(text)")
            }
        }
        _ = try reader.read(ChunkedBytes(feed), named: "feed", into: &batch) { full in
            take(full)
            full.reset()
            return full
        }
        take(batch)
        return found
    }

    private static let good = [
        #"{"a":1}"#, #"[1,{"b":"x y"}]"#, "7", #""text""#, #"{"long":"0123456789012345"}"#,
    ]
    private static let bad: [[UInt8]] = [
        Array(#"{"a":"#.utf8), Array("}".utf8), Array("oops".utf8), Array(#"{"a" 1}"#.utf8), Array(#"["x",]"#.utf8),
        Array(#"{"a":"\ud8"}"#.utf8), [0x7b, 0xff, 0x7d], [0x22, 0xc3, 0x22], Array("{\u{0c}}".utf8), Array(",".utf8),
        Array(#"{"a":[[{"b":{"c":"x"#.utf8),
    ]

    @Test(arguments: 1...8, [1, 2, 7, 64, 1 << 16])
    func eachIsOneReject(seed: Int, chunk: Int) throws {
        var random = SeededRandom(seed)
        var (feed, expected): ([UInt8], [String]) = ([], [])
        for number in 0..<60 {
            let isBad = Int.random(in: 0..<3, using: &random) == 0
            let text = Self.good.randomElement(using: &random) ?? ""
            let line = isBad ? Self.bad.randomElement(using: &random) ?? [] : Array(text.utf8)
            let spaces = Int.random(in: 0..<3, using: &random)
            feed += [UInt8](repeating: 0x20, count: spaces)
            expected.append("\(number) \(number + 1):\(spaces + 1)@\(feed.count) \(isBad ? "rejected" : text)")
            feed += line + (number == 59 && seed % 2 == 0 ? [] : [0x0a])
        }
        let found = try records(feed, chunk: chunk)
        for (found, expected) in zip(found, expected) { #expect(found == expected) }
        #expect(found.count == expected.count)
    }

    /// What stands behind a value in its line is rejected, and not the value.
    @Test(arguments: [1, 3, 1 << 16]) func theRestOfALineIsOne(chunk: Int) throws {
        let found = try records(Array("{} x\n1 2]3\n[]\n\"a".utf8), chunk: chunk)
        #expect(
            found == [
                "0 1:1@0 {}", "1 1:4@3 rejected", "2 2:1@5 1", "3 2:3@7 2", "4 2:4@8 rejected", "5 3:1@11 []",
                "6 4:1@14 rejected",
            ])
    }
}
