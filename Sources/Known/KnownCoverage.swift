import SluiceRecords

/// Which shapes of records this run has met in full. What is met for the first time, such as a field of another type,
/// is reported with its place: the first record that has it is always read.
struct KnownCoverage {
    private let shapes: [RecordShape]
    private var covered: [Bool]
    private var coveredDrifts: [Bool]
    /// By entity and slot: the kinds, as bits.
    private var kinds: [[UInt32]] = []
    private var paths: Set<Paths> = []
    private var notes: Set<DriftNote> = []
    private let drifts: [[DriftNote]]
    /// By pair of shapes: whether both are covered.
    private var coveredPairs = [Bool](repeating: false, count: KnownEntry.severalRecords + 1)

    private struct Paths: Hashable {
        var entity: Int
        var paths: UInt32
        var counts: Bool
    }

    init(_ file: KnownFile) {
        shapes = file.shapes
        drifts = file.drifts
        covered = Array(repeating: false, count: shapes.count)
        coveredDrifts = Array(repeating: false, count: max(drifts.count, 1))
        coveredDrifts[0] = true
    }

    func covers(pair: Int) -> Bool { coveredPairs[pair] }

    /// Notes that an item of a pair has been looked at: both shapes are covered from now on.
    mutating func noteCovered(pair: Int) { coveredPairs[pair] = true }

    /// Whether all is met that records of a shape have; from now on it is.
    mutating func covers(_ shape: Int) -> Bool {
        if covered[shape] { return true }
        covered[shape] = true
        let record = shapes[shape]
        var isNew = false
        while kinds.count <= record.entity { kinds.append([]) }
        // Out of the list, and so changed in place.
        var own: [UInt32] = []
        swap(&own, &kinds[record.entity])
        let found = record.kinds
        while own.count < found.count { own.append(0) }
        for (slot, kind) in found.enumerated() {
            let bit = UInt32(1) << UInt32(kind & 31)
            if own[slot] & bit == 0 { isNew = true }
            own[slot] |= bit
        }
        swap(&own, &kinds[record.entity])
        let met = Paths(entity: record.entity, paths: record.paths, counts: record.counts)
        if paths.insert(met).inserted { isNew = true }
        return !isNew
    }

    mutating func covers(drift: Int) -> Bool {
        if coveredDrifts[drift] { return true }
        coveredDrifts[drift] = true
        var isNew = false
        for note in drifts[drift] where notes.insert(note).inserted { isNew = true }
        return !isNew
    }
}
