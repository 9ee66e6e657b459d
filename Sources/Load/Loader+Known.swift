import SluiceRecords

// Records that are known from the run before, and were not read.
extension Loader {
    /// What ends a run that must be made again in full.
    package static var contradiction: Failure {
        Failure(.defect, "what is known of the feed does not go with what was read")
    }

    /// Whether what is known of records that were not read does not go with what was read: the feed must be read in full.
    package var isContradicted: Bool { hasKnown && states.contains(where: \.objects.known.isContradicted) }

    /// Notes the objects of a batch's known records.
    func noteKnown(_ batch: RecordBatch) {
        let (known, count) = (batch.items.known, batch.items.knownCount)
        if count > 0 { hasKnown = true }
        for index in 0..<count {
            let state = states[known[index].entity]
            if !state.objects.known.note(known[index]) { state.tally.add(to: \.identical) }
        }
    }

    /// The highest objectID of an object of earlier runs.
    package func highestAtStart(_ entity: Int) -> Int64 { states[entity].facts.highestAtStart }

    func checkKnown() throws(Failure) {
        if isContradicted { throw Loader.contradiction }
    }

    /// Counts known records that are alike, and the references of their objects: by relationship, how many with a target
    /// each holds.
    package func countKnown(_ records: Int, of entity: Int, held: ArraySlice<UInt8>) {
        let tally = states[entity].tally
        tally.add(records, to: \.records)
        for (relationship, links) in held.enumerated() {
            tally.count(resolved: Int(links) * records, null: links == 0 ? records : 0, relationship)
        }
    }

    /// The objects of an entity of which the run after this one must read every record.
    ///
    /// - Parameter alsoWritten: whether those that this run has changed are among them.
    package func objectsToRead(_ entity: Int, alsoWritten: Bool) -> [Int64] {
        let state = states[entity]
        return state.objects.known.copiesToRead + state.objects.deleted.all
            + (alsoWritten ? state.tally.changes.written : [])
    }
}
