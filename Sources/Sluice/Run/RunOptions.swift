import SluiceDefinition
import SluiceRecords

/// What the caller that starts a run says about it, beyond the definition.
public struct RunOptions: Sendable {
    /// Feeds to read instead of those of the definition: the name of the source (nil: the only one) and the file.
    public var feeds: [FeedOverride] = []
    /// The store to load into instead of the definition's.
    public var store: String?
    /// Whether the store is only read: everything is done on a private copy of it, and then forgotten.
    public var isDry = false
    /// Instead of the definition's.
    ///
    /// Records, from 1.
    public var batchSize: Int?
    /// Bytes that the objectID cache may take, which one batch may exceed; nil: 1 GiB. From 1.
    public var cacheLimit: Int?
    /// Instead of the definition's.
    public var commit: PipelineDefinition.Commit?
    /// The file for the findings, instead of the definition's; `-`: standard output.
    public var findings: String?
    /// Whether rejects in the report are to carry their records even where a feed cannot be read twice: then it is
    /// copied. Where findings are written to a file, it is in any case.
    public var copiesPipes = false

    /// A saved feed to read instead of the sources' own.
    package var replay: Replay?
    /// Whether to run even where the feed is the one that the store holds.
    public var force = false
    /// Whether services are asked for everything, also where `since` would ask for what is new: then `absent` is looked
    /// at.
    public var isFull = false
    /// Limits for this run, instead of those of the definition.
    package var allowances: [Allowance] = []
    /// How long to wait for a store that another run holds.
    public var wait: Duration {
        get { .seconds(control.patience) }
        set { control.patience = newValue.inSeconds }
    }
    /// The bytes of the filter by which new identifiers are recognised, see `LateIndexing`: identifiers are then taken
    /// to come at random. nil: their order in the feed decides.
    package var filterBytes: Int?
    /// How the run is watched, and ended early.
    package var control = RunControl()

    /// Of a run as the definition has it.
    public init() {}

    /// A saved file of a feed.
    package struct SavedFile: Sendable, Hashable {
        /// Where it is.
        package var path: String
        /// What it was called when it was read first: findings name it so.
        package var name: String
        /// The values that its records take of the record for which a service was asked, as JSON.
        package var parent: String?
        /// Whether a service gave it as a page: then places name it, although it may be the only one.
        package var isPage: Bool

        /// A file, under another name in findings if there is one.
        package init(path: String, name: String? = nil, parent: String? = nil, isPage: Bool = false) {
            self.path = path
            self.parent = parent
            self.isPage = isPage
            self.name = name ?? path
        }
    }

    /// What a source reads instead of its own feed: `--feed [SOURCE=]FILE`, or what a program gives.
    public struct FeedOverride: Sendable {
        /// Where it comes from.
        enum Origin: Sendable {
            /// A file, or a pattern; `-` for standard input.
            case file(String)
            case program(ProgramFeed)
        }

        /// The name of the source; nil: the only one.
        public var source: String?
        var origin: Origin

        /// A file, or a pattern of several; `-` for standard input.
        ///
        /// - Parameter source: the name of the source; nil: the only one.
        public init(source: String? = nil, file: String) {
            self.source = source
            origin = .file(file)
        }

        /// Bytes that the program gives, one by one: JSON as the source's `format` says, compressed or not.
        ///
        /// The sequence is iterated while the run goes on, and suspended where the run is behind. What it throws ends
        /// the run as a broken pipe does: nothing of it is stored.
        ///
        /// - Parameter source: the name of the source; nil: the only one.
        public init<Bytes: AsyncSequence & Sendable>(source: String? = nil, bytes: Bytes)
        where Bytes.Element == UInt8 {
            self.source = source
            origin = .program(.bytes(bytes))
        }

        /// Bytes that the program gives in pieces of any size, as the body of an answer comes; otherwise as
        /// ``init(source:bytes:)``.
        public init<Chunks: AsyncSequence & Sendable>(source: String? = nil, chunks: Chunks)
        where Chunks.Element: Sequence<UInt8> {
            self.source = source
            origin = .program(.chunks(chunks))
        }

        /// Records that the program makes: no JSON is written or read for them. They cannot be archived.
        ///
        /// The sequence is iterated as that of ``init(source:bytes:)`` is.
        public init<Records: AsyncSequence & Sendable>(source: String? = nil, records: Records)
        where Records.Element == FeedRecord {
            self.source = source
            origin = .program(.records(records))
        }

        /// The file, if it is one; else what stands for it.
        var location: String {
            if case .file(let file) = origin { return file }
            return ProgramFeed.name
        }
    }
}

extension RunOptions.FeedOverride {
    /// Likewise, with the source that its text begins with: what stands before the sign may be a path, unless a source
    /// has such a name.
    func named(among sources: [Source]) -> RunOptions.FeedOverride {
        guard source == nil, case .file(let text) = origin else { return self }
        for name in sources.map(\.name) where text.utf8.starts(with: "\(name)=".utf8) {
            return .init(source: name, file: String(decoding: text.utf8.dropFirst(name.utf8.count + 1), as: UTF8.self))
        }
        return self
    }
}

extension RunOptions {
    /// Throws `usage` where a number is out of its range.
    func check() throws(Failure) {
        try RunOptions.check("batchSize", batchSize)
        try RunOptions.check("cacheLimit", cacheLimit)
    }

    private static func check(_ name: String, _ number: Int?) throws(Failure) {
        guard let number, number < 1 else { return }
        throw Failure(.usage, "the option \(name) must be at least 1, not \(number)")
    }
}
