import SluiceExtract
import SluiceRecords

/// Reads the entities of a pipeline.
struct ModelReader {
    let context: DefinitionContext
    let sources: [Source]

    /// The model; incomplete where there are mistakes.
    func model(of pipeline: DefinitionObject) -> Model {
        guard let node = pipeline.required("entities"), let members = context.members(of: node, "\"entities\"") else {
            return Model(entities: [])
        }
        let hasViews = pipeline.boolean("views") ?? false
        let hasPastViews = ModelReader.wantsHistory(pipeline)
        if members.isEmpty { context.mistake("\"entities\" must hold at least one entity", at: node.position) }
        checkSources(pipeline, members)
        let reader = EntityReader(context: context, sources: sources, stubTargets: ModelReader.stubTargets(members))
        var identifying = IdentifyingReferences(members.map { reader.draft($0) }, in: context)
        identifying.complete()
        let drafts = identifying.drafts
        let index = EntityIndex(drafts)
        var entities = drafts.map { finish($0, index) }
        indexLookedUp(&entities)
        clearAbsent(&entities, drafts, pipeline)
        checkOrphans(drafts, entities)
        refuseHistories(drafts, pipeline)
        let names = StoreNames(naming: pipeline.choice("names"))
        names.apply(to: &entities, drafts)
        NameChecks(
            context: context, drafts: drafts, entities: entities, names: names, hasViews: hasViews,
            hasPastViews: hasPastViews
        ).check()
        var model = Model(entities: entities)
        model.hasViews = hasViews
        model.hasPastViews = hasPastViews
        return model
    }

    /// What the pipeline forgets with each run is none.
    private func refuseHistories(_ drafts: [UnlinkedEntity], _ pipeline: DefinitionObject) {
        guard case .boolean(false)? = pipeline["history"]?.kind else { return }
        for draft in drafts where draft.entity.keepsPast == true {
            guard let position = draft.object?.position(of: "history") else { continue }
            context.mistake(
                "the \"history\" of the pipeline is false, which forgets that of all entities", at: position)
        }
    }

    private static func wantsHistory(_ pipeline: DefinitionObject) -> Bool {
        switch pipeline["history"]?.kind {
        case nil, .boolean(false): false
        default: true
        }
    }

    /// The names of the entities to which relationships lead that make stubs, be they entities or not.
    private static func stubTargets(_ entities: [JSONMember]) -> Set<ExactText> {
        var names: Set<ExactText> = []
        for entity in entities where entity.value["records"] != nil {
            guard case .object(let relationships)? = entity.value["relationships"]?.kind else { continue }
            for relationship in relationships.map(\.value)
            where relationship["missing"]?.text == Relationship.Missing.stub.rawValue {
                for element in relationship["to"]?.elements ?? [] {
                    if case .object(let way) = element.kind { names.formUnion(way.map { ExactText($0.key) }) }
                    if let name = element.text { names.insert(ExactText(name)) }
                }
            }
        }
        return names
    }

    /// Checks that there are stubs of which `orphans` speaks.
    private func checkOrphans(_ drafts: [UnlinkedEntity], _ entities: [Entity]) {
        let creating = entities.flatMap(\.relationships).filter(\.missing.createsStubs)
        let targets = creating.flatMap(\.targets).map(\.entity)
        for (index, draft) in drafts.enumerated() where !targets.contains(index) {
            guard let position = draft.object?.position(of: "orphans"), !draft.entity.isOfPrograms else { continue }
            context.mistake(
                "\"orphans\" is about stubs, and no relationship makes any of \(quoted(draft.entity.name)) (by"
                    + " \"missing\": \"stub\")", at: position)
        }
    }

    /// Sets what absent values do where the attribute, or the relationship, says nothing itself.
    private func clearAbsent(
        _ entities: inout [Entity], _ drafts: [UnlinkedEntity], _ pipeline: DefinitionObject
    ) {
        let ofPipeline: Entity.AbsentValues? = pipeline.choice("onAbsent")
        for (index, draft) in drafts.enumerated() where !draft.entity.isOfPrograms {
            guard let object = draft.object, object.choice("onAbsent") ?? ofPipeline == Entity.AbsentValues.clear
            else { continue }
            let isSaid = { (list: String, name: String) in object[list]?[name]?["onAbsent"] != nil }
            for place in entities[index].attributes.indices
            where !isSaid("attributes", entities[index].attributes[place].writtenName) {
                entities[index].attributes[place].onAbsent = .null
            }
            for place in entities[index].relationships.indices
            where !isSaid("relationships", entities[index].relationships[place].writtenName) {
                entities[index].relationships[place].onAbsent = .clear
            }
        }
    }

    /// Gives the attributes an index by which references look for objects, but for identifiers, which have one.
    private func indexLookedUp(_ entities: inout [Entity]) {
        for relationship in entities.flatMap(\.relationships) {
            for way in relationship.ways where !way.isByIdentifier {
                let entity = relationship.targets[way.target].entity
                guard entities[entity].identifier.first != way.attributes[0] else { continue }
                entities[entity].attributes[way.attributes[0]].isIndexed = true
            }
        }
    }

    /// Checks that something is taken from the sources.
    private func checkSources(_ pipeline: DefinitionObject, _ entities: [JSONMember]) {
        guard !entities.isEmpty,
            entities.allSatisfy({ $0.value.isObject && $0.value["records"] == nil && !ModelReader.misspellsRecords($0) }
            ),
            let key = ["source", "sources"].first(where: { pipeline[$0] != nil }),
            let position = pipeline.position(of: key)
        else { return }
        context.mistake(
            "nothing is taken from \(quoted(key)): no entity has \"records\", the path of its records", at: position)
    }

    private static func misspellsRecords(_ entity: JSONMember) -> Bool {
        guard case .object(let members) = entity.value.kind else { return false }
        return members.contains { member in
            !DefinitionKeys.entity.contains(member.key)
                && nearest(to: member.key, among: DefinitionKeys.entity)?.isIdentical(to: "records") == true
        }
    }

    /// The whole entity.
    private func finish(_ draft: UnlinkedEntity, _ index: EntityIndex) -> Entity {
        var entity = draft.entity
        guard let object = draft.object else { return entity }
        let reader = RelationshipReader(context: context, paths: draft.paths, slots: draft.slots, entities: index)
        if entity.isOfPrograms {
            entity.relationships = reader.programsRelationships(of: object)
            entity.identifier = draft.identifier ?? []
            return entity
        }
        entity.relationships = reader.relationships(of: object)
        entity.identifier = draft.identifier ?? []
        entity.absence.within = within(object, entity)
        entity.slots = draft.slots.slots
        checkNeeds(object, entity)
        return entity
    }

    /// A record that is gone decides what others lack, and so whether they count; if they decided in turn whether it is
    /// gone (by which copy is the last), there would be no answer, or two.
    private func checkNeeds(_ object: DefinitionObject, _ entity: Entity) {
        guard let position = object.position(of: "deleteWhere"),
            let needing = entity.relationships.first(where: { $0.missing.rejectsRecords })
        else { return }
        context.mistake(
            "\"deleteWhere\" and \"missing\": \"reject\" (of \(quoted(needing.name))) exclude each other in one entity:"
                + " which records count would depend on which objects go, and the other way round", at: position)
    }

    private func within(_ object: DefinitionObject, _ entity: Entity) -> Int? {
        guard let node = object["within"], let name = context.text(node, "within") else { return nil }
        if object["absent"] == nil || object["absent"]?.text == Entity.Absent.keep.rawValue {
            let position = object.position(of: "within") ?? node.position
            context.mistake("\"within\" bounds \"absent\", which must be \"delete\" or \"mark\"", at: position)
        }
        let names = entity.relationships.map(\.name)
        guard let index = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) else {
            context.unknown("relationship", name, among: names, at: node.position)
            return nil
        }
        let relationship = entity.relationships[index]
        if relationship.isMany || relationship.targets.count > 1 {
            context.mistake(
                "\"within\" needs a to-one relationship to one entity, which \(quoted(name)) is not", at: node.position)
        }
        return index
    }
}

extension JSONNode {
    var isObject: Bool {
        if case .object = kind { return true }
        return false
    }
}
