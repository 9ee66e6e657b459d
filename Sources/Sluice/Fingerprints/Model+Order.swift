import SluiceExtract
import SluiceRecords

extension Model {
    /// A digest of the order in which entities, their attributes, their relationships, what links have, and the places
    /// where values are looked for follow one another: of two definitions with equal hashes, these may differ.
    var orderDigest: String {
        get throws(Failure) { try SHA256.digest(of: JSONText.array(entities.map(\.order))) }
    }
}

extension Entity {
    fileprivate var order: String {
        JSONText.array([
            JSONText.quoted(name), JSONText.array(records.map { JSONText.quoted($0.description) }),
            JSONText.array(slots.map { JSONText.quoted("\($0.path) \($0.json) \($0.many) \($0.isPlace)") }),
            JSONText.array(attributes.map { JSONText.quoted($0.name) }),
            JSONText.array(relationships.map(\.order)),
        ])
    }
}

extension Relationship {
    fileprivate var order: String {
        JSONText.array([
            JSONText.quoted(name), JSONText.array(values.map { JSONText.quoted($0.name) }),
            JSONText.array(targets.map { "\($0.entity)" }),
        ])
    }
}
