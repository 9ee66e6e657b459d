import SluiceRecords
import TestSupport
import Testing

@Suite struct ItemHashTests {
    private func value(_ bytes: [UInt8], secret: UInt8 = 7) -> ItemHash.Value {
        let hash = ItemHash(secret: (0..<UInt8(ItemHash.secretBytes)).map { $0 &* 5 &+ secret })
        defer { hash.deallocate() }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return ItemHash.Value(low: 0, high: 0) }
            return unsafe hash.value(of: base, count: buffer.count)
        }
    }

    @Test("A changed, an added and a missing byte give another hash, wherever it is")
    func eachByteCounts() {
        var random = SeededRandom(1)
        for count in [1, 2, 7, 8, 9, 15, 16, 17, 100, 1023, 1024, 1025, 2049, 5000] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
            let hash = value(bytes)
            #expect(value(bytes) == hash)
            for _ in 0..<20 {
                var other = bytes
                other[random.below(count)] ^= 1 << UInt8(random.below(8))
                #expect(value(other) != hash)
            }
            #expect(value(bytes + [0]) != hash)
            if count > 1 { #expect(value(Array(bytes.dropLast())) != hash) }
            #expect(value(bytes, secret: 8) != hash)
        }
    }

    @Test("Neither half of the hash repeats among many texts")
    func halves() {
        var (lows, highs): (Set<UInt64>, Set<UInt64>) = ([], [])
        for number in 0..<20_000 {
            let hash = value(Array(#"{"id":\#(number)}"#.utf8))
            lows.insert(hash.low)
            highs.insert(hash.high)
        }
        #expect(lows.count == 20_000 && highs.count == 20_000)
    }

    @Test("Words that change places give another hash")
    func order() {
        let bytes = (0..<64).map { UInt8($0) }
        #expect(value(bytes) != value(Array(bytes[8..<16]) + Array(bytes[0..<8]) + Array(bytes[16...])))
        #expect(value(bytes) != value(Array(bytes[16..<32]) + Array(bytes[0..<16]) + Array(bytes[32...])))
    }
}
