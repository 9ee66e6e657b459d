import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords

/// Where feeds are, as they were given: of an archive, the feeds that it holds.
struct FeedLocations {
    private(set) var all: [String] = []
    /// By archive, what it holds besides.
    private(set) var others: [(archive: String, members: [String])] = []

    /// - Parameter format: that of all feeds, where it was said: then all that an archive holds are feeds.
    init(_ given: [String], _ format: Source.Format?) throws(Failure) {
        for location in given {
            if ObjectFolder.names(location) {
                all += try FeedLocations.objects(location)
                continue
            }
            guard let members = try archiveMembers(location) else {
                all.append(location)
                continue
            }
            var left: [String] = []
            for member in members {
                let path = "\(location)/\(member)"
                var isFeed = format != nil
                if !isFeed { isFeed = try FeedLocations.isFeed(path) }
                if isFeed { all.append(path) } else { left.append(member) }
            }
            if !left.isEmpty { others.append((location, left)) }
            guard left.count < members.count else {
                throw Failure(.data, "\(location) holds no feed, neither JSON nor a table")
            }
        }
    }

    /// The objects that a pattern names, each a feed.
    private static func objects(_ text: String) throws(Failure) -> [String] {
        let pattern: ObjectPattern
        do throws(AddressError) { pattern = try ObjectPattern(text) } catch {
            throw Failure(.usage, "\(text.printable) \(error.message)")
        }
        let found = try ObjectBucket(pattern.bucket, settings: .sluice).objects(pattern)
        if found.isEmpty { throw Failure(.missing, "no object of \(text) exists") }
        return found.map(\.name)
    }

    /// Whether a file of an archive is a feed: its name says so, or its beginning.
    private static func isFeed(_ path: String) throws(Failure) -> Bool {
        let name = path.lowercased()
        if name.hasSuffix(".json") || Source.Format(fileName: path) != .json { return true }
        let bytes = try TableGuess.firstBytes(of: openFeed(path))
        return TableGuess.isJSON(bytes) || TableGuess.format(of: bytes) != nil
    }

    /// What is told of the others, a sentence for each archive.
    var remarks: [String] {
        others.map { archive, members in "Of \(archive), these are no feeds: \(listed(members))." }
    }
}
