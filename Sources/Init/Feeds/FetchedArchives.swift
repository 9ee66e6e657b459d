import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluicePosix
import SluiceRecords

/// Archives that are on another machine, each fetched once: what they hold is read from a temporary copy.
struct FetchedArchives {
    /// A file in one of them.
    struct Member {
        let archive: String
        let path: String
        let copy: TemporaryFile
    }

    private var members: [ExactText: Member] = [:]
    /// What web services are asked with.
    let headers: RequestHeaders
    let session: FetchSession

    init(_ headers: RequestHeaders, _ session: FetchSession = FetchSession(.sluice)) {
        (self.headers, self.session) = (headers, session)
    }

    /// The file that a location names, if it is in one of them.
    subscript(location: String) -> Member? { members[ExactText(location)] }

    /// The paths of the files of an archive, whose locations are known from then on; nil: what a location names is not
    /// called as archives are, or holds a single file, which is read as it is.
    mutating func paths(in location: String) throws(Failure) -> [String]? {
        guard FeedPath.isArchive(FetchedArchives.name(of: location)) else { return nil }
        let copy = try copy(of: location)
        guard let paths = try archiveMembers(of: copy, named: location) else { return nil }
        for path in paths {
            members[ExactText("\(location)/\(path)")] = Member(archive: location, path: path, copy: copy)
        }
        return paths
    }

    /// The bytes of a file that is in one of them, uncompressed; nil: it is in none.
    func open(_ location: String) throws(Failure) -> (any ByteSource)? {
        guard let member = self[location] else { return nil }
        return try openMember(member.path, of: member.copy, named: member.archive)
    }

    /// What a feed of this location is called, without what is behind the path of an address.
    private static func name(of location: String) -> String {
        guard FeedLocations.isWeb(location) else { return location }
        return String(location.prefix { $0 != "?" && $0 != "#" })
    }

    private func copy(of location: String) throws(Failure) -> TemporaryFile {
        if RemotePattern.names(location) {
            let place = try RemotePattern(named: location)
            return try RemoteFiles(place, session).archive(place.path)
        }
        var request = WebRequest(ofAuthor: location)
        request.headers = headers.parameters
        if ObjectFolder.names(location) { request = try ObjectBucket.request(named: location) }
        request.isArchive = true
        let feed = WebFeed(request, session)
        defer { feed.end() }
        return try WebArchive(feed).file()
    }
}
