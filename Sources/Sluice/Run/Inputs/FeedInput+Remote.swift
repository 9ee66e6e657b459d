import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluicePosix
import SluiceRecords

extension DistantListing {
    /// The paths that a pattern names, which may be none; and what tells the files from others of their names, where
    /// that matters.
    func paths(
        _ pattern: RemotePattern, withStates: Bool = false
    ) throws(Failure) -> (paths: [String], states: [String]?) {
        try listed { () throws(Failure) in
            let files = try RemoteFiles(pattern, FetchSession(control, meter))
            let paths = try files.paths()
            guard withStates else { return (paths, nil) }
            var states: [String] = []
            for path in paths { states.append(try files.state(of: path)) }
            return (paths, states)
        }
    }

    /// The files that a text of the command line names, and the path of the feed in each, where they are archives.
    ///
    /// - Throws: `usage` where it names none; `missing` where there is none.
    func files(named text: String) throws(Failure) -> (files: RemoteInput, member: String?) {
        let place = FeedPath.cut(elsewhere: text)
        let pattern: RemotePattern
        do throws(AddressError) { pattern = try RemotePattern(place?.archive ?? text) } catch {
            throw error.failure(of: text)
        }
        let paths = try paths(pattern).paths
        if paths.isEmpty { throw Failure(.missing, "no file matches \(pattern.text)") }
        return (RemoteInput(place: pattern, paths: paths), place?.member)
    }
}

extension FeedInput {
    /// A source of files of another machine, which are listed.
    static func listed(
        _ source: Source, _ place: RemoteSource, _ listing: DistantListing
    ) throws(Failure) -> FeedInput {
        let (paths, states) = try listing.paths(place.pattern, withStates: source.isNew)
        guard !paths.isEmpty || source.isNew else {
            throw Failure(.missing, "no file matches \(place.pattern.text)")
        }
        let files = RemoteInput(place: place.pattern, paths: paths, states: states)
        let distant = DistantPlace(member: place.member, meter: listing.meter)
        return FeedInput(source, place.name, elsewhere: .remote(files, distant))
    }

    /// A source that reads some files of another machine in place of its own feed.
    static func overridden(
        _ source: Source, remote text: String, _ listing: DistantListing
    ) throws(Failure) -> FeedInput {
        let (files, member) = try listing.files(named: text)
        let distant = DistantPlace(member: member, meter: listing.meter)
        return FeedInput(source, text, elsewhere: .remote(files, distant))
    }

    /// Has the saved files of a replay read, where they are on another machine.
    mutating func useSaved(remote files: [RunOptions.SavedFile], _ listing: DistantListing) throws(Failure) {
        guard let first = files.first(where: { RemotePattern.names($0.path) }) else { return }
        var all: (files: RemoteInput, member: String?)?
        for file in files {
            guard RemotePattern.names(file.path) else {
                throw Failure(
                    .usage,
                    "\(first.path) is on another machine, and \(file.path) is not: a source has one or the other")
            }
            let found = try listing.files(named: file.path)
            guard let one = all else {
                all = found
                continue
            }
            guard one.files.place.isBeside(found.files.place),
                one.member.map({ ExactText($0) }) == found.member.map({ ExactText($0) })
            else {
                throw Failure(
                    .usage,
                    "\(first.path) and \(file.path) cannot be feeds of one source: they are not beside each other")
            }
            all?.files.paths += found.files.paths
        }
        guard let all else { return }
        let distant = DistantPlace(member: all.member, meter: listing.meter)
        self = FeedInput(source, location, elsewhere: .remote(all.files, distant))
    }
}
