import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// Shows people values of the past. The columns of lists and of JSON hold texts, whose quotation marks say nothing:
/// such a value is shown as the JSON that it is.
struct PastValueText {
    /// By entity: the attributes whose values are JSON, as the definition has it now.
    private let documents: [ExactText: Set<ExactText>]

    init(_ definition: PipelineDefinition) {
        let pairs = definition.model.entities.map { entity in
            let attributes = entity.attributes.filter { $0.conversion.stored.type == .json }
            return (ExactText(entity.name), Set(attributes.map { ExactText($0.name) }))
        }
        documents = Dictionary(pairs) { $1 }
    }

    /// - Parameter json: what the column holds, as JSON.
    func text(_ json: String, _ name: String, of entity: String) -> String {
        guard documents[ExactText(entity)]?.contains(ExactText(name)) == true,
            case .string(let text)? = try? JSONTree.read(Array(json.utf8), file: "").root.kind,
            (try? JSONTree.read(Array(text.utf8), file: "")) != nil
        else { return JSONText.shown(json) }
        return JSONText.shown(text)
    }
}
