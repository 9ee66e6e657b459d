// What a definition chooses by one word, as questions: each switch answers for every word, so that a further word does
// not compile before each question has an answer. The questions about `absent` are in `Entity+Absent.swift`; a rule
// that is more than yes or no is a switch where it applies (`RowClassifier.isSkipped`).

extension Entity.Mode {
    /// Whether records create objects.
    @inlinable
    package var createsObjects: Bool {
        switch self {
        case .upsert, .insert: true
        case .update: false
        }
    }

    /// Whether records change objects of earlier runs that are no stubs.
    @inlinable
    package var changesObjects: Bool {
        switch self {
        case .upsert, .update: true
        case .insert: false
        }
    }

    /// Whether no record is skipped, be its object there or not.
    @inlinable
    package var loadsAllRecords: Bool { createsObjects && changesObjects }
}

extension Entity.Duplicates {
    /// Whether later copies of a record change its object.
    @inlinable
    package var lastCounts: Bool {
        switch self {
        case .last: true
        case .first, .reject: false
        }
    }

    /// Whether later copies of a record are rejected.
    @inlinable
    package var areRejected: Bool {
        switch self {
        case .reject: true
        case .last, .first: false
        }
    }
}

extension Entity.Orphans {
    /// Whether stubs go that nothing refers to any more.
    package var areDeleted: Bool {
        switch self {
        case .delete: true
        case .keep: false
        }
    }
}

extension Entity.Edits {
    /// Whether an object stays as a program has changed it.
    package var areKept: Bool {
        switch self {
        case .keep, .reject: true
        case .replace: false
        }
    }

    /// Whether a record is rejected that contradicts what a program has changed.
    package var rejectContradictions: Bool {
        switch self {
        case .reject: true
        case .keep, .replace: false
        }
    }
}

extension Attribute.OnAbsent {
    /// Whether a record that says nothing of the attribute leaves its object what it has.
    package var keepsValue: Bool {
        switch self {
        case .keep: true
        case .null: false
        }
    }
}

extension Relationship.OnAbsent {
    /// Whether a record that says nothing of the relationship leaves its object what it has.
    package var keepsReferences: Bool {
        switch self {
        case .keep: true
        case .clear: false
        }
    }
}

extension Relationship.Missing {
    /// Whether a target that is missing is created, with its identifier alone.
    package var createsStubs: Bool {
        switch self {
        case .stub: true
        case .null, .reject: false
        }
    }

    /// Whether a record without its target is rejected.
    package var rejectsRecords: Bool {
        switch self {
        case .reject: true
        case .null, .stub: false
        }
    }
}

extension Relationship.OnDelete {
    /// Whether an object goes with its target, unless the feed holds it.
    package var cascades: Bool {
        switch self {
        case .cascade: true
        case .nullify: false
        }
    }
}
