import SluiceRecords

/// The nodes around the records of one entity from which some of its slots are filled: `$.stations[*]`, or `^^`.
///
/// The node of a record is the innermost of them that is open when the record begins.
struct Ancestor: Hashable {
    enum Place: Hashable {
        /// That many levels above the record.
        case up(Int)
        /// By the entity's paths of records: where that many of its steps lead; nil: nowhere.
        ///
        /// With one path of records without `..` that is one node; else the innermost counts.
        case beginning([Int?])
    }

    var entity: Int
    var place: Place
    /// The slots of the entity that are filled from it.
    var slots: [Int]

    /// Those of an entity; empty if all of its slots are filled from the record itself.
    static func all(of entity: Entity, at index: Int) -> [Ancestor] {
        var ancestors: [Ancestor] = []
        for (slot, path) in entity.slots.map(\.path).enumerated() {
            guard let place = place(of: path, records: entity.records) else { continue }
            if let known = ancestors.firstIndex(where: { $0.place == place }) {
                ancestors[known].slots.append(slot)
            } else {
                ancestors.append(Ancestor(entity: index, place: place, slots: [slot]))
            }
        }
        return ancestors
    }

    /// Where the node is from which a path goes on with names and indices; nil: it is the record.
    private static func place(of path: Path, records: [Path]) -> Place? {
        if path.root == .request { return nil }
        if path.root == .record { return path.parents == 0 ? nil : .up(path.parents) }
        // What may match several nodes must be part of the beginning.
        let least = path.steps.lastIndex { step in !Path(root: .feed, steps: [step]).isDefinite }.map { $0 + 1 } ?? 0
        return .beginning(
            records.map { records in
                let common = zip(path.steps, records.steps).prefix { $0 == $1 }.count
                return common >= least ? common : nil
            })
    }

    /// How many steps of a slot's path have led to the node, if the first `position` steps of a path of records lead
    /// to it; nil: it is none of these nodes.
    ///
    /// - Parameters:
    ///   - track: the path of records, the one with the number `records` of the entity.
    func taken(at position: Int, of track: Track, records: Int) -> Int? {
        switch place {
        case .up(let levels):
            let rest = track.steps[position...]
            let mayBeDeeper = rest.contains { step in
                switch step {
                case .name, .index, .wildcard: false
                case .descendantName, .descendantWildcard: true
                }
            }
            return levels == rest.count || (levels > rest.count && mayBeDeeper && !rest.isEmpty) ? 0 : nil
        case .beginning(let counts):
            return counts[records] == position ? position : nil
        }
    }
}

/// What the walker must know of an `Ancestor`.
struct AncestorInfo: BitwiseCopyable {
    var entity: Int
    /// Its number among those of the entity.
    var column: Int
    /// How many levels it is above the record; 0: the innermost is meant.
    var levels: Int
    /// A range of the table of slots.
    var slotStart: Int
    var slotCount: Int
    /// Whether a slot takes several values, so that it has all of them only when the node ends.
    var hasLists: Bool
}

/// A node around records whose end is still to come.
struct OpenAncestor: BitwiseCopyable {
    /// Which of the automaton's ancestors it is one of.
    var kind: Int
    /// Its frame.
    var depth: Int
    /// Of all that the reader meets, from 1.
    var id: UInt64
    /// Where its cells start: the values of its slots, and as many copies for the rows of a batch.
    var cellStart: Int
    /// The next one of its kind outwards; negative: none.
    var outer: Int
    /// The batch in which the copies are.
    var sharedBatch = -1
    /// Where the rows of its entity can be that wait for it, in the batch of that number.
    var firstRow: Int
    var firstBatch: Int
    /// How many rows of the batch wait for it.
    var waiting = 0
    /// Whether records are in it.
    var isUsed = false
    /// Whether rows on disk wait for it.
    var isAwaitedOnDisk = false
    /// Whether a key in it has come again, see `FirstValue`.
    var isRepeating = false
}
