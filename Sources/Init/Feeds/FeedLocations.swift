import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluicePosix
import SluiceRecords

/// Where feeds are, as they were given: of an archive, the feeds that it holds.
struct FeedLocations {
    private(set) var all: [String] = []
    /// By pattern of `all`, the files that it names, which are of one shape.
    private var files: [ExactText: [String]] = [:]
    /// By pattern of `files`, those of them that hold no records today.
    private var empty: [ExactText: [String]] = [:]
    /// By pattern, the files that are not of the shapes of the others.
    private(set) var odd: [(pattern: String, files: [String])] = []
    /// By archive, the pattern that names it.
    private var patterns: [ExactText: String] = [:]
    /// By archive, what it holds besides.
    private(set) var others: [(archive: String, members: [String])] = []
    /// Archives that are not files of this machine.
    private(set) var archives: FetchedArchives

    /// - Parameter format: that of all feeds, where it was said: then all that an archive holds are feeds.
    init(
        _ given: [String], _ format: Source.Format?, _ headers: RequestHeaders = RequestHeaders(),
        _ session: FetchSession = FetchSession(.sluice)
    ) throws(Failure) {
        archives = FetchedArchives(headers, session)
        var locations: [String] = []
        for text in try FilePattern.folded(given) { locations += try places(of: text, format) }
        for location in locations {
            if files[ExactText(location)] != nil {
                all.append(location)
                continue
            }
            let isElsewhere = FeedLocations.isElsewhere(location)
            guard let members = try isElsewhere ? archives.paths(in: location) : archiveMembers(location) else {
                all.append(location)
                continue
            }
            var left: [String] = []
            for member in members {
                let path = "\(location)/\(member)"
                var isFeed = format != nil
                if !isFeed { isFeed = try looksLikeFeed(path) }
                if isFeed { all.append(path) } else { left.append(member) }
            }
            if !left.isEmpty { others.append((location, left)) }
            guard left.count < members.count else {
                throw Failure(.data, "\(location) holds no feed, neither JSON nor a table")
            }
        }
    }

    /// Where the feeds are that a text names: a pattern of files that are one feed is one place.
    private mutating func places(of text: String, _ format: Source.Format?) throws(Failure) -> [String] {
        let expanded = try expanded(text)
        // More files may follow the one that a pattern names today.
        let isOneToday = expanded.count == 1 && !expanded[0].isIdentical(to: text)
        if isOneToday, try FeedLocations.isArchive(expanded[0]) {
            patterns[ExactText(expanded[0])] = text
            return expanded
        }
        var isOne = isOneToday && (FeedPath(text).member != nil || FeedPath(expanded[0]).member == nil)
        let shapes = isOneToday ? [] : try FileShape.all(expanded, format)
        if !isOneToday { isOne = FileShape.areOne(shapes) }
        guard isOne else { return try parts(of: text, expanded, shapes) }
        files[ExactText(text)] = expanded
        empty[ExactText(text)] = FeedLocations.empty(expanded, shapes)
        return [text]
    }

    /// Those files that are of one shape, each kind by a pattern of its own, and the others.
    private mutating func parts(of text: String, _ all: [String], _ shapes: [FileShape?]) throws(Failure) -> [String] {
        var patterns: [Int: String] = [:]
        for group in FileShape.groups(shapes) {
            let names = group.map { all[$0] }
            guard let pattern = try FilePattern.naming(names) else { continue }
            files[ExactText(pattern)] = names
            empty[ExactText(pattern)] = FeedLocations.empty(names, group.map { shapes[$0] })
            for index in group { patterns[index] = pattern }
        }
        let left = all.indices.filter { patterns[$0] == nil }.map { all[$0] }
        try require(left, of: text)
        guard !patterns.isEmpty else { return all }
        if !left.isEmpty { odd.append((text, left)) }
        var known: Set<ExactText> = []
        return all.indices.map { patterns[$0] ?? all[$0] }.filter { known.insert(ExactText($0)).inserted }
    }

    /// The files that hold no records, where others of their shape do.
    private static func empty(_ files: [String], _ shapes: [FileShape?]) -> [String] {
        let empty = zip(files, shapes).filter { $1?.isEmpty == true }.map(\.0)
        return empty.count < files.count ? empty : []
    }

    /// So many files of JSON that differ are sources of their own.
    private static let mostOwn = 50

    /// The files that a pattern of `all` names; nil: it is a file.
    func files(of location: String) -> [String]? { files[ExactText(location)] }

    /// Those of them that hold no records today.
    func emptyFiles(of location: String) -> [String] { empty[ExactText(location)] ?? [] }

    /// The pattern that names an archive; nil: the archive was named itself, or it is none.
    func pattern(ofArchive path: String) -> String? { patterns[ExactText(path)] }

    /// What comments show of archives that a pattern names: the pattern and the archive.
    var namedArchives: [(pattern: String, archive: String)] { patterns.map { ($1, $0.string) } }

    /// Refuses to make a source of each of many files: nobody would read such a draft.
    private func require(_ left: [String], of pattern: String) throws(Failure) {
        guard left.count > FeedLocations.mostOwn, !FeedLocations.isElsewhere(pattern),
            left.allSatisfy({ Source.Format(fileName: $0) == .json })
        else { return }
        throw Failure(
            .data,
            "\(grouped(left.count)) files of \(pattern) are not of one shape, and would be as many sources: name those that"
                + " belong together, by patterns of their own")
    }

    static func isWeb(_ location: String) -> Bool { location.hasPrefix("http://") || location.hasPrefix("https://") }

    /// Whether it is no file of this machine.
    static func isElsewhere(_ location: String) -> Bool {
        isWeb(location) || ObjectFolder.names(location) || RemotePattern.names(location)
    }

    /// Whether a file is an archive with several feeds; of what is elsewhere its name says so.
    private static func isArchive(_ file: String) throws(Failure) -> Bool {
        isElsewhere(file) ? FeedPath.isArchive(file) : try archiveMembers(file) != nil
    }

    /// The feeds that a pattern names, of this machine, of a bucket or of another machine; a file is itself.
    private func expanded(_ text: String) throws(Failure) -> [String] {
        if ObjectFolder.names(text) { return try objects(text) }
        guard RemotePattern.names(text) else {
            try FeedLocations.requireKnown(text)
            return PathPattern.isPattern(text) && !FeedLocations.isWeb(text) ? try expandGlob(text) : [text]
        }
        let pattern = try RemotePattern(named: text)
        let paths = try RemoteFiles(pattern, archives.session).paths()
        if paths.isEmpty { throw Failure(.missing, "no file matches \(text)") }
        return paths.map { pattern.name(of: $0) }
    }

    /// Refuses an address of which nothing is known here: it is no file that is missing.
    private static func requireKnown(_ text: String) throws(Failure) {
        guard !isWeb(text), let end = text.firstRange(of: "://")?.lowerBound, end > text.startIndex,
            text[..<end].allSatisfy({ $0.isLetter && $0.isASCII })
        else { return }
        throw Failure(
            .usage, "\(text.printable): a FEED is a file, -, or an address with https://, http://, s3:// or sftp://")
    }

    /// The objects that a pattern names, each a feed.
    private func objects(_ text: String) throws(Failure) -> [String] {
        let pattern = try ObjectPattern(named: text)
        let found = try ObjectBucket(pattern.bucket, archives.session).objects(pattern)
        if found.isEmpty { throw Failure(.missing, "no object of \(text) exists") }
        return found.map(\.name)
    }

    /// Whether a file of an archive is a feed: its name says so, or its beginning.
    private func looksLikeFeed(_ path: String) throws(Failure) -> Bool {
        let name = path.lowercased()
        if name.hasSuffix(".json") || Source.Format(fileName: path) != .json { return true }
        var feed = try archives.open(path)
        if feed == nil { feed = try openFeed(path) }
        guard let feed else { return false }
        let bytes = try TableGuess.firstBytes(of: feed)
        return TableGuess.isJSON(bytes) || TableGuess.format(of: bytes) != nil
    }
}
