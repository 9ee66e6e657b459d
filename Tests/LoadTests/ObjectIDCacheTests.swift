import Testing

@testable import Load

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
