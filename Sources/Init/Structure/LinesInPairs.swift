import SluiceDefinition
import SluiceRecords

/// Lines that take turns: one says what is to be done with what, and the next one what that is, as a bulk of
/// Elasticsearch has them.
enum LinesInPairs {
    private static let actions: Set = ["create", "delete", "index", "update"]

    /// What is told of them; nil: there are none.
    static func sentence(of feed: SurveyedFeed) -> String? {
        let tree = feed.tree
        guard feed.form.format == .lines else { return nil }
        let found = tree.members(of: 0).filter { member in
            actions.contains(tree.name(member)) && tree[member].counts.hasObjects
                && tree.members(of: member).contains { ["_id", "_index"].contains(tree.name($0)) }
        }
        let deleted = found.filter { tree.name($0) == "delete" }
        let count = { (members: [Int32]) in members.reduce(0) { $0 + tree[$1].owners.count } }
        // What is deleted has no line of its own.
        guard !found.isEmpty, tree[0].counts.objects == 2 * count(found) - count(deleted) else { return nil }
        return
            "Of \(feed.location), lines with \(listed(found.map { quoted(tree.name($0)) })) and what they are about take"
            + " turns, and no definition puts two lines together. A command does (init.md, lines in pairs)."
    }
}
