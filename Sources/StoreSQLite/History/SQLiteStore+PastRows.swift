import SluiceLoad
import SluiceRecords
import SluiceSchema

// What the run changes and deletes is kept before that: each of these is called first.
extension SQLiteStore {
    /// Lets the run itself keep what it changes of the objects of its entities, instead of triggers, until other
    /// programs may write.
    ///
    /// Where there are triggers of other programs, sluice's own stay: the run does not see what those change. Tables
    /// that the run makes have no triggers yet.
    func keepPastRows(_ history: HistoryKeeper) throws(Failure) {
        if try connection.hasForeignTriggers() { return }
        let followed = try history.openTables().filter { !$0.hasLinks }
        let isNew = historyScope.isNew
        for (index, entity) in model.entities.enumerated() where !isNew(entity.table) {
            guard let table = followed.first(where: { $0.name.isSameName(as: entity.table) }) else { continue }
            runHistory.rows[index] = try ChangedRowKeeper(connection, table, run: ledger.run)
        }
    }

    /// Keeps the objects of rows of which something is written to their table.
    func keepPast(of rows: [Int], _ section: EntityRecords, _ work: RowWork) throws(Failure) {
        guard let past = runHistory.rows[section.entity], let batchTable else { return }
        let (table, edits) = (tables[section.entity], editLayers[section.entity])
        var changed: [Int] = []
        for row in rows {
            // What of an edited object is written is known only when it is written: it is kept then.
            if edits?.contains(work.objectIDs[row]) ?? false { continue }
            if try table.update(work.columnSet(row)).statement != nil { changed.append(row) }
        }
        try past.keep(changed, section, work, batchTable)
    }

    /// Keeps an object that a program has edited, of whose row something is written to its table.
    func keepPast(ofEdited row: Int, _ section: EntityRecords, _ work: RowWork) throws(Failure) {
        guard let past = runHistory.rows[section.entity], let batchTable else { return }
        try past.keep([row], section, work, batchTable)
    }

    /// Keeps objects of an entity, a list of them as JSON, that are changed or deleted.
    func keepPast(_ list: String, entity: Int, areGoing: Bool) throws(Failure) {
        try runHistory.rows[entity]?.keep("SELECT value AS o FROM json_each(?1)", list, areGoing: areGoing)
    }

    /// Keeps the objects of any table for which a condition holds; its first parameter is a list.
    func keepPast(of table: String, _ condition: String, _ list: String, areGoing: Bool) throws(Failure) {
        for (entity, past) in runHistory.rows where model.entities[entity].table.isSameName(as: table) {
            try past.keep("SELECT \"objectID\" AS o FROM \(quoted(table)) \(condition)", list, areGoing: areGoing)
        }
    }
}
