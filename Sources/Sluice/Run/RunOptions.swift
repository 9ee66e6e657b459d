/// What the command line says about a run, beyond the definition.
package struct RunOptions: Sendable {
    /// Feeds to read instead of those of the definition: the name of the source (nil: the only one) and the file.
    package var feeds: [FeedOverride] = []
    /// The store to load into instead of the definition's.
    package var store: String?
    /// Whether the store is only read: everything is done on a private copy of it, and then forgotten.
    package var isDry = false
    /// Instead of the definition's.
    package var batchSize: Int?
    /// Bytes that the objectID cache may take, but for what one batch adds; nil: 1 GiB.
    package var cacheLimit: Int?
    /// Instead of the definition's.
    package var commit: PipelineDefinition.Commit?
    /// The file for the findings, instead of the definition's; `-`: standard output.
    package var findings: String?
    /// Whether rejects in the report are to carry their records even where a feed cannot be read twice: then it is
    /// copied. Where findings are written to a file, it is in any case.
    package var copiesPipes = false

    /// A saved feed to read instead of the sources' own.
    package var replay: Replay?
    /// Whether to run even where the feed is the one that the store holds.
    package var force = false
    /// How the run is watched, and ended early.
    package var control = RunControl()

    /// Of a run as the definition has it.
    package init() {}

    /// A feed that was saved.
    package struct Replay: Sendable, Hashable {
        /// The run that read it first, where it is known.
        package var run: Int?
        /// By the name of the source: its files, in their order.
        package var sources: [String: [SavedFile]]
        /// Whether it holds only some of a feed's records.
        package var isPartial = false

        /// Of the feed of a run, if its number is known.
        package init(run: Int? = nil, sources: [String: [SavedFile]]) {
            self.run = run
            self.sources = sources
        }
    }

    /// A saved file of a feed.
    package struct SavedFile: Sendable, Hashable {
        /// Where it is.
        package var path: String
        /// What it was called when it was read first: findings name it so.
        package var name: String

        /// A file, under another name in findings if there is one.
        package init(path: String, name: String? = nil) {
            self.path = path
            self.name = name ?? path
        }
    }

    /// `--feed [SOURCE=]FILE`
    package struct FeedOverride: Sendable, Hashable {
        /// The source; nil: the only one.
        package var source: String?
        /// A file, or a pattern; `-` for standard input.
        package var file: String

        /// A feed for a source, or for the only one.
        package init(source: String?, file: String) {
            self.source = source
            self.file = file
        }
    }
}
