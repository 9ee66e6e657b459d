import SluiceRecords

/// Identifiers whose records say that their objects are gone, where there is none: a later copy is not the first of its
/// object for that. There may be any number of them, so they are on the disk; the code that makes a `Loader` says how.
package protocol GoneIdentifiers: AnyObject {
    /// The objectID that was kept for an identifier, or 0.
    func objectID(of identifier: UnsafeBufferPointer<UInt8>) throws(Failure) -> Int64

    func add(_ identifier: UnsafeBufferPointer<UInt8>, objectID: Int64) throws(Failure)
}
