import SluiceDefinition
import SluiceRecords

/// Lists of values in an object that the feed has once, which are of one length: what stands at one position in them
/// belongs together, as columns of a table do.
struct ParallelLists {
    private static let fewestValues = 5

    /// The names of the lists.
    let names: [String]

    /// What comments say of them, and messages.
    var sentence: String {
        "\(listed(names)) are lists of one length: what stands at one position in them belongs together, as it seems"
    }

    /// Nil: there are none, or no numbers are in them.
    init?(of node: Int32, _ tree: ShapeTree) {
        guard node >= 0, tree[node].counts.objects == 1, tree[node].anyMember < 0, tree.isSingle(node) else {
            return nil
        }
        let lists = tree.members(of: node).filter { list in
            let (counts, element) = (tree[list].counts, tree[list].element)
            return counts.arrays == 1 && counts.values == 1 && element >= 0 && tree[element].parent == list
                && tree[element].counts.areScalars && tree[element].counts.values >= ParallelLists.fewestValues
        }
        let byLength = Dictionary(grouping: lists) { tree[tree[$0].element].counts.values }
        let longest = byLength.filter { $1.count > 1 }.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
        guard let longest, longest.value.contains(where: { tree[tree[$0].element].counts.numbers > 0 }) else {
            return nil
        }
        names = longest.value.map { list in
            DraftPaths.top(tree.steps(to: list), in: tree)
        }
    }

    /// Those of a feed: the longest.
    static func all(in tree: ShapeTree) -> [ParallelLists] {
        (0..<Int32(tree.count)).lazy.filter { node in
            tree[node].merged < 0 && (node == 0 || tree[node].parent >= 0) && tree[node].children.first >= 0
        }.compactMap { ParallelLists(of: $0, tree) }
    }
}
