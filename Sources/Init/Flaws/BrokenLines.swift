import SluiceExtract
import SluiceRecords

/// Lines of a sequence that are no values, such as one that was cut. Where each value is a record, a run rejects them:
/// all else is drafted.
struct BrokenLines {
    private(set) var count = 0
    /// The first of them, and what is wrong with it.
    private(set) var first: (place: CellPlace, reason: String)?
    /// By file: from which byte to the end of its line each goes.
    private var starts: [[UInt64]] = []

    /// So many are no flaws, be it of the largest feed.
    private static let most = 10_000

    /// The lines of the files of a feed, as a run finds them; nil: so many are none that they are no flaws.
    ///
    /// - Parameter options: how the feed is read, but for its encoding.
    init?(
        _ files: [String], _ options: FeedOptions, open: (Int) throws(Failure) -> any ByteSource
    ) throws(Failure) {
        var options = options
        options.rejectsLines = true
        let whole = Entity(
            name: "Line", records: [Path(root: .feed, steps: [])], slots: [], identifier: [], attributes: [])
        let model = Model(entities: [whole])
        let reader = FeedReader(model: model, source: 0, options: options)
        var batch = RecordBatch(model: model)
        for (file, name) in files.enumerated() {
            starts.append([])
            _ = try reader.read(open(file), named: name, into: &batch) { full in
                note(full, of: file)
                full.reset()
                return full
            }
            note(batch, of: file)
            batch.reset()
        }
        let values = Int(clamping: reader.recordCount)
        guard count > 0, count < values, count * 10 <= values || count == 1, count <= BrokenLines.most else {
            return nil
        }
    }

    private mutating func note(_ batch: RecordBatch, of file: Int) {
        for fault in batch.faults where fault.isOfBytes {
            let offset = batch.sections[0].positions[fault.row].offset
            if first == nil { first = (CellPlace(file: file, offset: offset), fault.reason) }
            count += 1
            if count <= BrokenLines.most { starts[file].append(offset) }
        }
    }

    /// The bytes of a file in which these lines are white space, so that all else stays where it is.
    func without(_ bytes: any ByteSource, _ file: Int) -> any ByteSource {
        starts[file].isEmpty ? bytes : BlankedLines(bytes, starts[file])
    }
}
