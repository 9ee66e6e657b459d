import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluicePlan
import SluiceRecords

/// Finds the parts of a definition that a plan cannot do, each with its place.
struct PlanRefusals {
    let definition: PipelineDefinition

    private var tree: JSONTree { definition.tree }
    private var model: Model { definition.model }

    /// All that is refused, each once: what entities have in common is theirs at one place.
    func found() -> [Failure] {
        PlanRefusals.once(PlannedKeys(tree: tree).refused() + values() + entities() + cycles() + names())
    }

    static func once(_ failures: [Failure]) -> [Failure] {
        var told: Set<ExactText> = []
        return failures.filter { told.insert(ExactText($0.description)).inserted }
    }

    private func refusal(_ what: String, _ why: String, at keys: String...) -> Failure {
        Failure(.definition, "a plan does not do \(what): \(why)", at: tree.place(keys))
    }

    // MARK: Values

    private func values() -> [Failure] {
        var found: [Failure] = []
        if definition.commit == .batch {
            found.append(refusal("\"commit\": \"batch\"", "a version is whole or is not there", at: "commit"))
        }
        if let findings = definition.findings, ObjectFolder.names(findings) {
            found.append(refusal("\"findings\" that are an object", "they are a file beside the state", at: "findings"))
        }
        for place in FieldLimitPlace.all {
            guard case .count = definition.limits[keyPath: place.whole] else { continue }
            let name = place.kind.rawValue
            found.append(refusal("the limit \(quoted(name))", drift, at: "limits", name))
        }
        for source in definition.sources where source.location == .file("-") {
            found.append(
                Failure(
                    .definition, "a plan does not do standard input: feeds are files that all workers see",
                    at: tree.place(definition.keys(of: source))))
        }
        for source in definition.sources {
            let what: String
            switch source.location {
            case .objects: what = "objects of S3"
            case .remote: what = "files by SFTP"
            case .file, .web, .command: continue
            }
            found.append(
                Failure(
                    .definition, "a plan does not do \(what): save them with sluice fetch first",
                    at: tree.place(definition.keys(of: source))))
        }
        return found
    }

    private var drift: String { "drift is not told, as nobody looks at all records together" }

    // MARK: The model

    private func entities() -> [Failure] {
        var found: [Failure] = []
        for entity in model.entities {
            if entity.isOfPrograms {
                found.append(
                    refusal(
                        "the entity \(quoted(entity.name))", "its objects are those of programs", at: "entities",
                        entity.name))
            }
            let own = definition.limits.entities[ExactText(entity.name)]
            for place in FieldLimitPlace.all {
                guard case .count? = own?[keyPath: place.own] else { continue }
                let name = place.kind.rawValue
                found.append(refusal("the limit \(quoted(name))", drift, at: "entities", entity.name, "limits", name))
            }
            for relationship in entity.relationships { found += self.relationship(relationship, of: entity) }
        }
        return found
    }

    private func relationship(_ relationship: Relationship, of entity: Entity) -> [Failure] {
        let keys = ["entities", entity.name, "relationships", relationship.name, "to"]
        func refused(_ what: String, _ why: String) -> [Failure] {
            [Failure(.definition, "a plan does not do \(what): \(why)", at: tree.place(keys))]
        }
        if !relationship.ways.isEmpty {
            // A way by the key `by` is refused at that key.
            let isBy = tree.node(keys.dropLast() + ["by"]) != nil
            return isBy ? [] : refused("ways in \"to\"", KeyTable.identifiersOnly)
        }
        if !relationship.values.isEmpty {
            let place = tree.place(keys.dropLast() + ["with"])
            return [Failure(.definition, "a plan does not do \"with\": links have no values in a plan", at: place)]
        }
        let deletes = Deletability(model).isDeletable
        let forms = Set(relationship.targets.map { $0.conversions.map(\.stored) })
        if relationship.isSearched, forms.count > 1, relationship.targets.contains(where: { deletes[$0.entity] }) {
            return refused(
                "a search in entities whose objects may be deleted and whose identifiers differ in type",
                "say which entity is meant with \"entity\"")
        }
        return []
    }

    private func cycles() -> [Failure] {
        EntityOrder.ofNeeds(model).cycles.map {
            cycle($0.entity, $0.relationship, "missing", "\"missing\": \"reject\"")
        }
            + EntityOrder.ofDeletions(model).cycles.map {
                cycle($0.entity, $0.relationship, "onDelete", "\"onDelete\": \"cascade\"")
            }
    }

    private func cycle(_ entity: Int, _ relationship: Int, _ key: String, _ what: String) -> Failure {
        let entity = model.entities[entity]
        let name = entity.relationships[relationship].name
        return refusal(
            "\(what) in a cycle", "the relationship \(quoted(name)) leads back to \(quoted(entity.name))",
            at: "entities", entity.name, "relationships", name, key)
    }

    // MARK: Names

    /// Names that are one to an engine, or to the file system: these do not tell small letters from capital ones.
    private func names() -> [Failure] {
        let twins = twins(model.entities.map(\.name)).map { twin in
            refusal("the entity \(quoted(twin))", "another one has its name in other letters", at: "entities", twin)
        }
        return twins
            + model.entities.flatMap { entity in
                let references = entity.relationships.flatMap { relationship in
                    [relationship.name] + (relationship.isPolymorphic ? [relationship.entityColumn] : [])
                }
                return self.twins(entity.attributes.map(\.name) + references).map { twin in
                    refusal(
                        "the entity \(quoted(entity.name))", "two of its columns would be called \(quoted(twin))",
                        at: "entities", entity.name)
                }
            }
    }

    /// The names of which one before differs in the case of letters alone.
    private func twins(_ names: [String]) -> [String] {
        var met: Set<ExactText> = []
        return names.filter { !met.insert(ExactText($0.lowercased())).inserted }
    }
}
