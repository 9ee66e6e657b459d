import SluiceRecords
import SluiceStore

extension StoreLock {
    /// Takes the lock of a store, whether the store is there yet or not.
    ///
    /// - Throws: `busy` where another run still holds it when the patience ends, and `cancelled`.
    convenience init(
        store: String, holder: Holder, control: RunControl, pause: UInt32 = StoreLock.pause
    ) throws(Failure) {
        try self.init(
            store: store, holder: holder, patience: control.patience, pause: pause,
            waiting: {
                control.onWait($0)
                control.meter.enter(.waiting)
            },
            check: { () throws(Failure) in try control.cancellation.check() })
    }
}
