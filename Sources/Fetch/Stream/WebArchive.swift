import SluiceExtract
import SluicePosix
import SluiceRecords
import Synchronization

/// The archive that a web service has, for all that is read of it: downloaded once, to a temporary file.
///
///     let archive = WebArchive(WebFeed(WebRequest(url: "https://example.org/gtfs.zip")))
///     archive.expect(["stops.txt"])
///     if let stops = try archive.member("stops.txt") { try reader.read(stops, …) }
package final class WebArchive: Sendable {
    package let feed: WebFeed
    private let state: Mutex<State>

    private struct State {
        var expected: [String]
        /// What was downloaded.
        var file: TemporaryFile?
        /// The same, for what is read of it.
        var copy: ArchiveCopy?
    }

    /// - Parameter feed: what gives the bytes of the archive, and is read by nobody else.
    package init(_ feed: WebFeed, expected: [String] = []) {
        self.feed = feed
        state = Mutex(State(expected: expected))
    }

    /// Says which files will be read of the archive: it is gone through as seldom as can be.
    package func expect(_ members: [String]) { state.withLock { $0.expected += members } }

    /// The files that will be read of the archive.
    package var expected: [String] { state.withLock { $0.expected } }

    /// A file of the archive, uncompressed; nil: the archive does not hold it.
    package func member(_ path: String) throws(Failure) -> (any ByteSource)? {
        let file = try file()
        let copy = state.withLock { state in
            let copy = state.copy ?? ArchiveCopy(file, named: feed.name, wanted: state.expected)
            state.copy = copy
            return copy
        }
        guard let bytes = try copy.feed(path) else { return nil }
        return LimitedBytes(bytes, feed.request.maxBytes, "\(feed.name)/\(path)")
    }

    /// The archive itself.
    package func file() throws(Failure) -> TemporaryFile {
        if let known = state.withLock({ $0.file }) { return known }
        let file = try TemporaryFile("the archive's temporary copy")
        try feed.save(in: file)
        state.withLock { $0.file = file }
        return file
    }
}
