import SluiceRecords

/// What takes the bytes of a file that is downloaded.
package protocol DownloadSink: AnyObject {
    /// All that came before is of no use: the content begins anew.
    ///
    /// - Parameter validator: what guards a request for the rest of it; nil: nothing that the service names.
    func begin(_ validator: String?) throws(Failure)
    func write(_ bytes: UnsafeRawBufferPointer) throws(Failure)
}
