import SluiceRecords

/// What gets the rows of an entity's records: the hash of its owner, and those of its columns.
class RowReceiver {
    let entity: DraftEntity
    /// Why a row could not be taken.
    var failure: Failure?

    init(_ entity: DraftEntity) { self.entity = entity }

    /// Whether nothing is asked of the records any more.
    var isDone: Bool { false }

    func add(_ row: UnsafePointer<UInt64>) -> RowDemand { .more }
}

/// What becomes of the rows after one.
enum RowDemand {
    case more
    /// Nothing more is asked of the entity's records.
    case enough
    case failed
}

/// What the rows of an entity are given to.
protocol RowListener: AnyObject {
    func take(_ row: UnsafePointer<UInt64>)
}

/// Gives the rows of an entity to all that listen.
final class RowForwarder: RowReceiver {
    private var listeners: [any RowListener] = []

    func add(_ listener: any RowListener) { listeners.append(listener) }

    override var isDone: Bool { listeners.isEmpty }

    override func add(_ row: UnsafePointer<UInt64>) -> RowDemand {
        for listener in listeners { unsafe listener.take(row) }
        return .more
    }
}
