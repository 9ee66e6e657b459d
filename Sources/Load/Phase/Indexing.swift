import SluiceRecords

// New objects that were promised objectIDs in another order than they come in: see `ScatteredRows`.

/// Whether numbers that follow one another are mostly far apart: so far that what is written by them goes to a page of its
/// own each time.
func areFarApart(_ count: Int, _ number: (Int) -> Int) -> Bool {
    // Fewer tell nothing of their order.
    guard count >= 100 else { return false }
    let near = (1..<count).count { abs(number($0) - number($0 - 1)) <= 16 }
    return near * 2 < count
}

extension EntityLoader {
    /// Keeps the new rows of the round for the end, if their objects were promised objectIDs in another order than they
    /// come in: each would go to another page of the table. From then on, all new rows are kept.
    func scatterNew() {
        if waitingRows.scattered == nil {
            // A store that has no index before the end keeps rows as they come.
            guard !store.indexesLate, isNewScattered else { return }
            waitingRows.scattered = ScatteredRows(entity, upTo: ids.highest)
        }
        round.scatterNew()
    }

    private var isNewScattered: Bool {
        switch indexing.order {
        case .sorted: return false
        case .random: return !round.new.isEmpty
        case .observed:
            guard indexing.isMany(ids.highest) else { return false }
            let (rows, objectIDs) = (round.new, work.objectIDs)
            return areFarApart(rows.count) { Int(objectIDs[rows[$0]]) }
        }
    }

    /// Whether the objects of rows are promised objectIDs in another order: in the order of these, in which they are
    /// written then, their identifiers come in none.
    func arePromisesScattered(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) -> Bool {
        guard indexing.order == .observed, indexing.isMany(ids.highest) else { return false }
        let promised = rows.map { ids.promised($0, section, arena) }.filter { $0 > 0 }
        return areFarApart(promised.count) { Int(promised[$0]) }
    }
}

extension EntityRounds {
    /// Keeps the rows of the round that are written in the order of their objectIDs.
    func keepScattered(_ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        for row in loader.round.scattered {
            try loader.waitingRows.scattered?.append(row, section, batch, work: loader.work)
        }
    }

    /// Saves the rows that were kept for the order of their objectIDs; the batch is used for it.
    func saveScattered(_ rows: ScatteredRows, _ batch: RecordBatch, _ options: Loader.Options) throws(Failure) {
        loader.waitingRows.scattered = nil
        let section = batch.sections[loader.index]
        try rows.forEachBatch(section, batch, work: loader.work) { rows throws(Failure) in
            try options.checkCancelled()
            loader.takeScattered(rows, section)
            try resolve(section, batch, from: .aside)
            try save(section, batch, from: .aside)
        }
    }
}
