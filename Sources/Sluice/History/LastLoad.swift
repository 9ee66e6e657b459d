import SluiceDefinition
import SluiceLoad
import SluiceRecords
import SluiceReport
import SluiceStores

/// The last run of a pipeline that has loaded: what most want to know of a store is what that has changed.
package struct LastLoad {
    /// Its number.
    package let run: Int
    private let started: String

    /// - Parameter store: another store than the definition's.
    /// - Throws: `missing` where there is no store, or no run of the pipeline has loaded into it.
    package init(_ definition: PipelineDefinition, store: String? = nil) throws(Failure) {
        let location = try definition.location(instead: store)
        var found: (run: Int, started: String)?
        try location.ledger().rows(of: definition.name) { row throws(Failure) in
            if row.status == "succeeded" { found = (row.run, row.started) }
            return found == nil
        }
        guard let found else {
            throw Failure(
                .missing, "no run of \(definition.name) has loaded anything into the store \(location) yet")
        }
        (run, started) = found
    }

    /// What the store held before it, whichever run had left that.
    package var before: Int { run - 1 }

    /// What is compared, above what differs.
    package var heading: String {
        let other = before == 0 ? "an empty store" : "run \(before)"
        return "Run \(run), started \(Timestamp.minutes(of: started).printable) UTC, against \(other) before it:\n"
    }
}
