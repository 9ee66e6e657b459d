import Glibc
import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluicePosix
import SluiceRecords

// The bytes of a feed, which are read several times.
extension SurveyedFeed {
    func read(
        _ events: FeedEvents, _ context: UnsafeMutableRawPointer, tokens: () -> UInt64
    ) throws(Failure) {
        let reader = unsafe EventReader(options, events, context: context)
        // Files are told as the members of an object, by their names.
        if isOfFiles { _ = unsafe events.beginObject(context) }
        var rejected = RejectedRows()
        for file in files.indices {
            if isOfFiles { unsafe tell(nameOf: file, events, context) }
            guard case .whole(let isBroken, let rows) = try reader.read(open(file), tokens: tokens) else {
                // The reader of runs knows what is wrong, and where.
                throw copies.explain(try reason(file), source: index, file: file)
            }
            self.isBroken = self.isBroken || isBroken
            rejected.add(rows, of: file)
        }
        self.rejected = rejected
        if isOfFiles { _ = unsafe events.endObject(context) }
    }

    private func tell(nameOf file: Int, _ events: FeedEvents, _ context: UnsafeMutableRawPointer) {
        // What tells a file apart is its path, where its name does not.
        var name = fileNames == .differ ? FilePath.name(files[file]) : files[file]
        name.withUTF8 { bytes in _ = unsafe events.key(context, bytes.baseAddress, bytes.count) }
    }

    private func reason(_ file: Int) throws(Failure) -> Failure {
        let model = Model(entities: [])
        var batch = RecordBatch(model: model)
        do throws(Failure) {
            let reader = FeedReader(model: model, source: 0, options: options)
            _ = try reader.read(open(file), named: files[file], into: &batch) { $0 }
            return Failure(.data, "\(files[file]) holds something that cannot be looked at")
        } catch {
            return error
        }
    }

    var options: FeedOptions {
        var options = FeedOptions()
        options.format = format.reading
        options.encoding = encoding
        options.table.delimiter = table.delimiter ?? UInt8(ascii: format == .tsv ? "\t" : ",")
        options.table.names = table.names
        options.table.hasHeader = table.hasHeader
        options.table.skip = table.hasUnits ? 1 : 0
        return options
    }

    /// - Parameter file: the index of one of its files.
    func open(_ file: Int = 0) throws(Failure) -> any ByteSource {
        if opened.insert(file).inserted { return try first(file) }
        guard let bytes = try copies.reopen(source: index, file: file) else {
            throw Failure(.data, "\(files[file]) changed while it was read")
        }
        return bytes
    }

    private func first(_ file: Int) throws(Failure) -> any ByteSource {
        let isElsewhere = FeedLocations.isElsewhere(files[file])
        let bytes = isElsewhere ? try elsewhere(files[file]) : try copies.open(files[file], source: index, file: file)
        // What is copied while it is read must be read to its end, whatever is found in it.
        guard isElsewhere || !SurveyedFeed.isRegular(files[file]) else { return bytes }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let outcome = unsafe buffer.withUnsafeMutableBytes { memory in
                Result { () throws(Failure) in try unsafe bytes.read(into: memory) }
            }
            if try outcome.get() == 0 { break }
        }
        return try copies.reopen(source: index, file: file) ?? bytes
    }

    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// What is no file of this machine.
    ///
    /// - Parameter location: that of the feed, or of the file that its pattern names.
    private func elsewhere(_ location: String) throws(Failure) -> any ByteSource {
        if let bytes = try archives.open(location) { return try copies.keep(bytes, source: index, file: 0) }
        guard RemotePattern.names(location) else { return try download(location) }
        let place = try FeedLocations.remote(location)
        let bytes = try RemoteFiles(place, settings: .sluice).bytes(of: place.path)
        return try copies.keep(openFeed(bytes, named: location), source: index, file: 0)
    }

    private func download(_ location: String) throws(Failure) -> any ByteSource {
        let isObject = ObjectFolder.names(location)
        var request = isObject ? try ObjectBucket.request(named: location) : WebRequest(url: location)
        request.isTable = format.isTable
        if !isObject { request.headers = archives.headers.parameters }
        let feed = WebFeed(request, settings: .sluice)
        guard let page = try feed.nextPage() else {
            throw Failure(.data, "\(location) has nothing")
        }
        if !isObject { web = feed }
        return try copies.keep(HeldBytes(page, feed), source: index, file: 0)
    }

    /// What a web service has answered, as a tree; nil: it is long, or no document of JSON.
    func answer() throws(Failure) -> JSONNode? {
        guard format == .json else { return nil }
        let bytes = try open().bytes(most: PageGuess.mostBytes + 1)
        return bytes.count > PageGuess.mostBytes ? nil : try? JSONTree.read(bytes, file: location).root
    }
}

/// The bytes of a download, which ends with them.
private final class HeldBytes: ByteSource {
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
