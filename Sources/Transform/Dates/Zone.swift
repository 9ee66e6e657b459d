import SluiceRecords

/// A time zone: when its offset from UTC changed, and will change.
final class Zone: Sendable {
    /// From this moment on the offset applies.
    struct Transition: Equatable {
        /// Seconds from 1970, UTC.
        var start: Int64
        /// Seconds east of UTC.
        var offset: Int64
    }

    /// What a local time means.
    enum Moment: Equatable {
        /// Seconds from 1970, UTC.
        case once(Int64)
        /// Clocks never showed it.
        case skipped
        /// Clocks showed it twice.
        case repeated
    }

    /// The Gregorian calendar, weekdays included, repeats every 400 years.
    private static let cycle: Int64 = 146_097 * CivilTime.secondsPerDay
    /// More than the difference between any local time and UTC (RFC 8536: less than 26 hours).
    private static let margin: Int64 = 26 * 3600

    /// Before the first transition.
    private let initialOffset: Int64
    private let transitions: [Transition]
    /// From here on, local times repeat with the calendar; nil: they do not change any more.
    private let repeats: Int64?

    /// A zone whose offset never changes.
    init(offset: Int64) {
        initialOffset = offset
        transitions = []
        repeats = nil
    }

    /// A zone of the system's database, by its IANA name.
    convenience init(named name: String) throws(InvalidConversion) {
        if name == "UTC" || name == "Etc/UTC" {
            // Known without a database, which a slim container may lack.
            self.init(offset: 0)
            return
        }
        guard let file = ZoneFile(try ZoneFile.bytes(ofZone: name)) else {
            throw InvalidConversion(message: "the file of the time zone \(name) is not one that sluice can read")
        }
        self.init(file)
    }

    /// The transitions of a file, and for the years after its last one those of its rule.
    init(_ file: ZoneFile) {
        initialOffset = file.initialOffset
        guard let rule = file.rule, let changes = rule.changes else {
            transitions = file.transitions
            repeats = nil
            return
        }
        let last = file.transitions.last?.start ?? Int64.min
        let firstYear = file.transitions.isEmpty ? 1 : CivilTime(seconds: last).year
        var all = file.transitions
        // One year more at either end, so that a year's start and end in local time are covered.
        for year in firstYear...(firstYear + 402) {
            all += changes.transitions(in: year).filter { $0.start > last }
        }
        transitions = all
        repeats = CivilTime(year: firstYear + 1).seconds
    }

    /// The moment (UTC) of a local time, given as seconds from 1970 on the local clock.
    ///
    /// - Parameter repeated: which moment a time means that clocks showed twice.
    func universal(_ local: Int64, _ repeated: RepeatedHour = .reject) -> Moment {
        guard let repeats, local >= repeats + Zone.cycle else { return lookUp(local, repeated) }
        let shift = (local - repeats) / Zone.cycle * Zone.cycle
        let moment = lookUp(local - shift, repeated)
        guard case .once(let seconds) = moment else { return moment }
        return .once(seconds + shift)
    }

    /// The local time of a moment, both in seconds from 1970.
    func local(_ moment: Int64) -> Int64 {
        var known = moment
        if let repeats, moment >= repeats + Zone.cycle { known -= (moment - repeats) / Zone.cycle * Zone.cycle }
        let index = firstTransition(after: known)
        return moment + (index == 0 ? initialOffset : transitions[index - 1].offset)
    }

    /// Tries every offset that was in force about that time.
    private func lookUp(_ local: Int64, _ repeated: RepeatedHour) -> Moment {
        var index = firstTransition(after: local - Zone.margin)
        var found: Int64?
        while true {
            let start = index == 0 ? Int64.min : transitions[index - 1].start
            guard start <= local + Zone.margin else { break }
            let offset = index == 0 ? initialOffset : transitions[index - 1].offset
            let end = index == transitions.count ? Int64.max : transitions[index].start
            let universal = local - offset
            if universal >= start && universal < end {
                if let earlier = found {
                    switch repeated {
                    case .reject: return .repeated
                    case .earlier: return .once(earlier)
                    case .later: return .once(universal)
                    }
                }
                found = universal
            }
            guard index < transitions.count else { break }
            index += 1
        }
        return found.map { .once($0) } ?? .skipped
    }

    /// By bisection.
    private func firstTransition(after moment: Int64) -> Int {
        transitions.indices.partitionPoint { transitions[$0].start > moment }
    }
}
