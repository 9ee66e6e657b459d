/// What the command line says about a run, beyond the definition.
public struct RunOptions: Sendable {
    /// Feeds to read instead of those of the definition: the name of the source (nil: the only one) and the file.
    public var feeds: [FeedOverride] = []
    /// The store to load into instead of the definition's.
    public var store: String?
    public var batchSize: Int?
    public var commit: PipelineDefinition.Commit?
    /// The file for the findings, instead of the definition's; `-`: standard output.
    public var findings: String?
    /// Whether rejects in the report are to carry their records even where a feed cannot be read twice: then it is
    /// copied. Where findings are written to a file, it is in any case.
    public var copiesPipes = false
    /// Whether web services are asked only for what has changed since the last run.
    public var isConditional = true

    public init() {}

    /// `--feed [SOURCE=]FILE`
    public struct FeedOverride: Sendable, Hashable {
        public var source: String?
        public var file: String

        public init(source: String?, file: String) {
            self.source = source
            self.file = file
        }
    }
}
