import Records

extension PipelineDefinition {
    /// What the definition asks for and this version cannot do yet: each a mistake with its place, so that nothing is
    /// ever quietly left out of a run.
    var unsupported: [Failure] {
        var failures: [Failure] = []
        func refuse(_ keys: [String], _ what: String) {
            failures.append(
                Failure(.definition, "\(what) is not supported by this version of sluice", at: tree.place(keys)))
        }
        for entity in model.entities {
            for relationship in entity.relationships where relationship.missing == .reject {
                refuse(
                    ["entities", entity.name, "relationships", relationship.name, "missing"], "\"missing\": \"reject\"")
            }
        }
        return failures
    }
}
