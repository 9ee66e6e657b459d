import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

// Reads of objects that may be sent ahead.
extension ServerRun: QueryAheadStore {
    package var queryAheadStore: (any QueryAheadStore)? { self }

    package func sendLookUp(
        _ keys: SortedKeys, entity: Int, by attributes: [Int], _ arena: Arena
    ) throws(Failure) -> (any SentQuery)? {
        if keys.count == 0 { return nil }
        if attributes == model.entities[entity].identifier {
            try indexes.indexIdentifiers(of: entity)
        } else {
            try indexes.indexValues(of: attributes, entity: entity)
        }
        setKeys(keys, by: attributes, entity, arena)
        return try connection.sendQuery(tables[entity].lookUp(attributes), parameters)
    }

    package func finishLookUp(_ sent: any SentQuery, found: (_ place: Int, _ objectID: Int64) -> Void) throws(Failure) {
        guard let answer = sent as? ServerAnswer else { return }
        let rows = try connection.rows(of: answer)
        for place in 0..<rows.count {
            found(Int(rows.integer(place, 0)) - 1, try rows.objectID(place, 1, connection))
        }
    }

    package func send(_ reads: [ObjectRead]) throws(Failure) {
        // Answers that were not taken may be out of date when they are.
        sentReads.removeAll(keepingCapacity: true)
        for read in reads { sentReads[read] = try send(read) }
    }

    /// The rows of a read, whether or not it was sent before.
    func rows(of read: ObjectRead) throws(Failure) -> ServerRows {
        if !sentReads.isEmpty, let answer = sentReads.removeValue(forKey: read) {
            return try connection.rows(of: answer)
        }
        return try connection.rows(of: send(read))
    }

    private func send(_ read: ObjectRead) throws(Failure) -> ServerAnswer {
        switch read {
        case .links(let entity, let relationship, let objectIDs):
            return try sendLinkQuery(objectIDs, entity, relationship)
        case .waits(let entity, let relationship, let objectIDs):
            return try waitingList.sendQuery(objectIDs, entity, relationship)
        case .references(let entity, let objectIDs):
            return try connection.sendQuery(tables[entity].findReferences, .integers(objectIDs))
        }
    }
}

extension ServerAnswer: SentQuery {}
