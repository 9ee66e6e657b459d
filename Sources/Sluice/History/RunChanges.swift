import Glibc
import SluiceDefinition
import SluicePosix
import SluiceRecords
import SluiceReport
import SluiceStores

/// The changes of a run in a store that keeps its past: the differences between this run and the run before it, of
/// whatever pipeline.
package struct RunChanges {
    private let differences: (_ entity: String?) throws(Failure) -> StoreDifferences

    /// Nil: the run has no number. The store is opened when the changes are asked for: in most runs they are not.
    ///
    /// - Parameter store: another store than the definition's.
    package init?(_ definition: PipelineDefinition, store: String?, _ report: RunReport) {
        guard let run = report.run, !report.task.isDry else { return nil }
        differences = { (entity: String?) throws(Failure) in
            try StoreDifferences(definition, store: store, from: .run(run - 1), to: .run(run), entity: entity)
        }
    }

    /// The first of them, for a page; nil: the store keeps no history, or it is not known what the run before had left.
    package func first() throws(Failure) -> NightChanges? {
        try known { () throws(Failure) in try differences(nil).first(NightChanges.most) }
    }

    /// Writes them to a file of its own, a line of JSON each, and calls back with its path; then the file goes. Nil: as
    /// `first`.
    ///
    /// - Parameter entity: the only one; nil: all.
    func withFile<Result>(
        of entity: String?, _ body: (_ path: String?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (descriptor, path) = try TemporaryFile.create()
        defer { _ = unsafe unlink(path) }
        let isKnown: Bool
        do {
            defer { close(descriptor) }
            isKnown =
                try known { () throws(Failure) in
                    try differences(entity).json { text throws(Failure) in
                        guard writeAll(text, to: descriptor) else {
                            throw Failure(.io, "the changes cannot be written to \(path)", errno: errno)
                        }
                    }
                    return true
                } ?? false
        }
        return try body(isKnown ? path : nil)
    }

    /// Nil: the history begins with the run, or has forgotten what was before.
    private func known<Result>(_ body: () throws(Failure) -> Result?) throws(Failure) -> Result? {
        do throws(Failure) {
            return try body()
        } catch {
            if error.kind == .missing || error.kind == .definition { return nil }
            throw error
        }
    }
}
