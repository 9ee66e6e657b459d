import SluiceLoad
import SluiceRecords

/// The last run of a pipeline, if the store is as that run left it: asked for once, by whoever needs it first. It must
/// be before a run begins in the store.
final class LastRun {
    private let store: any OpenStore
    /// Nil: the store has not been asked yet.
    private var asked: LedgerRow??

    init(_ store: any OpenStore) { self.store = store }

    /// Nil: there is none, or the store is not as it left it.
    func row() throws(Failure) -> LedgerRow? {
        if let asked { return asked }
        let row = try store.lastRun()
        asked = .some(row)
        return row
    }
}
