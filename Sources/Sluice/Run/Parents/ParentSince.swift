import SluiceDefinition
import SluiceFetch
import SluiceLoad
import SluiceRecords

/// The stored values that a service is told, for each record that it is asked for.
struct ParentSince: Sendable {
    private let since: WebSource.Since
    private let type: AttributeType
    /// What the request posts, where a place in it takes the value.
    private let body: RequestBody?
    /// By the identifier of the record.
    private let values: [[ExactText]: String]

    /// Nil where the source is not told anything.
    ///
    /// - Parameter started: when the run began: times much later than that do not count.
    init?(_ service: WebSource, _ model: Model, _ run: any StoreRun, started: Timestamp) throws(Failure) {
        guard let since = service.since, let relationship = since.relationship else { return nil }
        self.since = since
        body = service.request.body
        let conversion = model.entities[since.entity].attributes[since.attribute].conversion
        type = conversion.type
        let latest = SinceWatch.latest(conversion.stored.type, started)
        var values: [[ExactText]: String] = [:]
        for found in try run.highest(since.attribute, of: since.entity, by: relationship, upTo: latest) {
            values[found.target.map { ExactText($0) }] = since.value(found.value, type)
        }
        self.values = values
    }

    /// Adds the stored value of a record to a request, if there is one.
    func addValue(of identifier: [String?], to part: inout PartedFeed.Part) {
        let key = identifier.compactMap { $0.map { ExactText($0) } }
        guard key.count == identifier.count, let value = values[key] else { return }
        if let path = since.parameter.path {
            part.body = (part.body ?? body)?.setting(path, to: since.bodyValue(value, type))
        } else {
            part.query = [(since.parameter.name, since.text(sending: value))]
        }
    }
}
