import SluiceDefinition
import SluiceRecords

/// What a definition says that is allowed, and perhaps not meant.
package struct DefinitionNotes {
    private let definition: PipelineDefinition

    package init(_ definition: PipelineDefinition) { self.definition = definition }

    /// Each with its place, in the order of the definition.
    package var all: [(place: Failure.Place, message: String)] {
        let isDeletable = Deletability(definition.model).isDeletable
        return unsetVariables + unreadSources
            + definition.model.entities.flatMap { entity in
                [absentInFullRuns(entity), objectsLeftBehind(entity, isDeletable)].compactMap { $0 }
            }
    }

    /// With their places.
    package var text: String {
        all.map { "\($0.place): \($0.message)".printable.wrapped(80, first: "", rest: "  ") + "\n" }.joined()
    }

    /// Variables that a run needs, and that are not set here: who looks may not be who runs.
    private var unsetVariables: [(place: Failure.Place, message: String)] {
        definition.pending.filter { $0.part != .seed }.compactMap { pending in
            pending.failure.place.map { ($0, "\(pending.failure.message): a run needs it") }
        }
    }

    /// Sources of which no entity takes anything.
    private var unreadSources: [(place: Failure.Place, message: String)] {
        // Without its variables, a definition has no entities.
        guard !definition.model.entities.isEmpty else { return [] }
        return definition.sources.enumerated().compactMap { index, source in
            guard !definition.model.entities.contains(where: { $0.sources.contains(index) }) else { return nil }
            return (
                definition.tree.place(["sources", source.name]),
                "no entity takes records from the source \(source.name); a run reads it all the same"
            )
        }
    }

    /// Objects that are absent only where a source gives all that there is, and it gives what is new.
    private func absentInFullRuns(_ entity: Entity) -> (place: Failure.Place, message: String)? {
        guard entity.removesAbsent, entity.absence.within == nil,
            let source = entity.sources.first(where: definition.partialSources.contains)
        else { return nil }
        return (
            definition.tree.place(["entities", entity.name, "absent"]),
            "no object of \(entity.name) is absent but in runs with --full, which read all: the source"
                + " \(definition.sources[source].name) gives only what is new"
        )
    }

    /// Objects that are absent only within a target, which may itself go: then nothing ever says that they are absent.
    private func objectsLeftBehind(
        _ entity: Entity, _ isDeletable: [Bool]
    ) -> (place: Failure.Place, message: String)? {
        guard entity.deletesAbsent, let within = entity.absence.within else { return nil }
        let relationship = entity.relationships[within]
        let keys = ["entities", entity.name, "relationships", relationship.name]
        let targets = relationship.targets.filter { isDeletable[$0.entity] }.map {
            definition.model.entities[$0.entity].name
        }
        guard relationship.onDelete == .nullify, !targets.isEmpty,
            definition.tree.node(keys + ["onDelete"]) == nil
        else { return nil }
        return (
            definition.tree.place(["entities", entity.name, "within"]),
            "\(entity.name) is absent within \(relationship.name), and where a"
                + " \(targets.joined(separator: " or ")) is deleted, what was within it stays, bound to"
                + " nothing: \"onDelete\": \"cascade\" takes it along, \"nullify\" says that it is to stay"
        )
    }
}
