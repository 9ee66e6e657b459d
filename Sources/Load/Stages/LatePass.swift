import Records

/// Links what waits since earlier runs, where this run has brought the target: references of objects without a record
/// in this run, and those of which the record says nothing.
struct LatePass {
    private let relations: EntityRelations
    private let loader: EntityLoader
    private let sink: any FindingSink
    private let cacheLimit: CacheLimit

    init(_ relations: EntityRelations, _ sink: any FindingSink, _ cacheLimit: CacheLimit) {
        self.cacheLimit = cacheLimit
        self.relations = relations
        loader = relations.loader
        self.sink = sink
    }

    func link(_ batch: RecordBatch, limit: Int) throws(Failure) {
        for (relationship, finder) in relations.finders where loader.states.waiting[relationship].count > 0 {
            // Without new objects there are no new targets.
            let isGained = finder.targetsGained || loader.store.hasObjectsOfOthers
            if isGained || !relations.kept[relationship].isEmpty || relations.hasLost.contains(relationship) {
                try link(relationship, finder, batch, limit)
            }
        }
    }

    private func link(
        _ relationship: Int, _ finder: TargetFinder, _ batch: RecordBatch, _ limit: Int
    ) throws(Failure) {
        let section = batch.sections[loader.index]
        var last: (objectID: Int64, position: Int64) = (.min, .min)
        while true {
            batch.reset()
            let positions = try loader.store.appendWaiting(
                entity: loader.index, relationship: relationship, after: last, limit: limit, section, batch,
                loader.work)
            guard let position = positions.last else { return }
            last = (loader.work.objectIDs[section.count - 1], position)
            try link(relationship, finder, positions, section, batch)
            cacheLimit.hold()
        }
    }

    private func link(
        _ relationship: Int, _ finder: TargetFinder, _ positions: [Int64], _ section: EntityRecords,
        _ batch: RecordBatch
    ) throws(Failure) {
        // What the record of an object of this run says, was resolved with it.
        let rows = (0..<section.count).filter { row in
            let objectID = loader.work.objectIDs[row]
            return isKept(objectID, relationship) || !loader.states.isDescribed(objectID)
        }
        let first = loader.facts.layout.relationshipStart[relationship]
        let cells = unsafe UnsafePointer(section.typed.base) + first
        var references = Array(repeating: Reference.pending, count: rows.count)
        try unsafe finder.resolve(
            rows.count, batch.arena, among: .all, block: { unsafe cells + rows[$0] * section.width },
            set: { references[$0] = $1 })
        for (row, reference) in zip(rows, references) {
            if reference > 0 {
                try link(row, reference, relationship, positions[row], section, batch)
            } else if isKept(loader.work.objectIDs[row], relationship) {
                try report(row, relationship, positions[row])
            }
        }
    }

    private func isKept(_ objectID: Int64, _ relationship: Int) -> Bool {
        relations.kept[relationship].contains(objectID)
    }

    private func link(
        _ row: Int, _ reference: Int64, _ relationship: Int, _ position: Int64, _ section: EntityRecords,
        _ batch: RecordBatch
    ) throws(Failure) {
        var isNew = true
        if loader.entity.relationships[relationship].isMany {
            isNew = try addLink(Link(reference: reference, position: position), row, relationship)
        } else {
            let place = row * loader.work.relationshipCount + relationship
            loader.work.stored[place] = Reference.none
            loader.work.references[place] = reference
            relations.markDifferent(row, relationship)
            try loader.updateRows([row], section, batch.arena)
        }
        try loader.store.stopWaiting(relations.place(row, relationship), position: position)
        if !isKept(loader.work.objectIDs[row], relationship) {
            loader.tally.recorded.relationships[relationship].late += 1
        } else if isNew {
            loader.tally.recorded.relationships[relationship].resolved += 1
        }
    }

    /// Adds a link, unless the object has it: two values may name one target, and a set holds it once, at its first
    /// position. Returns whether it had none.
    private func addLink(_ link: Link, _ row: Int, _ relationship: Int) throws(Failure) -> Bool {
        let objectID = loader.work.objectIDs[row]
        let held = try relations.storedLinks([objectID], relationship)[objectID] ?? []
        var links = held
        let place = held.firstIndex { $0.reference == link.reference }
        if let place {
            links[place].position = min(links[place].position, link.position)
        } else {
            links.append(link)
        }
        _ = try relations.write(links, insteadOf: held, row, relationship)
        return place == nil
    }

    private func report(_ row: Int, _ relationship: Int, _ position: Int64) throws(Failure) {
        loader.tally.recorded.relationships[relationship].unresolved += 1
        let place = relations.place(row, relationship)
        guard let waiting = try loader.store.waits(place).first(where: { $0.position == position }) else { return }
        let identifier = try loader.store.identifier(of: place.objectID, entity: loader.index)
        sink.report(.unresolved, at: waiting.at.position) {
            .unresolved(relations, identifier, relationship, waiting.value, waiting.at)
        }
    }
}
