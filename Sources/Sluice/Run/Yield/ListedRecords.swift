import SluiceRecords

/// Finds paths of records that lead to a list where its elements are meant: `$.data` instead of `$.data[*]`.
struct ListedRecords {
    let model: Model
    let inputs: [FeedInput]

    /// Throws which path takes the elements, where a list of objects is taken for a record of whose fields names are
    /// known: no list has them.
    func check(_ facts: [FeedFacts]) throws(Failure) {
        for (source, input) in inputs.enumerated() where !input.format.isTable {
            for entity in model.entities where entity.sources.contains(source) && entity.slots.allSatisfy(\.isMember) {
                let shape = FeedShape(beginning: facts[source].beginning)
                guard let path = entity.records.first(where: shape.hasObjects(in:)) else { continue }
                let shown = path.description
                throw Failure(
                    .data,
                    "the source \(input.source.name) (\(input.location)) has a list at `\(shown)`, which is no record of"
                        + " \(entity.name): its elements are at `\(shown)[*]`")
            }
        }
    }
}

extension Slot {
    /// Whether its value is in a member of the record.
    fileprivate var isMember: Bool {
        if path.root == .record, case .name? = path.steps.first { return true }
        return false
    }
}
