import SluiceDefinition
import SluiceRecords

// Objects in records that hold something else in each kind of record: the parameters of calls in a log.
extension EntityFinder {
    /// Whether an object has dozens of members of which hardly one is in more than a tenth of the objects: as columns,
    /// nearly all of them would be absent in nearly all records.
    func isOfManyKinds(_ node: Int32) -> Bool {
        let members = tree.members(of: node)
        guard members.count >= EntityFinder.leastOfManyKinds else { return false }
        let objects = tree[node].counts.objects
        let rare = members.count { tree[$0].owners.count * 10 <= objects }
        return rare * 10 >= members.count * 9
    }

    /// So many members make a table that nobody reads.
    private static let leastOfManyKinds = 64

    /// An object that stays whole.
    func addWhole(_ node: Int32, _ path: [String], _ entity: DraftEntity) {
        append(column(node, node, path, .json, entity))
        entity.remarks.append(
            "\(quoted(path.joined(separator: "."))) has \(grouped(tree.members(of: node).count)) members, hardly one of"
                + " which is in more than a tenth of its objects: it stays whole")
    }
}
