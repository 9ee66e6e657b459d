import SluiceRecords

/// The beginning of a memory: words of 64 bits, in the order of bytes of the machine.
struct KnownHeader {
    static let bytes = 256
    private static let magic: UInt64 = 0x3177_6f6e_4b65_6353
    /// Of the format: a memory of another one is none.
    private static let version: UInt64 = 4
    /// The words of a stamp.
    private static let stampWords = 16..<24

    var identity = ItemHash.Value(low: 0, high: 0)
    var entryCount = 0
    var furtherCount = 0
    var tailBytes = 0
    /// Of all bytes behind the header.
    var content = ItemHash.Value(low: 0, high: 0)
    /// How the store was when the run had ended, in words; empty: nobody has seen that.
    var stamp: [UInt64] = []

    var entryStart: Int { KnownHeader.bytes }
    var furtherStart: Int { entryStart + entryCount * MemoryLayout<KnownEntry>.stride }
    var tailStart: Int { furtherStart + furtherCount * MemoryLayout<UInt64>.stride }
    var fileBytes: Int { tailStart + tailBytes }

    init() {}

    /// Nil where the words are not those of a header, or were damaged.
    init?(_ words: [UInt64], _ hash: ItemHash) {
        let isHeader =
            words.count * 8 == KnownHeader.bytes && words[0] == KnownHeader.magic && words[1] == KnownHeader.version
            && hash.value(of: Array(words[0..<9])) == ItemHash.Value(low: words[9], high: words[10])
        // What is hashed with the secret of the store was written by its runs: counts are sound.
        guard isHeader else { return nil }
        identity = ItemHash.Value(low: words[2], high: words[3])
        (entryCount, furtherCount, tailBytes) = (Int(words[4]), Int(words[5]), Int(words[6]))
        content = ItemHash.Value(low: words[7], high: words[8])
        let stamped = Array(words[2..<4]) + Array(words[KnownHeader.stampWords])
        if hash.value(of: stamped) == ItemHash.Value(low: words[24], high: words[25]) {
            stamp = Array(words[KnownHeader.stampWords])
        }
    }

    func bytes(_ hash: ItemHash) -> [UInt8] {
        words(hash).flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    }

    private func words(_ hash: ItemHash) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: KnownHeader.bytes / 8)
        (words[0], words[1]) = (KnownHeader.magic, KnownHeader.version)
        (words[2], words[3]) = (identity.low, identity.high)
        (words[4], words[5], words[6]) = (UInt64(entryCount), UInt64(furtherCount), UInt64(tailBytes))
        (words[7], words[8]) = (content.low, content.high)
        let sum = hash.value(of: Array(words[0..<9]))
        (words[9], words[10]) = (sum.low, sum.high)
        guard stamp.count == KnownHeader.stampWords.count else { return words }
        words.replaceSubrange(KnownHeader.stampWords, with: stamp)
        let stampSum = hash.value(of: Array(words[2..<4]) + stamp)
        (words[24], words[25]) = (stampSum.low, stampSum.high)
        return words
    }
}

extension ItemHash {
    package func value(of words: [UInt64]) -> Value {
        unsafe words.withUnsafeBytes { bytes in
            guard let base = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return Value(low: 0, high: 0) }
            return unsafe value(of: base, count: bytes.count)
        }
    }
}
