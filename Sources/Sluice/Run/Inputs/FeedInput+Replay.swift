import SluiceDefinition
import SluiceExtract
import SluiceRecords

extension FeedInput {
    /// The sources of a definition as a saved feed has them.
    static func all(
        of definition: PipelineDefinition, _ replay: RunOptions.Replay, _ control: RunControl
    ) throws(Failure) -> [FeedInput] {
        let names = definition.sources.map(\.name)
        for name in replay.sources.keys.sorted() where !names.containsExactly(name.string) {
            throw Failure(.usage, "there is no source \(name); there is \(names.joined(separator: ", "))")
        }
        var inputs: [FeedInput] = []
        for source in definition.sources {
            guard let files = replay.sources[ExactText(source.name)], !files.isEmpty || replay.run != nil else {
                throw Failure(.usage, "the saved feed of the source \(source.name) is missing: \(source.name)=FEED")
            }
            if files.contains(where: { $0.parent == nil }) {
                try definition.requireNoParents(of: source, files[0].path)
            }
            var input = try saved(source, files, DistantListing(control))
            input.isSaved = replay.run != nil
            try definition.requireParentValues(input)
            inputs.append(input)
        }
        let standardInputs = inputs.reduce(0) { $0 + $1.paths.count { $0 == "-" } }
        if standardInputs > 1 { throw Failure(.usage, "only one feed can be standard input") }
        return inputs
    }

    /// A source as a saved feed has it.
    private static func saved(
        _ source: Source, _ files: [RunOptions.SavedFile], _ listing: DistantListing
    ) throws(Failure) -> FeedInput {
        var input = FeedInput(
            source: source, location: files.first?.path ?? source.location.name, files: files.map(\.name),
            origin: .files(copies: files.map(\.path)), parents: files.map { $0.parent.map(FeedInput.values) ?? [:] })
        input.arePages = files.contains { $0.isPage }
        try input.useSaved(objects: files, listing)
        try input.useSaved(remote: files, listing)
        return input
    }

    /// The values of a record for which a service was asked, as the archive has them.
    private static func values(_ json: String) -> [ExactText: Literal] {
        guard let tree = try? JSONTree.read(Array(json.utf8), file: "the ledger"),
            case .object(let members) = tree.root.kind
        else { return [:] }
        var values: [ExactText: Literal] = [:]
        for member in members {
            switch member.value.kind {
            case .number(let text): values[ExactText(member.key)] = .number(text)
            case .string(let text): values[ExactText(member.key)] = .text(text)
            case .null, .boolean, .array, .object: values[ExactText(member.key)] = .null
            }
        }
        return values
    }
}

extension PipelineDefinition {
    /// Throws `usage` where records of a saved feed take a value of the record for which a service was asked that the
    /// run which saved the feed did not keep: the definition took less then.
    fileprivate func requireParentValues(_ input: FeedInput) throws(Failure) {
        for name in parentNames(of: input.source) where input.parents.contains(where: { $0[ExactText(name)] == nil }) {
            throw Failure(
                .usage,
                "records of the source \(input.source.name) take $for.\(name), which the definition did not take when the"
                    + " feed was saved: run the pipeline, which asks the service")
        }
    }
}
