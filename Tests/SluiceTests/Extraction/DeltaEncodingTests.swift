import TestSupport
import Testing

@testable import SluiceColumns

@Suite("Numbers and texts as differences")
struct DeltaEncodingTests {
    private func page(_ parts: [ColumnBytes]) -> [UInt8] { parts.flatMap { unsafe Array($0.view) } }

    /// What a reader finds, and whether it comes to the end of the page.
    private func read(_ numbers: [Int64]) -> (found: [Int64], isWhole: Bool) {
        var encoder = DeltaNumbers()
        defer { encoder.deallocate() }
        // Used for one row group after the other.
        for _ in 0..<2 {
            encoder.reset()
            for number in numbers { encoder.append(number) }
        }
        let page = page(encoder.finish())
        var reader = DeltaReader(bytes: page)
        let found = reader.numbers()
        return (found, reader.at == page.count)
    }

    private func read(_ texts: [[UInt8]]) -> (found: [[UInt8]], isWhole: Bool) {
        var encoder = DeltaTexts()
        defer { encoder.deallocate() }
        for _ in 0..<2 {
            encoder.reset()
            for text in texts { unsafe text.withUnsafeBufferPointer { unsafe encoder.append($0) } }
        }
        #expect(encoder.plainCount == texts.reduce(0) { $0 + $1.count + 4 })
        let page = page(encoder.finish())
        var reader = DeltaReader(bytes: page)
        let found = reader.texts()
        return (found, reader.at == page.count)
    }

    @Test("So many numbers", arguments: [0, 1, 2, 32, 33, 34, 127, 128, 129, 130, 160, 161, 257, 258, 1000])
    func counts(count: Int) {
        let numbers = (0..<Int64(count)).map { $0 * $0 % 91 - 40 }
        let read = read(numbers)
        #expect(read.found == numbers)
        #expect(read.isWhole)
    }

    @Test("Numbers of any width", arguments: 0...64)
    func widths(bits: Int) {
        var random = SeededRandom(bits)
        let mask: UInt64 = bits == 64 ? .max : 1 << UInt64(bits) - 1
        let numbers = (0..<300).map { _ in Int64(bitPattern: UInt64.random(in: .min ... .max, using: &random) & mask) }
        let read = read(numbers)
        #expect(read.found == numbers)
        #expect(read.isWhole)
    }

    @Test("Differences that overflow")
    func overflow() {
        let extremes: [Int64] = [.min, .max, 0, .max, .min, -1, .min, 1, .max, .max, .min, .min, 0]
        #expect(read(extremes).found == extremes)
        let many = (0..<400).map { extremes[$0 * 7 % extremes.count] }
        #expect(read(many).found == many)
        #expect(read([Int64.min]).found == [.min])
    }

    @Test("What counts, or stays the same, takes seven bytes a block at the most")
    func small() {
        for step in [0, 1, -3] as [Int64] {
            var encoder = DeltaNumbers()
            defer { encoder.deallocate() }
            for place in 0..<12_801 { encoder.append(1_000_000_000 + step * Int64(place)) }
            #expect(page(encoder.finish()).count <= 700 + 12)
        }
    }

    @Test("Texts that have much, little or nothing in common", arguments: 0..<20)
    func texts(seed: Int) {
        var random = SeededRandom(seed)
        var texts: [[UInt8]] = []
        for place in 0..<(seed < 4 ? seed : 300) {
            let kept = Array((texts.last ?? []).prefix(random.below(40)))
            let letters = (0..<random.below(seed == 7 ? 700 : 12)).map { _ in UInt8(random.below(3)) }
            texts.append(random.below(4) == 0 ? letters : kept + letters)
            if place % 5 == 0 { texts.append(texts[texts.count - 1]) }
            if place % 17 == 0 { texts.append([]) }
        }
        let read = read(texts)
        #expect(read.found == texts)
        #expect(read.isWhole)
    }

    @Test("Long texts have no more in common than is remembered")
    func long() {
        let same = [UInt8](repeating: 7, count: 1000)
        let texts = [
            same, same, Array(same.prefix(256)) + [8], Array(same.prefix(255)) + [8], [7], same,
            Array(same.prefix(200)) + [1],
        ]
        #expect(read(texts).found == texts)
    }
}
