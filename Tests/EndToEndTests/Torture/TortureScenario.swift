import Foundation
import Testing

/// A command that is disturbed in each of its calls, and what it has to do with: the files before it, commands that
/// came before it, and the one after it, which must make good whatever the disturbed one has left.
///
/// In words and texts, `{disk}` is the folder whose files count, `{feeds}` the address of a service that serves it.
struct TortureScenario: Sendable, CustomTestStringConvertible {
    enum Step: Sendable {
        case write(String, String)
        case run([String])
        /// Statements for the store.
        case sql(String)
    }

    var name: String
    var before: [Step]
    var words: [String]
    /// The next command; nil: the same again.
    var next: [String]?
    /// How the next command ends where this one has done its work all the same: a file that is there is not made again.
    var statusAfterSuccess: Int32 = 0
    /// Whether batches are saved for good, one by one.
    var isInBatches = false
    /// Calls that only this scenario makes.
    var kinds: [FaultShim.Kinds] = []
    /// More that must be as before or after: queries of the store.
    var queries: [String] = []

    var testDescription: String { name }

    static let count = 30
    static let batch = "10"

    /// - Parameters:
    ///   - members: of the definition, each with a comma behind it.
    ///   - entity: members of the entity, each with a comma behind it.
    static func definition(
        _ members: String = "", source: String = #""file": "feed.json""#, entity: String = "", name: String = "name",
        type: String = #"{ "type": "text", "index": true }"#
    ) -> String {
        """
        {
          \(members)
          "source": { \(source) }, "store": { "sqlite": "store.sqlite" }, "limits": { "rejects": null, "deletes": null },
          "entities": {
            "Item": {
              \(entity)
              "records": "$.items[*]", "identifier": "id",
              "attributes": { "id": "integer", "\(name)": \(type), "code": "text" },
              "relationships": {
                "parent": { "to": "Item" }, "friends": { "to": "Item", "many": true, "from": "friends[*]" }
              }
            }
          }
        }
        """
    }

    /// A version of the feed: one in `step` items is another in each.
    static func feed(_ version: Int, every step: Int = 1, first: Int = 0, next: String = "") -> String {
        let items = (first..<first + count).map { id in
            let version = id % step == 0 ? version : 1
            return """
                {"id": \(id), "name": "v\(version) of \(id)", "code": "\(id * version)", \
                "parent": \((id + 7 * version) % count), "friends": [\((id + version) % count), \((id + 9) % count)]}
                """
        }
        return "{\(next) \"items\": [\((items + [#"{"id": "none"}"#]).joined(separator: ",\n"))]}"
    }
}
