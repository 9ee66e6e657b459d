import SluiceDefinition
import SluiceLoad
import SluiceRecords
import SluiceReport
import SluiceSchema
import SluiceStores

/// What differs in a store between two runs, as people and programs read it.
package struct StoreDifferences {
    /// A run, or a time: what the last run that had ended by then has left.
    package enum Moment: Sendable {
        case run(Int)
        /// RFC 3339, UTC.
        case time(String)
        /// The beginning of a day, in UTC: so many before today.
        case dayBefore(Int)
        case now

        /// Whether there is a time that is written so.
        package static func isTime(_ text: String) -> Bool { PastTime.isWritten(so: text) && Timestamp.isThere(text) }

        /// The run that left what the store held then; 0: there was none.
        func run(_ past: any HistoryReader) throws(Failure) -> Int {
            switch self {
            case .run(let run): run
            case .time(let time): try past.lastRun(endedBy: time)
            case .dayBefore(let days): try past.lastRun(endedBeforeDay: days)
            case .now: try past.lastRun()
            }
        }

        /// The same, where there must be one.
        func anyRun(_ past: any HistoryReader) throws(Failure) -> Int {
            let run = try run(past)
            guard run > 0 else {
                throw Failure(.missing, "no run on the store \(past.name) had ended by then: the history begins later")
            }
            return run
        }
    }

    private let past: any HistoryReader
    private let (from, to): (Int, Int)
    private let entity: String?
    private let shown: PastValueText

    /// - Parameters:
    ///   - store: another store than the definition's.
    ///   - entity: the only one; nil: all.
    /// - Throws: `missing` where there is no store; `definition` where it keeps no history.
    package init(
        _ definition: PipelineDefinition, store: String? = nil, from: Moment, to: Moment, entity: String? = nil
    ) throws(Failure) {
        past = try definition.location(instead: store).past()
        self.from = try from.run(past)
        self.to = try to.run(past)
        self.entity = entity
        shown = PastValueText(definition)
    }

    /// As people read it.
    package func text(write: (String) throws(Failure) -> Void) throws(Failure) {
        var count = 0
        try past.differences(from: from, to: to, of: entity) { entity, names, difference throws(Failure) in
            count += 1
            var text = "\(entity.printable) \(JSONText.shown(difference.identifier)) \(difference.event)\n"
            let (before, after) = (difference.before ?? [], difference.after ?? [])
            for index in difference.changed {
                let values = [before[index], after[index]].map { shown.text($0, names[index], of: entity) }
                text += "  \(names[index].printable): \(values[0]) → \(values[1])\n"
            }
            try write(text)
        }
        if count == 0 { try write(nothing) }
        if let run = try past.lastForgetting(after: min(from, to)) {
            try write("What some objects were before run \(run) was forgotten on demand, and is not told.\n")
        }
        guard entity == nil else { return }
        for name in try past.withoutHistory() {
            try write("Of \(name.printable), nothing is known: the store keeps no history of it.\n")
        }
    }

    /// Where nothing differs: of two times between which no run ended, why.
    private var nothing: String {
        if from != to { return "Nothing differs between run \(from) and run \(to).\n" }
        return to == 0
            ? "Nothing can be compared: no run on the store had ended by then.\n"
            : "Nothing differs: no run has ended between the two, and run \(to) is the last one before.\n"
    }

    /// The first objects.
    func first(_ most: Int) throws(Failure) -> NightChanges {
        var found = NightChanges(changes: [], isCut: false)
        do throws(Failure) {
            try past.differences(from: from, to: to, of: entity) { entity, names, difference throws(Failure) in
                // Nothing but a failure ends it early.
                guard found.changes.count < most else {
                    found.isCut = true
                    throw Failure(.cancelled, "there are enough")
                }
                let (before, after) = (difference.before ?? [], difference.after ?? [])
                let values = difference.changed.map { index in
                    let texts = [before, after].map { shown.text($0[index], names[index], of: entity) }
                    return (name: names[index], before: texts[0], after: texts[1])
                }
                found.changes.append(
                    .init(entity: entity, identifier: difference.identifier, event: difference.event, values: values))
            }
        } catch {
            if !found.isCut { throw error }
        }
        return found
    }

    /// Statements of SQL.
    package func sql(write: (String) throws(Failure) -> Void) throws(Failure) {
        try past.script(from: from, to: to, of: entity, each: write)
    }

    /// A line of JSON for each object.
    package func json(write: (String) throws(Failure) -> Void) throws(Failure) {
        try past.differences(from: from, to: to, of: entity) { entity, names, difference throws(Failure) in
            var members = [
                ("entity", JSONText.quoted(entity)), ("identifier", JSONText.shown(difference.identifier)),
                ("event", JSONText.quoted(difference.event)),
            ]
            if let before = difference.before, let after = difference.after {
                let changes = difference.changed.map { index in
                    (
                        names[index],
                        JSONText.object([
                            ("from", JSONText.shown(before[index])), ("to", JSONText.shown(after[index])),
                        ])
                    )
                }
                members.append(("changes", JSONText.object(changes)))
            } else if let values = difference.after ?? difference.before {
                members.append(
                    ("values", JSONText.object(zip(names, values).map { ($0, JSONText.shown($1)) })))
            }
            try write(JSONText.object(members) + "\n")
        }
    }
}

extension ObjectDifference {
    /// What became of the object.
    fileprivate var event: String {
        if isForgotten { return "forgotten before" }
        if before == nil { return "created" }
        return after == nil ? "deleted" : "changed"
    }
}
