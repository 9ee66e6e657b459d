import SluiceDefinition
import SluiceLoad
import SluiceRecords

/// What a service is told of what the store has, for each record that it is asked for.
struct ParentSince: Sendable {
    /// The parameter of the query.
    let parameter: String
    /// By the identifier of the record.
    private let values: [[ExactText]: String]

    /// Nil where the source is not told anything.
    init?(_ service: WebSource, _ model: Model, _ store: any RunStore) throws(Failure) {
        guard let since = service.since, let relationship = since.relationship else { return nil }
        parameter = since.parameter
        let type = model.entities[since.entity].attributes[since.attribute].conversion.type
        var values: [[ExactText]: String] = [:]
        for found in try store.highest(since.attribute, of: since.entity, by: relationship) {
            values[found.target.map { ExactText($0) }] = since.value(found.value, type)
        }
        self.values = values
    }

    /// Nil: the store has nothing of it.
    func value(of identifier: [String?]) -> String? {
        let key = identifier.compactMap { $0.map { ExactText($0) } }
        return key.count == identifier.count ? values[key] : nil
    }
}
