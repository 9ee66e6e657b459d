// Lists in records that are one page of several.
extension DraftEntity {
    /// The objects in records that say of a list there that it has further pages, and how these are asked for: all that
    /// they have is called so. It is another thing with each page, and says nothing of the record.
    var innerPages: [[String]] {
        let inner = columns.filter { $0.cut == nil && !$0.parent.isEmpty }
        var known: Set<[String]> = []
        return inner.map(\.parent).filter { known.insert($0).inserted }.filter { path in
            let members = inner.filter { $0.parent == path }.map(\.ownName)
            return members.allSatisfy(Names.isOfPage) && members.contains(where: Names.leadsOn)
        }
    }
}
