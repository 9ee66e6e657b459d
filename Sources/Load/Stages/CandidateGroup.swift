import SluiceRecords

/// The candidates of one entity.
final class CandidateGroup {
    let state: EntityState
    /// The relationships that need their targets (`missing: reject`).
    let needing: [Int]
    /// Whether other candidates may need what these bring.
    let brings: Bool
    /// The places of those that have fallen out.
    let failed = ObjectIDSet()
    /// The numbers of the objects that candidates would bring, from 1, by identifier.
    private var numbers = ObjectIDCache()
    private let keyBytes = KeyBytes()
    /// By number: how many candidates would bring it.
    private var copies: [UInt32] = []
    /// By place: the number of the object.
    private var brought: [UInt32] = []

    init(_ state: EntityState, isNeeded: Bool) {
        self.state = state
        needing = state.entity.relationships.indices.filter { state.entity.relationships[$0].missing.rejectsRecords }
        // Candidates of an entity that is only updated bring no object that is not in the store.
        brings = isNeeded && !needing.isEmpty && state.entity.mode.createsObjects
    }

    deinit {
        numbers.deallocate()
    }

    /// Counts what the candidates of a batch would bring.
    func countBrought(by batch: RecordBatch) {
        let section = batch.sections[state.index]
        for row in 0..<section.count {
            // Each cache has its own hashes.
            let own = state.ids.key(of: row, section, batch.arena)
            let key = unsafe numbers.key(own.bytes, own.count)
            var number = numbers.find(key)
            if number == 0 {
                copies.append(0)
                number = Int64(copies.count)
                numbers.insert(key, objectID: number)
            }
            copies[Int(number) - 1] += 1
            brought.append(UInt32(number))
        }
    }

    /// The number of the object that has an identifier; nil: no candidate brings it any more.
    func number(of identifier: [Cell], _ arena: Arena) -> UInt32? {
        guard brings else { return nil }
        let number = unsafe identifier.withUnsafeBufferPointer { cells -> Int64 in
            guard let base = cells.baseAddress else { return 0 }
            let (bytes, count) = unsafe keyBytes.make(base, cells.count, arena.base)
            return numbers.find(unsafe numbers.key(bytes, count))
        }
        return number > 0 && copies[Int(number) - 1] > 0 ? UInt32(number) : nil
    }

    /// Lets a candidate fall out. Returns the number of the object that no candidate brings any more, if there is one.
    func fail(_ place: Int) -> UInt32? {
        guard failed.insert(Int64(place)), brings else { return nil }
        let number = brought[place]
        copies[Int(number) - 1] -= 1
        return copies[Int(number) - 1] == 0 ? number : nil
    }
}
