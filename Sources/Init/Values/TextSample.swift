import SluiceRecords

/// A few of the texts at a place, up to 64 of them: those with the smallest hashes, whatever their order. They show of
/// which parts texts are made, where one of these may be a reference.
@safe
struct TextSample: BitwiseCopyable {
    /// Longer texts are no references, and have none in them.
    static let longest = 64
    private static let most = 64
    /// Of a text: its hash, its length, and its bytes.
    private static let words = 2 + longest / 8

    private var slots = Table<UInt64>(capacity: 0)
    private(set) var count = 0
    /// What is not smaller is not kept.
    private var limit = UInt64.max
    private var largest = 0

    /// Adds a text which is not here yet.
    mutating func insert(_ hash: UInt64, _ text: UnsafePointer<UInt8>, _ length: Int) {
        guard length <= TextSample.longest, hash < limit else { return }
        var slot = count
        if count < TextSample.most {
            slots.ensure((count + 1) * TextSample.words)
            count += 1
        } else {
            slot = largest
        }
        slots[slot * TextSample.words] = hash
        slots[slot * TextSample.words + 1] = UInt64(length)
        unsafe bytes(slot).update(from: text, count: length)
        if count == TextSample.most { findLargest() }
    }

    private mutating func findLargest() {
        limit = 0
        for slot in 0..<count where slots[slot * TextSample.words] > limit {
            limit = slots[slot * TextSample.words]
            largest = slot
        }
    }

    private func bytes(_ slot: Int) -> UnsafeMutablePointer<UInt8> {
        let start = unsafe UnsafeMutableRawPointer(slots.base + slot * TextSample.words + 2)
        return unsafe start.assumingMemoryBound(to: UInt8.self)
    }

    func contains(_ hash: UInt64) -> Bool {
        (0..<count).contains { slots[$0 * TextSample.words] == hash }
    }

    var texts: [[UInt8]] {
        (0..<count).map { slot in
            let length = Int(slots[slot * TextSample.words + 1])
            return unsafe Array(UnsafeBufferPointer(start: bytes(slot), count: length))
        }
    }

    mutating func merge(_ other: TextSample) {
        for slot in 0..<other.count {
            let hash = other.slots[slot * TextSample.words]
            if contains(hash) { continue }
            unsafe insert(hash, other.bytes(slot), Int(other.slots[slot * TextSample.words + 1]))
        }
    }

    mutating func deallocate() { slots.deallocate() }
}
