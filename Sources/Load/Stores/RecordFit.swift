import SluiceRecords

/// What a store cannot hold, which others can.
package protocol RecordFit: Sendable {
    /// Rejects the records of a batch with such values, before they are loaded.
    func check(_ batch: RecordBatch)
}
