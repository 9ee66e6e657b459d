import SluiceDefinition
import SluiceRecords

// What the text of a report and its page say alike.
extension RunReport {
    /// The exit status, where it is not 0; nil: it is, or is not known.
    var exitInWords: String? { exitStatus == 0 || !outcome.hasKnownExit ? nil : "exit status \(exitStatus)" }

    /// When the feed was loaded that the store has; nil: that is not known, or the run has not succeeded.
    package var loaded: Timestamp? {
        switch outcome.status {
        case .succeeded: time.finished
        case .unchanged: earlier.load?.finished
        case .failed, .cancelled: nil
        }
    }

    /// Why the run failed, a sentence each.
    var sentences: [String] {
        failures.map(\.description)
            + outcome.exceeded.map { limit in
                limit.message.prefix(1).uppercased() + limit.message.dropFirst() + "."
            }
    }

    /// What is to be known of the run beside how it ended: since when it fails, what was allowed, what its services
    /// were asked for.
    var notes: [String] {
        (earlier.standing?.lines ?? []) + allowances + parts("asked for everything", \.isAnew)
            + parts("earlier files lack something", \.isOutdated, " (--full reads all)") + wire.compactMap(\.line)
    }

    /// The limits that were those of this run alone.
    private var allowances: [String] {
        task.allowed.isEmpty
            ? [] : ["allowed once: \(task.allowed.map { "\($0.limit) \($0.amount)" }.joined(separator: ", "))"]
    }

    /// The sources that give what is new, and of which the definition takes something else than before.
    private func parts(_ start: String, _ isMeant: (SourceFacts) -> Bool, _ end: String = "") -> [String] {
        let names = sources.filter(isMeant).map(\.name.printable).joined(separator: ", ")
        return names.isEmpty ? [] : ["\(start), as the definition takes something else: \(names)\(end)"]
    }
}
