import SluiceExtract
import SluiceRecords

/// Whether values are all different, exactly: their hashes are in memory, and beyond a limit in a file without a name,
/// which is gone through as often as memory demands.
final class UniqueValues {
    private let most: Int
    private var counts: HashCounts
    private var file: HashFile?
    private var buffer: [UInt64] = []
    private(set) var values = 0
    private var lateRepeats: Int?
    private var known = 0

    /// As many hashes are in memory at once, for one set of values.
    static let most = 1 << 19
    /// And so many when they are gone through in the end, for one set after the other.
    private static let mostAtLast = 4 << 20

    init(most: Int = UniqueValues.most) {
        self.most = most
        counts = HashCounts(most: most)
    }

    deinit { counts.deallocate() }

    /// How many values were there before; as far as it is known.
    private(set) var repeats = 0

    func add(_ hash: UInt64) throws(Failure) {
        values += 1
        if file == nil {
            if !counts.add(hash) { repeats += 1 }
            if counts.distinct >= most - 1 { try beginFile() }
            return
        }
        buffer.append(hash)
        if buffer.count == 1 << 16 { try flush() }
    }

    private func beginFile() throws(Failure) {
        file = try HashFile()
        known = counts.distinct
    }

    private func flush() throws(Failure) {
        try file?.append(buffer)
        buffer.removeAll(keepingCapacity: true)
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
            var seen = HashCounts(most: .max)
            defer { seen.deallocate() }
            try file.read { hash in
                guard range.contains(hash) else { return }
                if counts.contains(hash) || !seen.add(hash) { found += 1 }
            }
        }
        lateRepeats = found
        return found
    }
}
