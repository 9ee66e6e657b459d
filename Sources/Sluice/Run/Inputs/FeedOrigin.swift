import SluiceDefinition
import SluiceFetch

/// Where the bytes of an input come from.
enum FeedOrigin: Sendable {
    /// Files of this machine, which can be opened again: those of these paths, where files of their names are not there
    /// any more.
    case files(copies: [String]?)
    /// The service to ask; and what the pages are called that it gives for each record of an entity, where it does.
    case service(WebSource, pages: PageNames?)
    /// The command to start.
    case command(CommandSource)
    /// What the program gives.
    case program(ProgramFeed)
    /// As many objects as there are files.
    case objects([ListedObject], DistantPlace)
    /// As many files of another machine as there are files.
    case remote(RemoteInput, DistantPlace)
}

/// What objects and files of other machines have in common.
struct DistantPlace: Sendable {
    /// The feed is a file of this path in each; nil: it is the object, or the file.
    var member: String?
    /// Counts what has happened on the wire already, where they were listed.
    var meter: WireMeter

    /// What the feed is called of an object, or a file, of a name.
    func name(_ name: String) -> String { member.map { "\(name)/\($0)" } ?? name }
}

extension FeedOrigin {
    /// What the feeds are called of objects, or of files of another machine; of all else, none.
    fileprivate var distantNames: [String] {
        switch self {
        case .objects(let objects, let place): objects.map { place.name($0.name) }
        case .remote(let files, let place): files.paths.map { place.name(files.place.name(of: $0)) }
        case .files, .service, .command, .program: []
        }
    }
}

/// The files of another machine that an input is.
struct RemoteInput: Sendable {
    var place: RemotePattern
    /// By file.
    var paths: [String]
    /// By file, where it matters which are new: what tells one from another of its name.
    var states: [String]?
}

extension FeedInput {
    /// Objects, or files of another machine, which a source or an option names so.
    init(_ source: Source, _ location: String, elsewhere origin: FeedOrigin) {
        self.init(source: source, location: location, files: origin.distantNames, origin: origin)
    }

    /// Whether it is read from files, which can be opened again.
    var isFromFiles: Bool {
        if case .files = origin { true } else { false }
    }

    /// Whether it is read from files that are in a bucket, or on another machine.
    var isDistant: Bool { distant != nil }

    /// What is opened.
    var paths: [String] {
        if case .files(let copies?) = origin { copies } else { files }
    }

    /// The service to ask; nil: the source is none, or a saved feed of it is read.
    var web: WebSource? {
        if case .service(let service, _) = origin { service } else { nil }
    }

    /// What the pages are called that a service gives for each record of an entity.
    var pages: PageNames? {
        if case .service(_, let pages) = origin { pages } else { nil }
    }

    /// The objects to get, where the input is some.
    var objects: [ListedObject]? {
        if case .objects(let objects, _) = origin { objects } else { nil }
    }

    /// The files of another machine to get, where the input is some.
    var remote: RemoteInput? {
        if case .remote(let remote, _) = origin { remote } else { nil }
    }

    /// Where those are.
    var distant: DistantPlace? {
        switch origin {
        case .objects(_, let place), .remote(_, let place): place
        case .files, .service, .command, .program: nil
        }
    }

    /// The path of the feed in each object, or file of another machine, where those are archives.
    var member: String? { distant?.member }
}
