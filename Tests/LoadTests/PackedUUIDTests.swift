import TestSupport
import Testing

@testable import SluiceLoad

/// Of a UUID as text, the objectID cache keeps the digits: equal for equal texts, and only for these.
@Suite struct PackedUUIDTests {
    private static let uuid = Array("0189abcd-ef45-7e9f-8321-76540fedcba9".utf8)

    private func pack(_ text: [UInt8]) -> [UInt8]? {
        var packed = [UInt8](repeating: 0, count: PackedUUID.bytes)
        let isPacked = unsafe text.withUnsafeBufferPointer { text in
            unsafe packed.withUnsafeMutableBufferPointer { packed in
                guard let source = text.baseAddress, let target = packed.baseAddress else { return false }
                return unsafe PackedUUID.pack(source, into: target)
            }
        }
        return isPacked ? packed : nil
    }

    /// What a byte of a UUID may be, said in another way.
    private func isPart(_ byte: UInt8, at place: Int) -> Bool {
        [8, 13, 18, 23].contains(place) ? byte == 0x2d : "0123456789abcdef".utf8.contains(byte)
    }

    /// Any byte at any place: what is a UUID is packed, each to bytes of its own; what is none is not.
    @Test func eachByteCounts() {
        var seen: Set<[UInt8]> = []
        var count = 0
        for place in Self.uuid.indices {
            for byte in UInt8.min ... .max {
                var text = Self.uuid
                text[place] = byte
                let packed = pack(text)
                #expect((packed != nil) == isPart(byte, at: place), "\(byte) at \(place)")
                guard let packed else { continue }
                #expect(packed == pack(text))
                // As no text does.
                #expect(packed.first == 0xff)
                seen.insert(packed)
                if byte != Self.uuid[place] { count += 1 }
            }
        }
        #expect(seen.count == count + 1 && count == 32 * 15)
    }

    /// Digits that change places are other digits.
    @Test(arguments: SeededRandom.seeds(0..<20)) func eachPlaceCounts(seed: Int) {
        var random = SeededRandom(seed)
        let digits = Array("0123456789abcdef".utf8)
        var (texts, packed): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
        for _ in 0..<500 {
            var text = Self.uuid
            // Few kinds of digits: most differ by their order alone.
            for place in text.indices where isPart(digits[0], at: place) { text[place] = digits[random.below(2) * 9] }
            texts.insert(text)
            if let bytes = pack(text) { packed.insert(bytes) }
        }
        #expect(packed.count == texts.count)
    }
}
