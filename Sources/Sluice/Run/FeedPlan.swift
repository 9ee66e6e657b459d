import Extract
import Fetch
import Records

/// A source with the files that a run reads of it.
struct FeedPlan: Sendable {
    var source: Source
    var location: String
    var files: [String]
    /// The service to ask, where the source is one.
    var web: WebSource?

    var feed: Feed {
        Feed(source: source.name, location: location, files: files, isPaged: web?.request.pages != nil)
    }

    /// How the values of the feed follow one another.
    var format: Source.Format { source.format ?? Source.Format(fileName: files.first ?? location) }

    /// How the source is read.
    func options(batchSize: Int) -> FeedOptions {
        var options = FeedOptions()
        options.format = format == .lines ? .lines : .json
        options.maxText = source.maxText
        options.maxDepth = source.maxDepth
        options.batchSize = batchSize
        return options
    }

    /// The sources of a definition, in their order, as the options change them. Throws `missing` where a file does not
    /// exist, `usage` where an option names no source.
    static func plan(_ definition: PipelineDefinition, _ options: RunOptions) throws(Failure) -> [FeedPlan] {
        let overrides = try overrides(definition, options)
        var plans: [FeedPlan] = []
        for source in definition.sources {
            if let file = overrides[source.name] {
                plans.append(FeedPlan(source: source, location: file, files: [file]))
                continue
            }
            switch source.location {
            case .file(let pattern):
                let files = pattern == "-" ? ["-"] : try expandGlob(pattern)
                plans.append(FeedPlan(source: source, location: pattern, files: files))
            case .web(let service):
                let name = WebFeed(service.request).name
                plans.append(FeedPlan(source: source, location: name, files: [name], web: service))
            }
        }
        let standardInputs = plans.count { $0.files.contains("-") }
        if standardInputs > 1 { throw Failure(.usage, "only one source can be standard input") }
        return plans
    }

    private static func overrides(
        _ definition: PipelineDefinition, _ options: RunOptions
    ) throws(Failure) -> [String: String] {
        var files: [String: String] = [:]
        let names = definition.sources.map(\.name)
        for feed in options.feeds {
            if feed.source == nil, names.count > 1 {
                throw Failure(
                    .usage,
                    "--feed \(feed.file): the pipeline has several sources, so say which: "
                        + names.map { "\($0)=\(feed.file)" }.joined(separator: " or "))
            }
            let name = feed.source ?? names[0]
            guard names.contains(name) else {
                throw Failure(.usage, "--feed: there is no source \(name); there is \(names.joined(separator: ", "))")
            }
            guard files.updateValue(feed.file, forKey: name) == nil else {
                throw Failure(.usage, "--feed: the source \(name) is given twice")
            }
        }
        return files
    }
}
