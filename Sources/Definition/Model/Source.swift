import SluiceExtract

/// A named feed of a pipeline.
package struct Source: Sendable, Hashable {
    /// Where a feed comes from.
    package enum Location: Sendable, Hashable {
        /// A path, or a pattern (`*`, `?`, `[…]`) that names several, relative to the working directory; `-`: standard
        /// input. It may go on behind the name of an archive: `gtfs.zip/stops.txt`.
        case file(String)
        case web(WebSource)
        case command(CommandSource)
        case objects(ObjectSource)
        case remote(RemoteSource)
    }

    /// The name of the source where there is only one.
    package static let defaultName = "main"

    /// As the definition calls it.
    package var name: String
    /// Where its feed is.
    package var location: Location
    /// What the definition says; nil: as the file's name says, see ``Format/init(fileName:)``.
    package var format: Format?
    /// Its encoding, as iconv calls it; nil: UTF-8.
    package var encoding: String?
    /// How it is written where it is a table, but for the delimiter.
    package var table = TableForm()
    /// What stands between two cells of a table; nil: as the format says.
    package var delimiter: UInt8?
    /// What lists of each document must say of the columns of its records.
    package var columns: [NamedColumns] = []
    /// The bytes that one value may have.
    package var maxText = 64 << 20
    /// The most bytes that an open record holds.
    package var maxRecord = 64 << 20
    /// How deep values may be nested.
    package var maxDepth = 1024
    /// Whether only files are read that no successful run has read.
    package var isNew = false
    /// Whether a run reads all of them nevertheless.
    package var readsAll = false

    /// A source with the limits that hold where nothing is said.
    package init(name: String, location: Location, format: Format? = nil) {
        self.name = name
        self.location = location
        self.format = format
    }
}

extension Source {
    /// How the values of a feed follow one another.
    package typealias Format = FeedOptions.Format
}

extension FeedOptions.Format {
    private static let compressions = [".gz", ".zst", ".xz", ".bz2", ".zip"]

    /// The format that the name of a file speaks of, below the ending of its compression.
    package init(fileName: String) {
        var name = fileName.lowercased()[...]
        for ending in Self.compressions where name.hasSuffix(ending) {
            name = name.dropLast(ending.count)
            break
        }
        switch name {
        case _ where name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl"): self = .lines
        case _ where name.hasSuffix(".csv"): self = .csv
        case _ where name.hasSuffix(".tsv") || name.hasSuffix(".tab"): self = .tsv
        default: self = .json
        }
    }
}

extension Source {
    /// The format that is known before there is a feed: what the definition says, or the name of the file.
    var expectedFormat: Format {
        if let format { return format }
        switch location {
        case .file(let path): return Format(fileName: path)
        case .web(let service): return Format(fileName: service.member ?? service.request.url)
        case .command: return .json
        case .objects(let objects): return Format(fileName: objects.name)
        case .remote(let files): return Format(fileName: files.name)
        }
    }
}
