import Synchronization

/// How many bytes may still come.
final class Budget: Sendable {
    private let left: Mutex<UInt64>

    init(_ bytes: UInt64) { left = Mutex(bytes) }

    var rest: UInt64 { left.withLock { $0 } }

    /// False: so many may not come.
    func spend(_ bytes: Int) -> Bool {
        left.withLock { left in
            guard left >= UInt64(bytes) else { return false }
            left -= UInt64(bytes)
            return true
        }
    }
}
