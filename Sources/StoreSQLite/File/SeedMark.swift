import SluiceRecords

/// The mark of a seed: a store that is published, and never written to in place.
package enum SeedMark {
    /// `PRAGMA application_id`: "SLSD".
    package static let application: Int64 = 0x534C_5344

    /// Throws where a store is a seed that was not installed to be written to.
    static func refuse(_ connection: Connection) throws(Failure) {
        guard try connection.integer("PRAGMA application_id") == application else { return }
        throw Failure(
            .definition,
            "the store \(connection.path) is a seed, which no run may change: what a run brought would be lost with the "
                + "next version; install it with `sluice seed install --writable`")
    }
}
