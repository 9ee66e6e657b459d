import SluiceDefinition
import SluiceRecords

/// Objects under one name at many places of a feed, some deeper than others: a tree whose nodes have other names each,
/// with what is said of a node in a member that is always called so. No list or map has all of them, and a path with
/// `..` does.
struct DeepMembers {
    let name: String
    /// The places that have them, at so many depths.
    private let ways: [[ShapeStep]]
    private let depths: Int
    private let objects: Int

    /// Fewer places are those of objects in records.
    private static let leastPlaces = 20
    private static let leastDepths = 3

    static func all(in tree: ShapeTree) -> [DeepMembers] {
        var byName: [ExactText: [Int32]] = [:]
        for node in 0..<Int32(tree.count)
        where tree[node].step == .member && tree[node].merged < 0 && tree[node].counts.objects > 0 {
            byName[ExactText(tree.name(node)), default: []].append(node)
        }
        let found = byName.values.compactMap { DeepMembers($0, tree) }.sorted { $0.objects > $1.objects }
        return found.filter { inner in
            !found.contains { !$0.name.isIdentical(to: inner.name) && inner.isMostly(in: $0.name) }
        }
    }

    /// Whether nearly all of its places are in objects of another name.
    private func isMostly(in name: String) -> Bool {
        10 * ways.count { $0.dropLast().contains(.member(name)) } >= 9 * ways.count
    }

    private init?(_ nodes: [Int32], _ tree: ShapeTree) {
        guard nodes.count >= DeepMembers.leastPlaces else { return nil }
        ways = nodes.map { tree.steps(to: $0) }
        name = tree.name(nodes[0])
        depths = Set(ways.map(\.count)).count
        objects = nodes.reduce(0) { $0 + tree[$1].counts.objects }
        // One in the other is the level of a tree that has its name.
        let isNested = ways.contains { way in way.dropLast().contains(.member(name)) }
        let names = nodes.map { tree.members(of: $0).map(tree.name) }
        guard depths >= DeepMembers.leastDepths, !isNested, SharedNames(names).likeness >= SharedNames.leastAlike
        else { return nil }
    }

    func sentence(of location: String) -> String {
        let member = DraftPaths.member([name])
        let path = "$.." + member
        return
            "Of \(location), \(grouped(objects)) objects are called \(quoted(name)), at \(grouped(ways.count)) places of"
            + " \(depths) depths: \"records\": \(quoted(path)) makes one entity of all of them, which the keys of the"
            + " nodes around identify (\"^~\", \"^^~\", …; paths.md), rather than what is drafted below."
    }
}
