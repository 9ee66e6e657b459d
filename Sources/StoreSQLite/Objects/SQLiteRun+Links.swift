import SluiceLoad
import SluiceRecords

// The links of to-many relationships.
extension SQLiteRun {
    package func links(
        of objectIDs: [Int64], entity: Int, relationship: Int, _ values: LinkValues?,
        each: (_ source: Int64, _ link: Link) -> Void
    ) throws(Failure) {
        let names = tables[entity].layout.targetNames[relationship]
        try requireLinks(entity, relationship).load(objectIDs, names, values, each)
    }

    package func insertLinks(
        _ links: [SourceLink], entity: Int, relationship: Int, _ values: LinkValues
    ) throws(Failure) {
        let statements = try requireLinks(entity, relationship)
        let (statement, columns) = (try statements.batch(), statements.batchColumns)
        let run = {
            [batchTable = store.batchTable, names = tables[entity].layout.targetNames[relationship]]
            (links: UnsafeBufferPointer<SourceLink>) throws(Failure) in
            try unsafe batchTable.run(statement, columns, links, values, targetNames: names)
        }
        try unsafe links.withUnsafeBufferPointer(run)
    }

    package func changeLinks(
        _ changes: [LinkChange], entity: Int, relationship: Int, _ values: LinkValues
    ) throws(Failure) {
        let statements = try requireLinks(entity, relationship)
        let names = tables[entity].layout.targetNames[relationship]
        for change in changes { try statements.write(change, names, values) }
    }

    private func requireLinks(_ entity: Int, _ relationship: Int) throws(Failure) -> LinkStatements {
        guard let links = tables[entity].links[relationship] else {
            throw Failure(.defect, "a to-one relationship was asked for its links")
        }
        return links
    }
}
