import SluiceExtract
import SluiceRecords

/// Whether values are all different, exactly: their hashes are in memory, and beyond a limit in a file without a name,
/// which is gone through as often as memory demands.
@safe
final class UniqueValues {
    /// What changes with each value.
    private struct State {
        var seen = HashSet()
        var values = 0
        var repeats = 0
        var hasFile = false
        var owner = ValueFingerprint.none
    }

    private let most: Int
    private let state: UnsafeMutablePointer<State>
    private var file: HashFile?
    private var buffer: [UInt64] = []
    private var lateRepeats: Int?

    /// As many hashes are in memory at once, for one set of values.
    static let most = 1 << 19
    /// And so many when they are gone through in the end, for one set after the other.
    private static let mostAtLast = 4 << 20

    init(most: Int = UniqueValues.most) {
        self.most = most
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: State())
    }

    deinit {
        unsafe state.pointee.seen.deallocate()
        unsafe state.deallocate()
    }

    var values: Int { unsafe state.pointee.values }

    /// How many values were there before; as far as it is known.
    var repeats: Int { unsafe state.pointee.repeats }

    @inline(__always)
    func add(_ hash: UInt64) throws(Failure) {
        unsafe state.pointee.values &+= 1
        if unsafe state.pointee.hasFile { return try addLate(hash) }
        if unsafe !state.pointee.seen.insert(hash) { unsafe state.pointee.repeats &+= 1 }
        if unsafe state.pointee.seen.count >= most - 1 { try beginFile() }
    }

    /// The values from now on are those of one owner, and no other one has the same.
    @inline(__always)
    func begin(of owner: UInt64) {
        if unsafe owner == state.pointee.owner { return }
        unsafe state.pointee.owner = owner
        if unsafe !state.pointee.hasFile { unsafe state.pointee.seen.makeRoom() }
    }

    /// Whether a value was there; nil: it is not known before the end.
    func contains(_ hash: UInt64) -> Bool? {
        unsafe state.pointee.hasFile ? nil : state.pointee.seen.contains(hash)
    }

    private func beginFile() throws(Failure) {
        file = try HashFile()
        unsafe state.pointee.hasFile = true
    }

    private func addLate(_ hash: UInt64) throws(Failure) {
        buffer.append(hash)
        if buffer.count == 1 << 16 { try flush() }
    }

    private func flush() throws(Failure) {
        try file?.append(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Forgets all of them: nobody will ask.
    func forget() {
        unsafe state.pointee.seen.deallocate()
        unsafe state.pointee.seen = HashSet()
        file = nil
        buffer = []
    }

    /// Counts the values that were there before.
    func finish() throws(Failure) -> Int {
        guard let file else { return repeats }
        if let lateRepeats { return lateRepeats }
        try flush()
        // Each time, the hashes of one range.
        let rounds = UInt64(file.count / UniqueValues.mostAtLast + 1)
        let width = UInt64.max / rounds
        var found = repeats
        for round in 0..<rounds {
            let range = round * width...(round + 1 == rounds ? .max : (round + 1) * width - 1)
            var seen = HashSet()
            defer { seen.deallocate() }
            try file.read { hash in
                guard range.contains(hash) else { return }
                if unsafe state.pointee.seen.contains(hash) || !seen.insert(hash) { found += 1 }
            }
        }
        lateRepeats = found
        return found
    }
}
