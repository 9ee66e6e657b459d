import SluiceDefinition
import SluiceLoad
import SluiceRecords
import SluiceTransform

extension DefinitionChecks {
    /// All checks, by those who convert values and read feeds.
    package static var all: DefinitionChecks { all(feeds: []) }

    /// All checks.
    ///
    /// - Parameter feeds: what is looked at for the members of records, instead of the definition's own feeds.
    package static func all(feeds: [RunOptions.FeedOverride]) -> DefinitionChecks {
        DefinitionChecks(
            pattern: { Transformer.check(pattern: $0) }, timeZone: { Transformer.check(timeZone: $0) },
            format: { Transformer.check(conversion: $0) }, literal: { Transformer.check(literal: $0, as: $1) },
            bounds: { Transformer.check(bounds: $0, as: $1) },
            members: { definition throws(Failure) in try MemberSurvey(definition, feeds).members() })
    }
}

extension PipelineDefinition {
    /// Checks that the environment sets all that a run with these options uses.
    package func requireForRun(_ options: RunOptions) throws(DefinitionProblems) {
        let given = Set(options.feeds.map { $0.named(among: sources).source ?? sources.first?.name ?? "" })
        let isRead = { (index: Int) in options.replay == nil && !given.contains(sources[index].name) }
        let read = sources.indices.filter(isRead).map(Part.source)
        let files: [Part] = (options.store == nil ? [.store] : []) + (options.findings == nil ? [.findings] : [])
        let saved: [Part] = options.replay == nil ? [.archive] : []
        try require([.settings, .entities, .after] + read + files + saved)
    }

    /// Checks that the environment sets all that reading other feeds than the definition's uses.
    package func requireForFeeds() throws(DefinitionProblems) { try require([.settings, .entities]) }

    /// Compares the definition with its store, or another: what the next run does to it first, and what keeps it from
    /// that.
    package func storePlan(store: String?) throws -> StorePreparation {
        try require([.settings, .entities] + (store == nil ? [.store] : []))
        let plan = try location(instead: store).plan(model, pipeline: name)
        return StorePreparation(
            steps: plan.steps.map { step in
                StorePreparation.Step(
                    kind: step.kind, message: step.message, place: step.keys.isEmpty ? nil : tree.place(step.keys))
            }, isNew: plan.isNew)
    }

    /// Throws why the next run cannot ask a check of the definition.
    package func rehearseQuestions(store: String?) throws {
        var use = StoreUse(model: model, pipeline: name, savesAtEnd: commit == .run)
        use.place = { [tree] in tree.place($0) }
        use.history = keeping.history
        use.questions = questions
        try location(instead: store).rehearse(use)
    }

    /// What the definition holds, in a line, once it has been compared with its store.
    package func summary(store: String?, _ plan: StorePreparation) -> String {
        let attributes = model.entities.reduce(0) { $0 + $1.attributes.count }
        let relationships = model.entities.reduce(0) { $0 + $1.relationships.count }
        return "\(file): \(counted(model.entities.count, "entity", "entities")), "
            + "\(counted(attributes, "attribute", "attributes")), "
            + "\(counted(relationships, "relationship", "relationships")); "
            + "the definition is sound"
            + (plan.isNew ? ", and the first run makes the store" : isThere(store) ? ", and fits the store" : "")
            + weakness(store)
    }

    private func isThere(_ store: String?) -> Bool { (try? location(instead: store))?.isThere == true }

    /// What a way to the store gives up that is weaker than the usual one.
    private func weakness(_ store: String?) -> String {
        guard case .server(let server)? = try? location(instead: store), let weakness = server.address.weakness else {
            return ""
        }
        return "; \"tls\": \"\(server.address.effectiveTLS.rawValue)\": \(weakness)"
    }

    private func counted(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}

/// The known word that is nearest to an unknown one, if any is near enough to be meant.
package func nearestWord(to word: String, among known: [String]) -> String? { nearest(to: word, among: known) }
