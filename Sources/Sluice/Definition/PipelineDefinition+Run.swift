import SluiceDefinition
import SluiceRecords

extension PipelineDefinition {
    /// The definition as a run with some options uses it.
    func forRun(_ options: RunOptions) -> PipelineDefinition {
        var definition = self
        for allowance in options.allowances { definition.allow(allowance) }
        if options.isFull {
            for index in definition.sources.indices {
                definition.sources[index].readsAll = true
                guard case .web(var service) = definition.sources[index].location else { continue }
                (service.passedOver, service.since) = (service.since, nil)
                definition.sources[index].location = .web(service)
            }
        }
        // Objects that such sources do not give are not absent.
        let saved = options.replay?.run
        let partial = definition.withChildren(definition.newsSources.union(definition.named(saved?.partial)))
        let shifting = definition.named(saved?.shifting)
        for index in definition.model.entities.indices
        where definition.isPartial(entity: index, partial) || definition.mayShift(entity: index, shifting) {
            definition.model.entities[index].absence.unknown.insert(.partialFeeds)
        }
        return definition
    }

    /// The sources of some names.
    private func named(_ names: [String]?) -> Set<Int> {
        Set(sources.indices.filter { names?.containsExactly(sources[$0].name) == true })
    }

    /// The sources that do not give all that there is: they ask for what is new, or for what belongs to records of such
    /// sources.
    var partialSources: Set<Int> { withChildren(newsSources) }

    /// The sources that ask for what is new.
    var newsSources: Set<Int> {
        Set(
            sources.indices.filter { index in
                if sources[index].isNew, !sources[index].readsAll { return true }
                guard case .web(let service) = sources[index].location else { return false }
                return service.since != nil
            })
    }

    /// Some sources, and those that are asked for what belongs to records of theirs.
    private func withChildren(_ some: Set<Int>) -> Set<Int> {
        var all = some
        // Sources of parents stand before.
        for (index, source) in sources.enumerated() {
            guard case .web(let service) = source.location, let parents = service.parents else { continue }
            if !all.isDisjoint(with: model.entities[parents.entity].sources) { all.insert(index) }
        }
        return all
    }

    /// Whether records of an entity may be on none of the pages of some sources, which are of different times; and then
    /// nobody has asked for what belongs to them (`UnknownAbsence.shiftingPages`).
    func mayShift(entity index: Int, _ shifting: Set<Int>) -> Bool {
        !shifting.isDisjoint(with: model.entities[index].sources) || isPartial(entity: index, withChildren(shifting))
    }

    /// Whether the feeds may lack objects of an entity that are not gone (`UnknownAbsence.partialFeeds`).
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
            let within = entity.absence.within
        else { return false }
        return entity.relationships[within].targets.map(\.entity) == [parents.entity]
    }
}
