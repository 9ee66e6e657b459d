import SluiceExtract
import SluiceRecords

/// Tells a definition that was named where a feed is expected.
package enum DefinitionGuess {
    /// Whether a value is a definition: it has entities, each with what a definition says of them, and nothing that no
    /// definition has.
    package static func isDefinition(_ root: JSONNode) -> Bool {
        guard case .object(let members) = root.kind,
            members.allSatisfy({ DefinitionKeys.pipeline.contains($0.key) }),
            members.contains(where: { ["source", "sources", "store"].contains($0.key) }),
            let entities = members.first(where: { $0.key == "entities" }), case .object(let all) = entities.value.kind
        else { return false }
        return !all.isEmpty
            && all.allSatisfy { entity in
                guard case .object(let members) = entity.value.kind else { return false }
                return members.contains { ["records", "identifier", "attributes"].contains($0.key) }
            }
    }
}
