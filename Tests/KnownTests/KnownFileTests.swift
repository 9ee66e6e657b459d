import Foundation
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceKnown

/// What is written of items is found again; what was damaged is not there.
@Suite struct KnownFileTests {
    private let folder = NSTemporaryDirectory() + "sluice-known-\(UUID().uuidString)"
    private var path: String { folder + "/fingerprints" }
    private let stamp = (1...8).map { UInt64($0) }
    private let secret = (0..<UInt8(ItemHash.secretBytes)).map { $0 }
    private let identity = ItemHash.Value(low: 1, high: 2)

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func text(_ number: Int) -> [UInt8] { Array(#"{"id": \#(number), "name": "item"}"#.utf8) }

    private func hash(_ bytes: [UInt8]) -> ItemHash.Value {
        let hash = ItemHash(secret: secret)
        defer { hash.deallocate() }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return ItemHash.Value(low: 0, high: 0) }
            return unsafe hash.value(of: base, count: buffer.count)
        }
    }

    private func shape(_ writer: KnownWriter, kind: UInt8) throws -> Int {
        let bytes: [UInt8] = [0, 0, 1, 0, 1, 0, 0, 0, kind, 3, 1]
        return try #require(unsafe bytes.withUnsafeBufferPointer { unsafe writer.number(ofShape: $0) })
    }

    /// Writes items with one record each, but for every tenth, which has two.
    private func write(_ items: Range<Int>, old: KnownFile? = nil, known: Range<Int> = 0..<0) throws {
        let writer = try KnownWriter(path, secret: secret, old: old)
        writer.begin(source: 0)
        try writer.append(known: known)
        for item in items {
            let bytes = text(item)
            let read = BatchItems.Read(hash: hash(bytes), length: bytes.count, drift: 0, recordCount: 1)
            let shape = try shape(writer, kind: UInt8(item % 3))
            if item % 10 == 0 {
                try writer.append(read, [(shape, Int64(item + 1)), (shape, Int64(item + 1000))])
            } else {
                try writer.append(read, shape: shape, objectID: Int64(item + 1))
            }
        }
        try writer.finish(identity: identity, drifts: [[]], excluded: [[3]])
        try writer.publish(stamp)
    }

    /// What a run that died has left of its file is in nobody's way.
    @Test func whatIsLeftOfAnotherRunGoes() throws {
        try Data("left".utf8).write(to: URL(fileURLWithPath: path + KnownWriter.ending))
        try write(0..<20)
        #expect(open()?.items(of: 0) == 0..<20)
    }

    /// The items of each source are found as that source's, also where one between has none.
    @Test func eachSourceHasItsItems() throws {
        let writer = try KnownWriter(path, secret: secret, old: nil)
        for (item, source) in [0, 0, 0, 1, 3, 3].enumerated() {
            writer.begin(source: source)
            let bytes = text(item)
            let read = BatchItems.Read(hash: hash(bytes), length: bytes.count, drift: 0, recordCount: 1)
            try writer.append(read, shape: shape(writer, kind: 0), objectID: Int64(item + 1))
        }
        try writer.finish(identity: identity, drifts: [[]], excluded: [[]])
        try writer.publish(stamp)
        let file = try #require(open())
        #expect((0..<5).map { file.items(of: $0) } == [0..<3, 3..<4, 4..<4, 4..<6, 0..<0])
    }

    private func open(secret: [UInt8]? = nil, identity: ItemHash.Value? = nil) -> KnownFile? {
        KnownFile(path, secret: secret ?? self.secret, identity: identity ?? self.identity, relationships: { _ in 1 })
    }

    private func search(_ file: KnownFile, waiting: [Int64] = []) -> KnownSearch {
        KnownSearch(file, source: 0, waiting: [waiting], tableBytes: 1 << 20)
    }

    private func match(_ search: KnownSearch, _ number: Int) -> Bool {
        let bytes = text(number)
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            if case .known(let length) = unsafe search.match(base, buffer.count, isLast: false) {
                return length == bytes.count
            }
            return unsafe search.find(base, buffer.count)
        }
    }

    @Test("Items are found in their order, those of new shapes are read, and so are those of excluded objects")
    func inOrder() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write(0..<40)
        let file = try #require(open())
        #expect(file.count == 40 && file.stamp == stamp)
        let search = search(file, waiting: [17])
        let unknown = (0..<40).filter { !match(search, $0) }
        // The first of each of three shapes, object 3, which is excluded, and object 17, which waits.
        #expect(unknown == [0, 1, 2, 16])
        #expect(search.counts.reduce(0, +) == 36 + 3)
    }

    @Test("An item that must be read is not known when it is looked for a second time")
    func refused() throws {
        try write(0..<40)
        let search = search(try #require(open()))
        search.index()
        let bytes = text(0)
        #expect(!match(search, 0))
        let isFound = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe search.find($0, buffer.count) }
        }
        #expect(isFound == false)
    }

    @Test("Items behind others that are gone, and in any order, are found by their hashes")
    func inAnyOrder() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write(0..<200)
        let search = search(try #require(open()))
        for number in 0..<3 { _ = match(search, number) }
        #expect(match(search, 13))
        #expect(!match(search, 190), "beyond what is looked at")
        search.index()
        for number in [190, 20, 150, 21] { #expect(match(search, number), "\(number)") }
        #expect(!match(search, 500))
    }

    /// Of many items, one of sixteen leads to where the order goes on; where there is none, all get a place.
    @Test("Items in another order are found as well, once some have been looked for")
    func manyInAnyOrder() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let count = 20_000
        try write(0..<count)
        let file = try #require(open())
        let moved = search(file)
        for number in 0..<3 { _ = match(moved, number) }
        moved.index()
        let first = try #require((10_000..<10_400).first { match(moved, $0) })
        #expect((first + 1..<count).allSatisfy { match(moved, $0) })
        let scattered = search(file)
        for number in 0..<3 { _ = match(scattered, number) }
        scattered.index()
        // 7919 is prime: each comes once.
        let found = (1...10_000).filter { match(scattered, $0 * 7919 % count) }
        #expect(found.count > 9_800, "\(found.count)")
        #expect(found.last == 10_000)
    }

    /// With a hash of eight bits, twenty of them would be.
    @Test("An item that has changed is not taken for the one that was there, and of the same length")
    func changed() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write(0..<5000)
        let search = search(try #require(open()))
        for number in 0..<5000 {
            let bytes = Array(
                String(decoding: text(number), as: UTF8.self).replacingOccurrences(of: "item", with: "itme").utf8)
            let isKnown = unsafe bytes.withUnsafeBufferPointer { buffer -> Bool in
                guard let base = buffer.baseAddress else { return false }
                if case .known = unsafe search.match(base, buffer.count, isLast: true) { return true }
                return unsafe search.find(base, buffer.count)
            }
            #expect(!isKnown, "\(number)")
            // The one that was there goes by.
            _ = match(search, number)
        }
    }

    @Test("What is taken over from old fingerprints is as it was")
    func takenOver() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write(0..<30)
        let old = try #require(open())
        try write(100..<110, old: old, known: 5..<25)
        let search = search(try #require(open()))
        for number in 5..<8 { _ = match(search, number) }
        for number in Array(8..<25) + Array(100..<110) { #expect(match(search, number), "\(number)") }
        #expect(search.counts.reduce(0, +) == 27 + 3)
    }

    /// What is freed twice ends the process, or another test.
    @Test("Where they cannot be written, that is said, and what was made for it is freed once")
    func nowhere() throws {
        for _ in 0..<200 {
            #expect(throws: Failure.self) {
                _ = try KnownWriter(folder + "/there is none/fingerprints", secret: secret, old: nil)
            }
        }
    }

    @Test("Of another secret, another identity, or with any byte changed, there are none")
    func damaged() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write(0..<20)
        #expect(open(secret: secret.reversed()) == nil)
        #expect(open(identity: ItemHash.Value(low: 1, high: 3)) == nil)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var random = SeededRandom(3)
        // The stamp, and the words behind it, are no part of what is known.
        let places = (0..<88).map { $0 } + (256..<whole.count).filter { _ in random.below(4) == 0 }
        for place in places {
            var bytes = whole
            bytes[place] ^= 1 << UInt8(random.below(8))
            try bytes.write(to: URL(fileURLWithPath: path))
            #expect(open() == nil, "byte \(place)")
        }
        for count in [0, 1, 255, 256, 300, whole.count - 1] {
            try whole.prefix(count).write(to: URL(fileURLWithPath: path))
            #expect(open() == nil, "\(count) bytes")
        }
        var stamped = whole
        stamped[130] ^= 1
        try stamped.write(to: URL(fileURLWithPath: path))
        #expect(open()?.stamp == [])
    }
}
