import FeedReference
import SluiceExtract
import SluiceRecords
import Testing

/// Where the matches of a path stand below their record.
@Suite struct PlaceTests {
    /// The values of a path, each with the levels of its place.
    private func found(_ path: Path, in feed: String, chunk: Int = 1 << 16) throws -> [[String]] {
        var places = Slot(path: path, many: true)
        places.isPlace = true
        let model = Model(entities: [entity("A", "$[*]", slots: [Slot(path: path, many: true), places])])
        var options = FeedOptions()
        options.chunkSize = chunk
        let reader = FeedReader(model: model, source: 0, options: options)
        var batch = RecordBatch(model: model)
        _ = try reader.read(ChunkedBytes(Array(feed.utf8)), named: "feed", into: &batch) { full in full }
        let section = batch.sections[0]
        return (0..<section.count).map { row in
            let (values, places) = (list(section.raw[2 * row], batch), list(section.raw[2 * row + 1], batch))
            #expect(values.count == places.count)
            return zip(values, places).map { value, place in
                let bytes = unsafe Array(batch.arena.bytes(of: place))
                let levels = stride(from: 0, to: bytes.count, by: 4).map { level in
                    bytes[level..<level + 4].reduce(0) { $0 << 8 | Int($1) }
                }
                return "\(batch.arena.text(of: value))@\(levels.map(String.init).joined(separator: "."))"
            }
        }
    }

    private func list(_ cell: Cell, _ batch: RecordBatch) -> [Cell] {
        var cells: [Cell] = []
        var index = cell.head
        for _ in 0..<(cell.kind == .list ? cell.count : 0) {
            cells.append(batch.elements[index].cell)
            index = Int(batch.elements[index].next)
        }
        return cells
    }

    @Test(arguments: [1, 7, 1 << 16]) func elementsHaveTheirIndices(chunk: Int) throws {
        let feed = #"[[[1,[2,3]],4],{"a":[{"b":"x"},{},{"b":"y"}]},{"a":null},{}]"#
        #expect(
            try found(Path(root: .record, steps: [.wildcard]), in: #"[["p","q"]]"#, chunk: chunk) == [["p@0", "q@1"]])
        #expect(try found("a[*].b", in: feed, chunk: chunk)[1].map { String($0.prefix(1)) } == ["x", "y"])
        // The number of a member says nothing but which of them it is.
        let places = try found("a[*].b", in: feed, chunk: chunk)[1].map { $0.split(separator: ".")[1] }
        #expect(places == ["0", "2"])
    }

    @Test func membersAreToldApart() throws {
        let feed = #"[{"x":{"b":"1"},"y":{"c":0},"z":{"b":"2"},"x":{"b":"3"}}]"#
        let rows = try found(Path(root: .record, steps: [.wildcard, .name("b")]), in: feed)
        #expect(rows[0].map { String($0.prefix(1)) } == ["2", "3"])
        #expect(Set(rows[0].map { $0.split(separator: "@")[1].split(separator: ".")[0] }).count == 2)
    }
}
