import SluiceRecords

/// A target that is not there.
struct MissingTargetKeys {
    /// What identifies it: one identifier for each entity that it may be of, where it can have one there.
    var identifiers: [(target: EntityState, cells: [Cell])]
    var value: WaitingValue
}

/// What the keys say whose targets are not there.
extension TargetFinder {
    /// The names of the possible targets.
    var targetNames: [String] { targets.map(\.entity.name) }

    /// The identifier that a key names: of the selected target, or the only one, or in the first way that gives one;
    /// nil where no object can have it.
    func missingKey(_ cells: UnsafePointer<Cell>) -> (target: EntityState, cells: [Cell])? {
        let possible = layout.hasSelector ? [Int(unsafe cells[0].integer)] : Array(searches.indices)
        return possible.lazy.compactMap { unsafe self.identifier(cells, $0) }.first
    }

    /// Whether a reference leads to no object but perhaps a stub of this run. Of several ways, a later one may lead to
    /// such a stub: whether it is there by now depends on the order in which stubs are made.
    func isMissing(_ reference: Reference) -> Bool {
        if reference == .pending { return true }
        guard hasWays, reference.isKnown else { return false }
        // Where there are stubs, all ways lead to one entity.
        return targets[0].objects.stubs.made.contains(reference.objectID)
    }

    /// The identifier that a key gives a search; nil where no object can have it, or other attributes are looked for.
    private func identifier(
        _ cells: UnsafePointer<Cell>, _ search: Int
    ) -> (target: EntityState, cells: [Cell])? {
        let values = unsafe layout.key(cells, search)
        if searches[search].values != nil || (unsafe layout.isImpossible(values)) { return nil }
        return (searches[search].state, (0..<layout.keyWidth).map { unsafe values[$0] })
    }

    /// What a key means whose target is not there.
    func missingTarget(_ cells: UnsafePointer<Cell>, _ arena: Arena) -> MissingTargetKeys {
        let possible = layout.hasSelector ? [Int(unsafe cells[0].integer)] : Array(searches.indices)
        return MissingTargetKeys(
            identifiers: possible.compactMap { unsafe identifier(cells, $0) }, value: unsafe value(cells, arena))
    }

    /// What a key says, for the waiting list.
    func value(_ cells: UnsafePointer<Cell>, _ arena: Arena) -> WaitingValue {
        let selected = layout.hasSelector ? Int(unsafe cells[0].integer) : nil
        let possible = selected.map { [$0] } ?? Array(searches.indices)
        let identifiers = possible.map { search in
            unsafe layout.isImpossible(layout.key(cells, search)) ? nil : text(of: layout.key(cells, search), arena)
        }
        // Any target's cells hold the value; one that it does not convert to holds it as a text.
        var value = unsafe WaitingValue(
            identifiers, otherwise: impossibleText(cells, possible, arena),
            target: selected.map { targets[$0].entity.name }, hasKeys: hasWays, labels: possible.map { labels[$0] })
        value.isAmbiguous = possible.contains { unsafe isAmbiguous(cells, $0, arena) }
        return value
    }

    /// What no identifier can be; a way that has no value says nothing.
    private func impossibleText(_ cells: UnsafePointer<Cell>, _ possible: [Int], _ arena: Arena) -> String {
        let speaking = possible.first { search in
            (0..<layout.keyWidth).contains { unsafe layout.key(cells, search)[$0].length > 0 }
        }
        return unsafe text(of: layout.key(cells, speaking ?? possible[0]), arena)
    }

    /// Whether several objects have the values that a key gives a search, as was found since the last `forgetLookUps`.
    private func isAmbiguous(_ cells: UnsafePointer<Cell>, _ search: Int, _ arena: Arena) -> Bool {
        guard let cache = searches[search].values?.cache else { return false }
        let key = unsafe layout.key(cells, search)
        if unsafe layout.isImpossible(key) { return false }
        return unsafe cache.find(cacheKey(key, cache, arena)) == ValueLookUp.several
    }

    private func text(of key: UnsafePointer<Cell>, _ arena: Arena) -> String {
        arena.json(ofKey: (0..<layout.keyWidth).map { unsafe key[$0] })
    }
}
