import SluiceExtract
import SluiceFetch
import SluiceRecords

/// The files of another machine, one after the other.
final class RemoteReading {
    private let source: FeedInput
    private let input: RemoteInput
    private let files: RemoteFiles
    private let archives: DistantArchives

    /// - Parameter source: the input whose files they are.
    init(_ source: FeedInput, _ input: RemoteInput, _ files: RemoteFiles, _ archives: DistantArchives) {
        self.source = source
        self.input = input
        self.files = files
        self.archives = archives
    }

    /// Those of an input; nil: it has none.
    convenience init?(_ input: FeedInput, _ control: RunControl = RunControl()) throws(Failure) {
        guard let remote = input.remote else { return nil }
        let files = try RemoteFiles(remote.place, FetchSession(control))
        self.init(input, remote, files, DistantArchives([input]))
    }

    /// The bytes of a file, or of a file in it, uncompressed; nil: there is none in the archive that it is.
    func bytes(_ index: Int, named name: String, member: String?) throws(Failure) -> (any ByteSource)? {
        guard let member else { return try openFeed(files.bytes(of: input.paths[index]), named: name) }
        return try archives.feed(member, of: source, index) { () throws(Failure) in
            try files.archive(input.paths[index])
        }
    }
}
