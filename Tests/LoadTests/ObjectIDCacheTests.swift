import TestSupport
import Testing

@testable import SluiceLoad

@Suite struct ObjectIDCacheTests {
    private func key(_ text: String, _ cache: ObjectIDCache, _ body: (ObjectIDCache.Key) -> Void) {
        let bytes = Array(text.utf8) + [0]
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            body(unsafe cache.key(base, buffer.count - 1))
        }
    }

    @Test func findsWhatWasInserted() {
        var cache = ObjectIDCache(seed: 1)
        defer { cache.deallocate() }
        let names = (0..<20_000).map { "stop-\($0)" } + ["", String(repeating: "x", count: 300)]
        for (index, name) in names.enumerated() {
            key(name, cache) { key in
                #expect(cache.find(key) == 0)
                cache.insert(key, objectID: Int64(index + 1))
            }
        }
        for (index, name) in names.enumerated() { key(name, cache) { #expect(cache.find($0) == Int64(index + 1)) } }
        key("stop-20000", cache) { #expect(cache.find($0) == 0) }
        #expect(cache.count == names.count)
    }

    /// Keys may be told before they are looked for, whether they are there or not; it changes nothing.
    @Test(arguments: [0, 1, 40, 100_000])
    func keysAreTold(count: Int) throws {
        var cache = ObjectIDCache(seed: 1)
        defer { cache.deallocate() }
        for number in 0..<count { key("stop-\(number)", cache) { cache.insert($0, objectID: Int64(number + 1)) } }
        let wanted = (0..<64).map { $0 * 7_919 % 120_000 }
        cache.prefetch(wanted.count) { place in
            var hash: UInt64?
            key("stop-\(wanted[place])", cache) { hash = place % 5 == 0 ? nil : $0.hash }
            return hash
        }
        for number in wanted {
            key("stop-\(number)", cache) { #expect(cache.find($0) == (number < count ? Int64(number + 1) : 0)) }
        }
    }

    /// Where room is made for all, tables do not grow, and take no more than they would have come to take.
    @Test func roomIsMadeAtOnce() {
        var (cache, other) = (ObjectIDCache(seed: 1), ObjectIDCache(seed: 1))
        defer {
            cache.deallocate()
            other.deallocate()
        }
        func insert(_ numbers: Range<Int>, into cache: inout ObjectIDCache) {
            for number in numbers {
                key("stop-\(number)", cache) { cache.insert($0, objectID: Int64(number + 1)) }
            }
        }
        insert(0..<20_000, into: &other)
        insert(0..<100, into: &cache)
        cache.reserve(20_000)
        let tables = cache.byteCount - cache.identifierByteCount
        insert(100..<20_000, into: &cache)
        #expect(cache.byteCount == other.byteCount && cache.count == 20_000)
        #expect(cache.byteCount - cache.identifierByteCount == tables)
        for number in 0..<20_000 { key("stop-\(number)", cache) { #expect(cache.find($0) == Int64(number + 1)) } }
        cache.reserve(20_000)
        #expect(cache.byteCount == other.byteCount)
    }

    /// Two identifiers with one hash are two: the cache compares the identifiers themselves.
    @Test func collidingHashesStayApart() {
        var cache = ObjectIDCache(seed: 1)
        defer { cache.deallocate() }
        let bytes: [[UInt8]] = [[1, 2, 3], [4, 5, 6]]
        unsafe bytes[0].withUnsafeBufferPointer { a in
            unsafe bytes[1].withUnsafeBufferPointer { b in
                guard let first = a.baseAddress, let second = b.baseAddress else { return }
                cache.insert(unsafe .init(bytes: first, count: 3, hash: 7), objectID: 1)
                #expect(cache.find(unsafe .init(bytes: second, count: 3, hash: 7)) == 0)
                cache.insert(unsafe .init(bytes: second, count: 3, hash: 7), objectID: 2)
                #expect(cache.find(unsafe .init(bytes: first, count: 3, hash: 7)) == 1)
                #expect(cache.find(unsafe .init(bytes: second, count: 3, hash: 7)) == 2)
            }
        }
    }

    /// What an emptied cache still knows are its promises, whatever else it was told before and is told afterwards.
    @Test(arguments: SeededRandom.seeds(0..<30)) func forgetsAllButPromises(seed: Int) {
        var random = SeededRandom(seed)
        var cache = ObjectIDCache(seed: UInt64(seed))
        defer { cache.deallocate() }
        var (objects, promises): ([String: Int64], [String: Int64]) = ([:], [:])
        let names = (0..<[10, 300, 3000][seed % 3]).map { "\($0)" + String(repeating: "x", count: $0 % 200) }
        for step in 1...names.count * 2 {
            let name = names[random.below(names.count)]
            let objectID = Int64(step)
            key(name, cache) { key in
                if objects[name] != nil {
                    if random.below(4) > 0 { return }
                    cache.remove(key)
                    objects[name] = nil
                } else if promises[name] == nil, random.below(2) == 0 {
                    cache.promise(key, objectID: objectID)
                    promises[name] = objectID
                } else {
                    cache.insert(key, objectID: objectID)
                    objects[name] = objectID
                    promises[name] = nil
                }
            }
            if step % names.count != random.below(names.count) { continue }
            cache.forgetObjects()
            objects = [:]
            expect(cache, names, objects, promises)
            #expect(cache.count == promises.count && !cache.isForgettable)
        }
        expect(cache, names, objects, promises)
    }

    private func expect(
        _ cache: ObjectIDCache, _ names: [String], _ objects: [String: Int64], _ promises: [String: Int64]
    ) {
        for name in names {
            key(name, cache) { key in
                #expect(cache.find(key) == objects[name, default: 0])
                #expect(cache.promised(key) == promises[name, default: 0])
            }
        }
        let identifierBytes = promises.keys.reduce(0) { $0 + $1.utf8.count + ($1.utf8.count > 127 ? 2 : 1) }
        #expect(cache.promisedByteCount == promises.count * 43 + identifierBytes)
    }

    @Test func forgottenMemoryIsFree() {
        var cache = ObjectIDCache()
        defer { cache.deallocate() }
        #expect(cache.byteCount == 0)
        for index in 1...50_000 { key("stop-\(index)", cache) { cache.insert($0, objectID: Int64(index)) } }
        #expect(cache.byteCount > 50_000 * 20)
        cache.forgetObjects()
        #expect(cache.byteCount == 0)
        key("stop-1", cache) { cache.promise($0, objectID: 7) }
        cache.forgetObjects()
        #expect(cache.byteCount > 0 && cache.byteCount < 1000)
    }

    @Test func costsAtMost48BytesAndTheIdentifier() {
        var cache = ObjectIDCache()
        defer { cache.deallocate() }
        var identifierBytes = 0
        for index in 1...300_000 {
            let name = "148620\(index)"
            identifierBytes += name.utf8.count
            key(name, cache) { cache.insert($0, objectID: Int64(index)) }
            if index % 20_000 == 0 {
                #expect(cache.byteCount - identifierBytes <= 48 * index, "at \(index) objects")
            }
        }
    }
}
