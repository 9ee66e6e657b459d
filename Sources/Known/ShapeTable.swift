import SluiceRecords

/// Texts of bytes, each once, by numbers from 0.
@safe
package struct ShapeTable {
    /// What all shapes may take.
    private static let mostBytes = 16 << 20
    /// Numbers of shapes have 24 bits.
    private static let mostShapes = 1 << 24 - 1
    private static let least = 256

    private var arena = Arena(capacity: 1 << 12)
    /// By number: where its bytes begin, and their count.
    private var places = Table<Place>()
    private var buckets: [Int32]
    package private(set) var count = 0

    private struct Place: BitwiseCopyable {
        var start: UInt32
        var count: UInt32
        var hash: UInt64

        var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
    }

    package init() { buckets = Array(repeating: -1, count: ShapeTable.least) }

    package mutating func deallocate() {
        arena.deallocate()
        places.deallocate()
    }

    /// The number of some bytes; nil where there are too many shapes.
    package mutating func number(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let hash = unsafe ShapeTable.hash(bytes)
        var bucket = Int(truncatingIfNeeded: hash) & (buckets.count - 1)
        while buckets[bucket] >= 0 {
            let place = places[Int(buckets[bucket])]
            if place.hash == hash, unsafe isSame(place, bytes) { return Int(buckets[bucket]) }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        guard arena.count + bytes.count <= ShapeTable.mostBytes, count < ShapeTable.mostShapes else { return nil }
        unsafe add(bytes, hash)
        return count - 1
    }

    /// Bytes of all of them.
    var byteCount: Int { arena.count }

    /// The bytes of one, until another one is added.
    func bytes(of number: Int) -> UnsafeRawBufferPointer {
        let range = places[number].range
        return unsafe UnsafeRawBufferPointer(start: arena.base + range.lowerBound, count: range.count)
    }

    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, _ hash: UInt64) {
        let start = arena.reserve(bytes.count)
        if let base = bytes.baseAddress { unsafe (arena.base + start).update(from: base, count: bytes.count) }
        places.ensure(count + 1)
        places[count] = Place(start: UInt32(start), count: UInt32(bytes.count), hash: hash)
        count += 1
        if count * 2 > buckets.count {
            buckets = Array(repeating: -1, count: buckets.count * 2)
            for number in 0..<count { insert(number) }
        } else {
            insert(count - 1)
        }
    }

    private mutating func insert(_ number: Int) {
        var bucket = Int(truncatingIfNeeded: places[number].hash) & (buckets.count - 1)
        while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
        buckets[bucket] = Int32(number)
    }

    private func isSame(_ place: Place, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let range = place.range
        guard range.count == bytes.count else { return false }
        for index in range where unsafe arena.base[index] != bytes[index - range.lowerBound] { return false }
        return true
    }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var (hash, at) = (UInt64(bytes.count), 0)
        let memory = UnsafeRawBufferPointer(bytes)
        while at + 8 <= bytes.count {
            hash = mix(hash ^ (unsafe memory.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
            at += 8
        }
        while at < bytes.count {
            hash = mix(hash ^ UInt64(unsafe bytes[at]))
            at += 1
        }
        return hash
    }

    private static func mix(_ word: UInt64) -> UInt64 {
        let product = word &* 0x9e37_79b9_7f4a_7c15
        return product ^ product >> 29
    }
}
