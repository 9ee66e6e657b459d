import SluiceRecords

/// What the feeds of a run say about an object of an earlier run. The first case that applies counts:
///
/// | case | why | what follows |
/// | --- | --- | --- |
/// | `held` | a record names it, be it rejected or known without being read | it stays |
/// | `onlyReferenced` | it is a stub: only references name it | it stays, but for `orphans` |
/// | `outOfBounds` | its owner (`within`) is not in the feeds, or no service was queried for what belongs to it | it stays |
/// | `unknown` | the feeds may hold it without saying so (`UnknownAbsence`) | it stays, counted as `keptAbsent` |
/// | `absent` | no record names it | it is deleted or marked |
///
/// Of an entity that keeps absent objects, or of which the feeds are not meant to hold all objects, no object is
/// looked for: see `EntityTraits.looksForAbsent`.
enum Presence {
    case held
    case onlyReferenced
    case outOfBounds
    case unknown
    case absent
}

extension ObjectStates {
    /// What the feeds say about an object, whatever bounds the entity has.
    func presence(of objectID: Int64) -> Presence {
        if isPresent(objectID) { return .held }
        return unnamed
    }

    /// What the feeds say about an object.
    ///
    /// - Parameters:
    ///   - owner: the objectID of the object to which it belongs (`within`); 0: it belongs to none.
    ///   - owners: the objects of the owner's entity; nil: the entity has no bounds.
    func presence(of objectID: Int64, owner: Int64, in owners: ObjectStates?) -> Presence {
        if isPresent(objectID) { return .held }
        if stubs.earlier.contains(objectID) { return .onlyReferenced }
        if let owners, owner == 0 || !owners.isPresent(owner) || absence.unaskedOwners.contains(owner) {
            return .outOfBounds
        }
        return unnamed
    }

    /// What the feeds say about objects that no record names.
    private var unnamed: Presence { absence.unknown.contains(where: \.countsKept) ? .unknown : .absent }
}
