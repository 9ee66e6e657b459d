import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords

/// Drafts a definition from feeds: what they hold, what identifies it, of which types it is, and what refers to what.
///
///     let draft = try InitRun(["airports.json", "routes.json"], output: "flights.jsonc").perform()
///     print(draft.text)
package struct InitRun {
    private let given: [String]
    private let output: String?
    private let format: Source.Format?
    private let headers: RequestHeaders
    private let session: FetchSession

    /// - Parameters:
    ///   - feeds: files, archives with several of them, addresses of web services, or `-`.
    ///   - output: where the definition will be: paths in it are relative to its folder.
    ///   - format: that of all feeds; nil: as their names say.
    ///   - headers: what web services are asked with.
    ///   - onRetry: is told of each request that is made again, on the thread that downloads.
    package init(
        _ feeds: [String], output: String?, format: Source.Format? = nil, headers: RequestHeaders = RequestHeaders(),
        onRetry: @escaping @Sendable (Retry) -> Void = { _ in }
    ) {
        session = FetchSession(.sluice, onRetry: onRetry)
        given = feeds
        self.output = output
        self.format = format
        self.headers = headers
    }

    /// A definition, as a text.
    package struct Draft: Sendable {
        /// The draft: a definition with comments.
        package let text: String
        /// What it is called.
        package let file: String
        /// The variables of the environment that it needs, with what they are to hold.
        package let variables: [(name: String, value: String)]
    }

    /// Reads the feeds, and drafts.
    ///
    /// - Throws: what is wrong with a feed, as a run has it.
    package func perform() throws(Failure) -> Draft {
        let locations = try FeedLocations(given, format, headers, session)
        let survey = try FeedSurvey(locations, format)
        let name = PipelineName.of(given, locations.all, output: output)
        var writer = DraftWriter(
            feeds: survey.feeds, entities: survey.entities, sources: SourcePlace.all(of: locations, from: output),
            store: name + ".sqlite",
            remarks: locations.remarks, schema: output == nil ? nil : InstalledSchema.address)
        writer.rejects = try AllowedRejects(survey.feeds, survey.entities)
        let isWeb = survey.feeds.contains { $0.isWeb }
        return Draft(
            text: writer.text, file: output ?? name + ".jsonc", variables: isWeb ? headers.variables : [])
    }

    /// A definition beside feeds.
    package struct Comparison: Sendable {
        /// What it lacks of what the feeds hold, as a part of a definition; nil: nothing.
        package let text: String?
        /// What is told of feeds that it reads already.
        package let known: [String]
        /// What else a draft of the feeds would have, or say otherwise.
        package let differences: [String]
    }

    /// Reads the feeds, and looks for what a definition lacks of what they hold.
    package func compare(with definition: PipelineDefinition) throws(Failure) -> Comparison {
        let locations = try FeedLocations(given, format, headers, session)
        let survey = try FeedSurvey(locations, format)
        let sources = SourcePlace.all(of: locations, from: definition.file)
        let writer = DraftWriter(feeds: survey.feeds, entities: survey.entities, sources: sources, store: "")
        let gaps = DefinitionGaps(definition: definition, survey: survey, locations: locations.all, writer: writer)
        let differences = gaps.differences
        return Comparison(text: gaps.text, known: gaps.known, differences: differences)
    }
}
