import Glibc
import SluiceDefinition
import SluicePosix
import SluiceRecords
import SluiceReport
import SluiceStores

/// The changes of a run in a store that keeps its past: the differences between this run and one before it, of whatever
/// pipeline.
package struct RunChanges {
    private let run: Int
    private let differences: (_ from: Int, _ entity: String?) throws(Failure) -> StoreDifferences
    /// The last run before that has started the hooks which this one starts, or those of success; 0: there is none.
    private let told: () throws(Failure) -> Int

    /// Nil: the run has no number. The store is opened when the changes are asked for: in most runs they are not.
    ///
    /// - Parameter store: another store than the definition's.
    package init?(_ definition: PipelineDefinition, store: String?, _ report: RunReport) {
        guard let run = report.run, !report.task.isDry else { return nil }
        self.run = run
        differences = { (from: Int, entity: String?) throws(Failure) in
            try StoreDifferences(definition, store: store, from: .run(from), to: .run(run), entity: entity)
        }
        let statuses = ["succeeded", report.outcome.status.rawValue]
        told = { () throws(Failure) in
            var told = 0
            try definition.location(instead: store).ledger().rows(of: nil) { row throws(Failure) in
                if row.run < run, statuses.contains(row.status) { told = row.run }
                return told == 0
            }
            return told
        }
    }

    /// The first of them, for a page; nil: the store keeps no history, or it is not known what the run before had left.
    package func first() throws(Failure) -> NightChanges? {
        try unlessForgotten { () throws(Failure) in try differences(run - 1, nil).first(NightChanges.most) }
    }

    /// Writes those that hooks have not been told to a file, a line of JSON each, and calls back with its path; then
    /// the file goes. Nil: as `first`.
    ///
    /// A run that died, or for whose outcome no hook may be, has changes all the same: those of batches that it saved,
    /// and of programs before it.
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
            let told = try told()
            var isWritten = try write(from: told, entity, to: descriptor, path)
            // The history may begin later.
            if !isWritten, told < run - 1 { isWritten = try write(from: run - 1, entity, to: descriptor, path) }
            isKnown = isWritten
        }
        return try body(isKnown ? path : nil)
    }

    /// Writes the changes since a run, in place of what the file has. False: as `first`.
    private func write(
        from earlier: Int, _ entity: String?, to descriptor: CInt, _ path: String
    ) throws(Failure) -> Bool {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw Failure(.io, "the changes cannot be written to \(path)", errno: errno)
        }
        return try unlessForgotten { () throws(Failure) in
            try differences(earlier, entity).json { text throws(Failure) in
                guard writeAll(text, to: descriptor) else {
                    throw Failure(.io, "the changes cannot be written to \(path)", errno: errno)
                }
            }
            return true
        } ?? false
    }

    /// Nil: the history begins with the run, or has forgotten what was before.
    private func unlessForgotten<Result>(_ body: () throws(Failure) -> Result?) throws(Failure) -> Result? {
        do throws(Failure) {
            return try body()
        } catch {
            if error.kind == .missing || error.kind == .definition { return nil }
            throw error
        }
    }
}
