import SluiceExtract
import SluiceRecords

extension PipelineDefinition {
    /// Reads a definition.
    ///
    /// Variables that are not set are no mistake yet, see ``require(_:)``.
    ///
    /// - Parameters:
    ///   - file: its path; relative paths in it are relative to its folder.
    ///   - environment: what its variables stand for.
    ///   - checks: what only others can tell.
    ///   - store: where attributes that are not named are looked for, instead of the definition's own store.
    /// - Throws: all mistakes of the definition.
    package static func read(
        file: String, environment: [String: String], checks: DefinitionChecks = DefinitionChecks(),
        store: String? = nil
    ) throws(DefinitionProblems) -> PipelineDefinition {
        let text: [UInt8]
        do throws(Failure) {
            text = try DefinitionFile.read(file)
        } catch {
            throw DefinitionProblems([error])
        }
        return try read(text, file: file, environment: environment, checks: checks, store: store)
    }

    /// Reads the text of a definition.
    package static func read(
        _ text: [UInt8], file: String, environment: [String: String], checks: DefinitionChecks = DefinitionChecks(),
        store: String? = nil
    ) throws(DefinitionProblems) -> PipelineDefinition {
        let tree: JSONTree
        do throws(Failure) {
            tree = try JSONTree.read(text, file: file)
        } catch {
            throw DefinitionProblems([FeedGuess.failure(lines: text, file: file) ?? error])
        }
        if let failure = FeedGuess.failure(tree) { throw DefinitionProblems([failure]) }
        return try read(tree, environment: environment, checks: checks, store: store)
    }

    /// Reads what a tree says.
    package static func read(
        _ written: JSONTree, environment: [String: String], checks: DefinitionChecks,
        store: String? = nil
    ) throws(DefinitionProblems) -> PipelineDefinition {
        var tree = written
        let context = DefinitionContext(tree, checks: checks)
        tree.root = Variables(environment: environment, context: context).expand(tree.root)
        tree.root = LikeReader(context: context).expanded(tree.root)
        tree.root = OpenAttributes(context: context, store: store).namingAll(tree.root)
        let definition = definition(tree, context)
        if let definition, context.mistakes.isEmpty { return definition }
        throw DefinitionProblems(context.mistakes)
    }

    /// Reads what a tree says in which variables are replaced, and all attributes named.
    static func expanded(
        _ tree: JSONTree, checks: DefinitionChecks
    ) throws(DefinitionProblems) -> PipelineDefinition {
        let context = DefinitionContext(tree, checks: checks)
        let definition = definition(tree, context)
        if let definition, context.mistakes.isEmpty { return definition }
        throw DefinitionProblems(context.mistakes)
    }

    /// What a tree says; nil, or something incomplete, where there are mistakes.
    private static func definition(_ tree: JSONTree, _ context: DefinitionContext) -> PipelineDefinition? {
        guard let root = DefinitionObject(tree.root, "the pipeline", keys: DefinitionKeys.pipeline, in: context) else {
            return nil
        }
        _ = root.text("$schema")
        let settings = SettingsReader(context: context, pipeline: root)
        let sources = SourceReader(context: context).sources(of: root)
        let name = root.text("name") ?? context.fileName
        let server = ServerReader(context: context, pipeline: name).server(of: root)
        let store = server?.description ?? settings.store()
        let model = ModelReader(context: context, sources: sources).model(of: root)
        let each = ForReader(context: context, model: model)
        let asked = each.completed(sources, of: root)
        let completed = SinceReader(context: context, model: model).completed(asked, of: root)
        if !context.isPending([.entities]) { each.check(completed) }
        let commit: Commit? = root.choice("commit")
        var definition = PipelineDefinition(
            file: context.file, name: name, sources: completed,
            store: store, batchSize: root.integer("batchSize", atLeast: 1) ?? defaultBatchSize,
            commit: commit ?? .run, limits: LimitsReader(context: context).limits(of: root),
            archive: settings.archive(), keeping: settings.keeping(),
            findings: root.outputPath("findings", for: .findings), after: HookReader(context: context).hooks(of: root),
            seed: settings.seed(), model: model, tree: tree,
            pending: [])
        definition.tree.storeName = StoreNames(naming: root.choice("names")).name
        definition.server = server
        if server != nil { ServerReader.refuse(root) }
        definition.questions = QuestionReader(context: context, model: model).questions(of: root)
        definition.pending = context.pending
        // What lacks a variable could not be read whole.
        let isIncomplete = context.pending.contains { $0.part == .entities }
        if isIncomplete { definition.model = Model(entities: []) }
        return definition
    }
}
