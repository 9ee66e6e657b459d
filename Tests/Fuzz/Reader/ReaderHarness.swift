import FeedReference
import SluiceExtract
import SluiceRecords

/// Reads a feed with one of several models.
///
/// Two bytes say how, the feed follows them: the first chooses the model, the format and the limits, the second the
/// size of chunks and batches.
enum ReaderHarness {
    private static let models: [[Entity]] = [
        [entity("All", "$", slots: ["a", "b.c", "tags[*] many", "id json", "~", "[1]", "c[*].a many"])],
        [entity("Element", "$[*]", slots: ["a", "~", "@ json"]), entity("Tag", "$[*].tags[*]", slots: ["@", "id"])],
        [
            entity("Any", "$..[*]", slots: ["@", "..id many", "a[*].b many"]),
            entity("Id", "$..id", slots: ["@ json", "~", "*.* many json"]),
        ],
        [
            entity("Two", "$.a", "$.*[0]", slots: ["..[*] many", "..a..b many"]),
            entity("Same", "$.a", slots: ["c[1]", "c~", "*~ many"]),
        ],
        [entity("Item", "$.a[*].b[*]", slots: ["id", "$.a[*].id", "$.c", "^^.c", "$.a[*]~", "^^id json"])],
        [entity("Nowhere", "$.nowhere[*]", slots: ["a"])],
    ]

    static func complaint(about input: [UInt8]) -> String? {
        guard input.count >= 2 else { return nil }
        let entities = models[Int(input[0]) % models.count]
        let way = Int(input[0]) / models.count
        var options = FeedOptions()
        options.format = way % 2 == 0 ? .json : .lines
        switch way / 2 % 4 {
        case 1: options.maxDepth = 4
        case 2: options.maxText = 12
        default: options.maxDepth = 64
        }
        let feed = Array(input.dropFirst(2))
        let whole = extract(feed, entities, options: options)
        return verdict(whole, feed, entities, options)
            ?? pieces(whole, feed, entities, options, size: 1 + Int(input[1]) % 64, batch: 1 + Int(input[1]) / 64)
    }

    /// Whether the reader takes what is JSON, refuses what is none, and finds in it what there is.
    private static func verdict(
        _ whole: Extraction, _ feed: [UInt8], _ entities: [Entity], _ options: FeedOptions
    ) -> String? {
        var strict = StrictJSON(feed, isLines: options.format == .lines)
        let isValid = strict.isValid()
        guard let failure = whole.failure else {
            if !isValid { return "what is no JSON was taken" }
            if strict.mostDepth > options.maxDepth { return "\(strict.mostDepth) levels were taken" }
            if strict.mostText > options.maxText { return "a text of \(strict.mostText) bytes was taken" }
            return difference(whole, plain(feed, options), entities)
        }
        guard isValid else { return nil }
        if failure.contains("\"maxDepth\""), strict.mostDepth > options.maxDepth { return nil }
        // Captured values count as well.
        if failure.contains("\"maxText\""), options.maxText < feed.count { return nil }
        return "JSON was refused: \(failure)"
    }

    /// The feed with spaces for what only the reader knows: the byte-order mark, and the separators of RFC 7464.
    private static func plain(_ feed: [UInt8], _ options: FeedOptions) -> [UInt8] {
        var feed = feed
        if feed.starts(with: [0xef, 0xbb, 0xbf]) { feed.replaceSubrange(0..<3, with: [0x20, 0x20, 0x20]) }
        return options.format == .lines ? feed.map { $0 == 0x1e ? 0x20 : $0 } : feed
    }

    private static func difference(_ whole: Extraction, _ feed: [UInt8], _ entities: [Entity]) -> String? {
        let values = ReferenceParser.values(of: feed)
        // What a broken key is called says nobody; of repeated keys the model has but one.
        if values.contains(where: { hasBrokenKey($0) || hasRepeatedKey($0) }) { return nil }
        let expected = referenceRows(feed, entities)
        guard whole.rows != expected else { return nil }
        return "read:\n\(whole.rows.joined(separator: "\n"))\nexpected:\n\(expected.joined(separator: "\n"))"
    }

    private static func hasRepeatedKey(_ node: Node) -> Bool {
        node.hasRepeatedKey || node.children.contains { hasRepeatedKey($0.node) }
    }

    private static func hasBrokenKey(_ node: Node) -> Bool {
        node.hasBrokenKey || node.children.contains { hasBrokenKey($0.node) }
    }

    /// Whether it makes a difference how the bytes come.
    private static func pieces(
        _ whole: Extraction, _ feed: [UInt8], _ entities: [Entity], _ options: FeedOptions, size: Int, batch: Int
    ) -> String? {
        for sizes in [[1], [size], [size, 1, 64 - size / 2]] {
            let split = extract(feed, entities, sizes: sizes, options: options.with(chunk: 64, batch: batch))
            if !isSame(split, whole) { return "in chunks of \(sizes):\n\(split)\nwhole:\n\(whole)" }
        }
        return nil
    }

    private static func isSame(_ split: Extraction, _ whole: Extraction) -> Bool {
        // What was read before a failure goes with the batch in which it was.
        guard let failure = whole.failure else { return split == whole }
        // Of two faults, a value that is too long may be the one that is met first only where a chunk ends within it.
        let isTooLong = [failure, split.failure].contains { $0?.contains("\"maxText\"") == true }
        return isTooLong ? split.failure != nil : split.failure == failure
    }
}
