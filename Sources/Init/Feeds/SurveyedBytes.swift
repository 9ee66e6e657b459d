import Glibc
import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluicePosix
import SluiceRecords

/// The bytes of a feed, which are read several times: of a file as it is, of anything else from a copy without a name.
final class SurveyedBytes {
    /// As the user named it: a file, a pattern of files, or an address.
    let location: String
    /// The files that it has.
    let files: [String]
    /// Which of the feeds.
    let index: Int
    let archives: FetchedArchives
    let copies: FeedCopies
    /// Where the answer of a web service comes from.
    private(set) var web: WebFeed?
    /// Those of the files that were opened.
    private var opened: Set<Int> = []

    init(_ location: String, files: [String], index: Int, in archives: FetchedArchives, copies: FeedCopies) {
        (self.location, self.files, self.index) = (location, files, index)
        (self.archives, self.copies) = (archives, copies)
    }

    var isWeb: Bool { FeedLocations.isWeb(location) }

    /// - Parameters:
    ///   - file: the index of one of them.
    ///   - isTable: whether it is one, as far as is known.
    func open(_ file: Int, isTable: Bool) throws(Failure) -> any ByteSource {
        if opened.insert(file).inserted { return try first(file, isTable: isTable) }
        guard let bytes = try copies.reopen(source: index, file: file) else {
            throw Failure(.data, "\(files[file]) changed while it was read")
        }
        return bytes
    }

    private func first(_ file: Int, isTable: Bool) throws(Failure) -> any ByteSource {
        let isElsewhere = FeedLocations.isElsewhere(files[file])
        let bytes =
            isElsewhere ? try elsewhere(files[file], isTable) : try copies.open(files[file], source: index, file: file)
        // What is copied while it is read must be read to its end, whatever is found in it.
        guard isElsewhere || !SurveyedBytes.isRegular(files[file]) else { return bytes }
        while try !bytes.bytes(most: 1 << 18).isEmpty {}
        return try copies.reopen(source: index, file: file) ?? bytes
    }

    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// What is no file of this machine.
    ///
    /// - Parameter location: that of the feed, or of the file that its pattern names.
    private func elsewhere(_ location: String, _ isTable: Bool) throws(Failure) -> any ByteSource {
        if let bytes = try archives.open(location) { return try copies.keep(bytes, source: index, file: 0) }
        guard RemotePattern.names(location) else { return try download(location, isTable) }
        let place = try RemotePattern(named: location)
        let bytes = try RemoteFiles(place, archives.session).bytes(of: place.path)
        return try copies.keep(openFeed(bytes, named: location), source: index, file: 0)
    }

    private func download(_ location: String, _ isTable: Bool) throws(Failure) -> any ByteSource {
        let isObject = ObjectFolder.names(location)
        var request = isObject ? try ObjectBucket.request(named: location) : WebRequest(ofAuthor: location)
        request.isTable = isTable
        if !isObject { request.headers = archives.headers.parameters }
        let feed = WebFeed(request, archives.session)
        guard let page = try feed.nextPage() else {
            throw Failure(.data, "\(location) has nothing")
        }
        if !isObject { web = feed }
        return try copies.keep(DownloadBytes(page, feed), source: index, file: 0)
    }
}

/// The bytes of a download, which ends with them.
private final class DownloadBytes: ByteSource {
    private let source: any ByteSource
    private let feed: WebFeed

    init(_ source: any ByteSource, _ feed: WebFeed) {
        self.source = source
        self.feed = feed
    }

    deinit { feed.end() }

    var consumed: Int { source.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        try unsafe source.read(into: buffer)
    }
}
