import SluiceRecords

/// Targets that are not there yet, and are promised the objectIDs that they will have.
extension TargetFinder {
    /// Whether the targets that are not there yet may be promised their objectIDs, so that references can be written
    /// before them. It must be known which entity a target is of.
    var canPromise: Bool { !isSearched && targets.allSatisfy(\.traits.canPromise) }

    /// Whether more of them may be promised theirs.
    var canPromiseMore: Bool { targets.allSatisfy(\.ids.canPromiseMore) }

    /// Whether some targets that were promised have not come.
    var hasOpenPromises: Bool { targets.contains { $0.ids.cache.promisedCount > 0 } }

    /// Whether there may be an object one day that a key names.
    func mayCome(_ cells: UnsafePointer<Cell>) -> Bool {
        unsafe !layout.isImpossible(layout.key(cells, layout.selected(cells)))
    }

    /// The reference to a target that is not there yet; pending where it can never be, or has not been promised and
    /// there is no room for one more.
    func promise(_ cells: UnsafePointer<Cell>, _ arena: Arena, mayAdd: Bool) -> Reference {
        let target = unsafe layout.selected(cells)
        return unsafe promise(cells, target, targets[target].ids, arena, mayAdd: mayAdd)
    }

    /// The objectIDs of the targets, where these are all of one entity: a caller that promises many of them
    /// reads this once.
    var soleTarget: ObjectIDs? { layout.hasSelector || targets.count > 1 ? nil : targets[0].ids }

    /// Likewise, of the objectIDs of its target's entity.
    @inline(__always)
    func promise(
        _ cells: UnsafePointer<Cell>, _ target: Int, _ ids: ObjectIDs, _ arena: Arena, mayAdd: Bool
    ) -> Reference {
        let key = unsafe layout.key(cells, target)
        if unsafe layout.isImpossible(key) { return .pending }
        let objectID = ids.promise(unsafe cacheKey(key, ids.cache, arena), mayAdd: mayAdd)
        return objectID == 0 ? .pending : Reference(objectID, target: target)
    }

    /// The reference that a target was promised which has not come.
    func promised(_ cells: UnsafePointer<Cell>, _ arena: Arena) -> Reference {
        let target = unsafe layout.selected(cells)
        let cache = targets[target].ids.cache
        return unsafe Reference(cache.promised(cacheKey(layout.key(cells, target), cache, arena)), target: target)
    }
}
