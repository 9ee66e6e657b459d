import SluiceRecords

// Records that are known from the run before, and were not read.
extension Loader {
    /// The failure that ends a run which must be repeated in full.
    package static var contradiction: Failure {
        Failure(.defect, "what is known of the feed does not go with what was read")
    }

    /// Whether known records, which were not read, contradict records that were read: then the feed must be read in
    /// full.
    package var isContradicted: Bool { hasKnown && states.contains(where: \.objects.known.isContradicted) }

    /// Inserts the objects of a batch's known records.
    func insertKnown(_ batch: RecordBatch) {
        let (known, count) = (batch.items.known, batch.items.knownCount)
        if count > 0 { hasKnown = true }
        var index = 0
        while index < count {
            // Records of one entity mostly follow one another: what is reached through it is reached once for them.
            let entity = known[index].entity
            let (objects, tally) = (states[entity].objects.known, states[entity].tally)
            var copies = 0
            while index < count, known[index].entity == entity {
                if !objects.insertKnown(known[index]) { copies += 1 }
                index += 1
            }
            tally.add(copies, to: \.identical)
        }
    }

    /// The highest objectID of an object of earlier runs.
    package func highestAtStart(_ entity: Int) -> Int64 { states[entity].traits.highestAtStart }

    func checkKnown() throws(Failure) {
        if isContradicted { throw Loader.contradiction }
    }

    /// Counts known records that are alike, and the references of their objects. `held`: by relationship, how many
    /// references with a target each object holds.
    package func countKnown(_ records: Int, of entity: Int, held: ArraySlice<UInt8>) {
        let tally = states[entity].tally
        tally.add(records, to: \.records)
        for (relationship, links) in held.enumerated() {
            tally.count(resolved: Int(links) * records, null: links == 0 ? records : 0, relationship)
        }
    }

    /// The objects of an entity of which the run after this one must read every record.
    ///
    /// - Parameters:
    ///   - alsoWritten: whether those that this run has changed are among them.
    ///   - most: nil where there are more.
    package func objectsToRead(_ entity: Int, alsoWritten: Bool, most: Int) -> [Int64]? {
        let (objects, changes) = (states[entity].objects, states[entity].tally.changes)
        // They are counted before they are listed: a run may have changed all objects.
        guard objects.deletions.deleted.count + (alsoWritten ? changes.writtenCount : 0) <= most else { return nil }
        let found = objects.known.copiesToRead + objects.deletions.deleted.all + (alsoWritten ? changes.written : [])
        return found.count <= most ? found : nil
    }
}
