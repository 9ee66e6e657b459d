import SluiceColumns
import SluiceDefinition
import SluiceExtract
import SluicePlan
import SluiceRecords

extension PipelineDefinition {
    /// Refuses, before any feed is read, a definition whose attributes only the feeds could tell.
    package static func requirePlannable(file: String) throws(DefinitionProblems) {
        let refused: [Failure]
        do throws(Failure) {
            refused = PlanOpenness(tree: try JSONTree.read(try DefinitionFile.read(file), file: file)).refused()
        } catch {
            refused = [error]
        }
        if !refused.isEmpty { throw DefinitionProblems(refused) }
    }

    /// The set-based half of a run, as lines of JSON: what the definition says to a runner, and then each step.
    ///
    /// - Throws: all that a plan cannot do.
    package func plan(_ dialect: SQLDialect) throws(DefinitionProblems) -> String {
        try require([.settings, .entities] + sources.indices.map(Part.source))
        let refused = PlanRefusals(definition: self).found()
        if !refused.isEmpty { throw DefinitionProblems(refused) }
        let steps = SetPlan(model, dialect).steps(limits: limits.rules(of: model.entities.map(\.name)))
        return ([planHead] + steps.map(\.json)).map { $0 + "\n" }.joined()
    }

    /// What a runner needs to know besides.
    private var planHead: String {
        let sources = sources.enumerated().map { index, source -> String in
            let input = FeedInput(source: source, location: source.location.pattern, files: [])
            let entities = model.entities.filter { $0.sources.contains(index) }
            let isOfLines = source.format == .lines || source.format == nil && input.format == .lines
            return JSONText.object([
                ("name", JSONText.quoted(source.name)), ("file", JSONText.quoted(source.location.pattern)),
                // In a range, the number of the first line is not known, nor where characters begin in another
                // encoding.
                ("ranges", String(isOfLines && source.encoding == nil && !model.takes(.line, from: index))),
                ("rejectsLines", String(isOfLines && limits.allowRejects)),
                // What a table held that is empty tonight is not absent.
                (
                    "needsHeader",
                    String(
                        (source.format ?? input.format).isTable && source.table.hasHeader
                            && entities.contains(where: \.removesAbsent))
                ),
                // Then findings name the file, though it is the only one.
                ("namesFiles", String(model.takes(.fileName, from: index))),
                ("entities", JSONText.array(entities.map { JSONText.quoted($0.name) })),
                ("mayBeEmpty", String(entities.allSatisfy { limits.records(of: $0.name).allowsNone })),
            ])
        }
        let members: [(String, String)] = [
            ("step", "\"definition\""), ("reads", "[]"), ("writes", "\"\""), ("sql", "\"\""),
            ("version", JSONText.quoted(version)), ("pipeline", JSONText.quoted(name)),
            ("findings", findings.map(JSONText.quoted) ?? "null"), ("sources", JSONText.array(sources)),
            ("limits", JSONText.array(saidLimits)),
            ("entities", JSONText.array(model.entities.map(\.planJSON))), ("model", modelJSON),
            (
                "inputs",
                JSONText.object(
                    SetPlan.inputs.map { input in
                        (input.table, JSONText.object(input.types.map { ($0.name, JSONText.quoted($0.type)) }))
                    })
            ),
        ]
        return JSONText.object(members)
    }

    /// Who says each limit, for messages; of a share, which.
    private var saidLimits: [String] {
        limits.rules(of: model.entities.map(\.name)).flatMap { rule in
            let kind = rule.kind.allowance
            let entities = rule.isOfAll ? [nil] : rule.entities.map(Optional.init)
            return entities.map { entity in
                var members = [
                    ("limit", JSONText.quoted(kind.rawValue)), ("entity", entity.map(JSONText.quoted) ?? "null"),
                    ("by", JSONText.quoted(origin(of: kind, in: entity).rawValue)),
                ]
                if entity == nil, rule.entities.count < model.entities.count {
                    members.append(("entities", JSONText.array(rule.entities.map(JSONText.quoted))))
                }
                if case .share(let share) = rule.amount { members.append(("share", JSONText.quoted(share.text))) }
                return JSONText.object(members)
            }
        }
    }

    /// What a relationship is; with the columns of its waiting list, where not all are called as they first were.
    private func json(_ relationship: Relationship, _ renamed: [String]?) -> String {
        let targets = relationship.targets.map { target in
            JSONText.quoted(
                model.entities[target.entity].name + ": "
                    + target.conversions.map(\.stored.name).joined(separator: ", "))
        }
        let waiting = renamed.map { [("waiting", JSONText.array($0.map(JSONText.quoted)))] } ?? []
        return JSONText.object(
            [
                ("to", JSONText.array(targets)), ("many", String(relationship.isMany)),
                ("entity", String(relationship.selector != nil)),
            ] + waiting)
    }

    /// What the state of earlier runs must not contradict.
    private var modelJSON: String {
        JSONText.object(
            model.entities.enumerated().map { index, entity in
                let attributes = entity.attributes.map { ($0.name, JSONText.quoted($0.conversion.stored.name)) }
                let relationships = entity.relationships.enumerated().map { place, relationship in
                    (relationship.name, self.json(relationship, SetPlan.renamedKeys(model, index, place)))
                }
                return (
                    entity.name,
                    JSONText.object([
                        (
                            "identifier",
                            JSONText.array(entity.identifier.map { JSONText.quoted(entity.attributes[$0].name) })
                        ),
                        ("marks", String(entity.marksAbsent)), ("attributes", JSONText.object(attributes)),
                        ("relationships", JSONText.object(relationships)),
                    ])
                )
            })
    }
}

extension Entity {
    /// The folders of relationships are below that of their entity.
    fileprivate var planJSON: String {
        JSONText.object([
            ("name", JSONText.quoted(name)), ("folder", JSONText.quoted(FolderName.escaped(name))),
            ("table", JSONText.quoted(table)),
            ("relationships", JSONText.array(relationships.map { JSONText.quoted($0.name) })),
            ("folders", JSONText.array(relationships.map { JSONText.quoted(FolderName.escaped($0.name)) })),
        ])
    }
}

extension Source.Location {
    fileprivate var pattern: String {
        switch self {
        case .file(let pattern): pattern
        case .web, .command, .objects, .remote: ""
        }
    }
}
