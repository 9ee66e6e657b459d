import SluiceDefinition
import SluiceRecords

extension PipelineDefinition {
    /// The definition as a run with some options uses it.
    func forRun(_ options: RunOptions) -> PipelineDefinition {
        var definition = self
        for allowance in options.allowances { definition.limits = allowance.applied(to: definition.limits) }
        if options.isFull {
            for index in definition.sources.indices {
                definition.sources[index].readsAll = true
                guard case .web(var service) = definition.sources[index].location else { continue }
                (service.passedOver, service.since) = (service.since, nil)
                definition.sources[index].location = .web(service)
            }
        }
        // Objects that such sources do not give are not absent.
        let saved = options.replay?.partial ?? []
        let partial = definition.partialSources.union(
            definition.sources.indices.filter { saved.containsExactly(definition.sources[$0].name) })
        for index in definition.model.entities.indices where definition.isPartial(entity: index, partial) {
            definition.model.entities[index].isWhole = false
        }
        return definition
    }

    /// The sources that do not give all that there is: they ask for what is new, or for what belongs to records of such
    /// sources.
    var partialSources: Set<Int> {
        var partial: Set<Int> = []
        // Sources of parents stand before.
        for (index, source) in sources.enumerated() {
            if source.isNew, !source.readsAll { partial.insert(index) }
            guard case .web(let service) = source.location else { continue }
            let parents = service.parents.map { model.entities[$0.entity].sources } ?? []
            if service.since != nil || !partial.isDisjoint(with: parents) { partial.insert(index) }
        }
        return partial
    }

    /// Whether the feeds may lack objects of an entity that are not gone.
    ///
    /// - Parameter partial: the sources that do not give all that there is.
    private func isPartial(entity index: Int, _ partial: Set<Int>) -> Bool {
        let entity = model.entities[index]
        return !partial.intersection(entity.sources).allSatisfy { source in
            comesWholeByRecord(source, entity) || model.comesWithOwner(entity, from: source)
        }
    }

    /// Whether a source gives all that belongs to each record for which it is asked, and `within` looks at no others.
    private func comesWholeByRecord(_ source: Int, _ entity: Entity) -> Bool {
        guard case .web(let service) = sources[source].location, service.since == nil, let parents = service.parents,
            let within = entity.within
        else { return false }
        return entity.relationships[within].targets.map(\.entity) == [parents.entity]
    }
}
