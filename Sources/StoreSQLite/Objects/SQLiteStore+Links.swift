import SluiceLoad
import SluiceRecords

// Links, and what waits for its target.
extension SQLiteStore {
    // MARK: Links

    package func links(
        of objectIDs: [Int64], entity: Int, relationship: Int, _ values: LinkValues?,
        each: (_ source: Int64, _ link: Link) -> Void
    ) throws(Failure) {
        try requireLinks(entity, relationship).load(objectIDs, tables[entity].targetNames[relationship], values, each)
    }

    package func insertLinks(
        _ links: [SourceLink], entity: Int, relationship: Int, _ values: LinkValues
    ) throws(Failure) {
        guard let batchTable else { throw Failure(.defect, "the store was asked before the run began") }
        let statements = try requireLinks(entity, relationship)
        let (statement, columns) = (try statements.batch(), statements.batchColumns)
        let run = {
            [names = tables[entity].targetNames[relationship]]
            (links: UnsafeBufferPointer<SourceLink>) throws(Failure) in
            try unsafe batchTable.run(statement, columns, links, values, targetNames: names)
        }
        try unsafe links.withUnsafeBufferPointer(run)
    }

    package func changeLinks(
        _ changes: [LinkChange], entity: Int, relationship: Int, _ values: LinkValues
    ) throws(Failure) {
        let (statements, names) = (try requireLinks(entity, relationship), tables[entity].targetNames[relationship])
        for change in changes { try statements.write(change, names, values) }
    }

    private func requireLinks(_ entity: Int, _ relationship: Int) throws(Failure) -> LinkStatements {
        guard let links = tables[entity].links[relationship] else {
            throw Failure(.defect, "a to-one relationship was asked for its links")
        }
        return links
    }

    // MARK: The waiting list

    package func waitingObjects(entity: Int, relationship: Int) throws(Failure) -> SeenObjects {
        try requireWaitingList().objects(entity, relationship)
    }

    package func waits(
        of objectIDs: [Int64], entity: Int, relationship: Int, each: (_ objectID: Int64, _ waiting: Waiting) -> Void
    ) throws(Failure) {
        let list = try requireWaitingList()
        for objectID in objectIDs {
            let owner = ReferenceOwner(entity: entity, relationship: relationship, objectID: objectID)
            try list.visit(owner) { each(objectID, $0) }
        }
    }

    package func appendWaiting(
        entity: Int, relationship: Int, ofThisRun: Bool, after: (objectID: Int64, position: Int64), limit: Int,
        _ section: EntityRecords, _ batch: RecordBatch, _ work: RowWork
    ) throws(Failure) -> [Int64] {
        let list = try requireWaitingList()
        return try list.append(
            entity, relationship, ofThisRun: ofThisRun, after: after, limit: limit, section, batch, work)
    }

    package func wait(_ entries: [NewWaiting], entity: Int, relationship: Int) throws(Failure) {
        let list = try requireWaitingList()
        for entry in entries { try list.add(entry, entity, relationship) }
    }

    package func positionWaiting(
        _ positions: [(objectID: Int64, at: FeedPosition)], entity: Int, relationship: Int
    ) throws(Failure) {
        let list = try requireWaitingList()
        for (objectID, at) in positions {
            try list.setPosition(ReferenceOwner(entity: entity, relationship: relationship, objectID: objectID), at)
        }
    }

    package func stopWaiting(_ entries: [SettledWaiting], entity: Int, relationship: Int) throws(Failure) {
        let list = try requireWaitingList()
        for entry in entries {
            let owner = ReferenceOwner(entity: entity, relationship: relationship, objectID: entry.objectID)
            try list.remove(owner, entry.position)
        }
    }

    private func requireWaitingList() throws(Failure) -> WaitingList {
        guard let waitingList else { throw Failure(.defect, "the store was asked before the run began") }
        return waitingList
    }
}
