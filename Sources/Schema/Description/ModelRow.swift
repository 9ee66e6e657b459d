import SluiceRecords

/// A row of `sluice_model`: which pipeline has described an entity, and how.
package struct ModelRow {
    package var pipeline: String
    package var description: EntityDescription
    /// What the table holds; nil: it is not in the table yet.
    package var stored: (entity: String, json: String)?

    init(pipeline: String, description: EntityDescription, stored: (entity: String, json: String)? = nil) {
        self.pipeline = pipeline
        self.description = description
        self.stored = stored
    }

    /// A row that the table holds.
    ///
    /// - Parameter store: the store, for messages.
    package init(_ pipeline: String, _ entity: String, _ json: String, in store: String) throws(Failure) {
        guard let value = StoredJSON(json), let description = EntityDescription(entity, value) else {
            throw Failure(
                .io,
                "the store \(store) is damaged: its table sluice_model says nothing sensible of the entity \(entity) and"
                    + " the pipeline \(pipeline)")
        }
        self.init(pipeline: pipeline, description: description, stored: (entity, json))
    }

    /// Whether the table holds a different row, or none.
    package var isChanged: Bool {
        guard let stored else { return true }
        return !stored.entity.isIdentical(to: description.name) || !stored.json.isIdentical(to: description.json)
    }
}
