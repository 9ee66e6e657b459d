import SluiceRecords

extension RunReport {
    /// Whether nothing is stored of what the run did.
    var isUndone: Bool {
        task.isDry || [.failed, .cancelled].contains(outcome.status) && task.commit == .run && !outcome.isUncertain
    }

    /// Whether the run would delete more than it may, or read fewer records than it must. Then even a run that saves
    /// its batches does not keep what came after the last one: a feed that comes back half empty must not empty the
    /// table.
    package var holdsTooLittle: Bool {
        outcome.exceeded.contains { $0.kind == .deletes || $0.kind == .records }
    }

    /// Whether a run has failed, or was cancelled, and has undone what it did; of a dry run, whether a run would have.
    package var isRolledBack: Bool {
        [.failed, .cancelled].contains(outcome.status) && task.commit == .run && !outcome.isUncertain
    }

    /// The counts of an entity with what is in the store: of a run that has undone what it did, nothing was created.
    package func saved(_ counts: EntityCounts) -> EntityCounts {
        var saved = counts
        if isRolledBack {
            for (_, path) in EntityCounts.changes { saved[keyPath: path] = 0 }
        } else if keepsWhatIsAbsent {
            saved.deleted = 0
        }
        return saved
    }

    /// Whether nothing is deleted of what the run would have deleted.
    var deletesNothing: Bool { isUndone || keepsWhatIsAbsent }

    /// Whether a run, which the dry one is held to be, deletes nothing: deletions follow the last batch, and a run that
    /// fails then, for a limit or for another reason, keeps no more than its batches.
    private var keepsWhatIsAbsent: Bool {
        guard [.failed, .cancelled].contains(outcome.status), !outcome.isUncertain else { return false }
        return outcome.error != nil || outcome.status == .cancelled || holdsTooLittle
    }

    /// What has gone wrong, beside limits.
    var failures: [Failure] { [outcome.error, outcome.findingsFailure].compactMap { $0 } }

    /// Why the run failed, in sentences; empty where it did not.
    public var reasons: [String] { failures.map(\.description) + outcome.exceeded.map(\.message) }

    /// The same for lists of runs, most of which are over and done with.
    package var shortReasons: [String] { failures.map(\.description) + outcome.exceeded.map(\.summary) }
}
