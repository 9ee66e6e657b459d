import SluiceDefinition
import SluiceRecords

extension RunReport {
    /// The lines that a report should fit.
    private static let screen = 40

    /// The report for a person, without colours, and not cut to a screen.
    public var text: String { text(colours: false) }

    /// The report for a person: what needs attention first, then what was done. It fits 80 columns, apart from names
    /// and paths that are longer.
    ///
    /// - Parameters:
    ///   - colours: for terminals.
    ///   - isPast: whether it says when the run was.
    ///   - fitsScreen: whether it is cut to a screen: a mail and a log have none.
    package func text(colours: Bool, isPast: Bool = false, fitsScreen: Bool = false) -> String {
        let style = TextStyle(colours: colours)
        let ending = style.coloured(fitted(headline), [.succeeded, .unchanged].contains(outcome.status) ? .good : .bad)
        let when = isPast ? "  \(start)\n" : ""
        let head = "\(ending)\n\(when)  store \(task.store.printable)\n"
        var parts = [head + notes.map { "  \($0)\n" }.joined()]
        if let attention = attention(style, isPast: isPast, fitsScreen) { parts.append(attention) }
        if !entities.isEmpty, !isEmptyHanded {
            parts.append(entityTable)
            if let relationshipTable { parts.append(relationshipTable) }
        }
        if let checkTable { parts.append(checkTable) }
        if cache.isLimited { parts.append(cacheNote) }
        return parts.joined(separator: "\n")
    }

    /// Whether there is something to look at that the last succeeded run did not have: the run has not succeeded, or
    /// has found something new, or says something that no other run says.
    package var hasNews: Bool {
        exitStatus != 0 || sources.contains(where: \.isOutdated) || Attention(report: self, lineLimit: 0).hasNews
    }

    /// When the run was, and what it read where that is no feed of the day.
    private var start: String {
        let replay =
            earlier.replayed.map { "a replay of run \($0)" }
            ?? (task.replaysRejects ? "a replay of rejects" : "a replay")
        return "started \(Timestamp.minutes(of: time.started.text)) UTC" + (task.isReplay ? ", \(replay)" : "")
    }

    /// Whether the run ended before there was anything to count.
    private var isEmptyHanded: Bool {
        guard [.failed, .cancelled].contains(outcome.status) else { return false }
        return entities.allSatisfy { entity in
            let counts = entity.counts
            return counts.records + counts.rejected + counts.deleted + counts.stubs == 0
                && counts.relationships.allSatisfy { $0.resolved + $0.unresolved + $0.null + $0.late == 0 }
        }
    }

    private var headline: String {
        let number = run.map { "run \($0), " } ?? ""
        let exit = exitInWords.map { "\($0), " } ?? ""
        return "\(task.pipeline): \(outcomeInWords) (\(number)\(exit)\(shown(time.seconds)) s)"
    }

    /// How the run ended.
    var outcomeInWords: String {
        if outcome.status == .unchanged {
            // The ledger may have forgotten the run.
            let since = earlier.load.map { "the store has this feed since run \($0.run)\(age(of: $0))" }
            let reason = since ?? "there is nothing new"
            return (task.isDry ? "dry run " : "") + "unchanged; " + reason
        }
        if task.isDry { return "dry run \(outcome.status.rawValue); nothing was changed" }
        if outcome.isUncertain { return "\(outcome.status.rawValue); whether it is saved is not known" }
        if isUndone {
            let what = outcome.isReshaped ? "no object was changed; tables keep their new shape" : "nothing was changed"
            return "\(outcome.status.rawValue); \(what)"
        }
        return outcome.status == .failed && holdsTooLittle
            ? "\(outcome.status.rawValue); nothing was changed after the last batch" : outcome.status.rawValue
    }

    /// How long the feed has been the same, in days.
    private func age(of load: Load) -> String {
        let days = Int(time.finished.secondsSince(load.finished) / 86_400)
        return days < 1 ? "" : days == 1 ? ", for 1 day" : ", for \(grouped(days)) days"
    }

    // MARK: What needs attention

    private func attention(_ style: TextStyle, isPast: Bool, _ fitsScreen: Bool) -> String? {
        let failing = sentences.map {
            style.coloured(fitted($0), .bad)
        }
        let lines = failing.reduce(0) { $0 + $1.split(separator: "\n").count }
        // A reason of several lines takes them from what follows, also where there is hardly room.
        let room = fitsScreen ? max(12 + failing.count - lines, attentionLimit - lines) : RunReport.anyLines
        var told = Attention(report: self, lineLimit: room).lines(style)
        let isCut = told.contains { $0.hasPrefix("  … and ") || $0.contains(/.+ and [0-9,]+ more$/) }
        let rest = isCut ? [fitted(whereRestIs(isPast: isPast))] : []
        if let note = rest.first {
            let lines = note.split(separator: "\n").count
            told = Attention(report: self, lineLimit: room - lines).lines(style)
        }
        let all = failing + told + rest
        return all.isEmpty ? nil : all.map { $0 + "\n" }.joined()
    }

    /// Where to find what does not fit. A file of findings may be gone later, or that of another run.
    private func whereRestIs(isPast: Bool) -> String {
        switch (task.findings, isPast) {
        case (let file?, false): "(Of what is cut here, \(file) has all, --report FILE more.)"
        case (nil, false): "(Of what is cut here, --findings FILE writes all, --report FILE more.)"
        case (let file?, true): "(Of what is cut here, --report FILE shows more; the run wrote all to \(file).)"
        case (nil, true): "(Of what is cut here, --report FILE shows more.)"
        }
    }

    /// More lines than any report has.
    private static let anyLines = 1 << 20

    /// The lines that are left for what needs attention, if a report is to fit a screen; few, or none, if there are
    /// many entities.
    private var attentionLimit: Int {
        let tables = [entityTable, relationshipTable ?? ""].joined(separator: "\n")
        // Above are two lines, and an empty one between all parts.
        return RunReport.screen - 4 - tables.utf8.count { $0 == UInt8(ascii: "\n") }
    }

    /// A line for a terminal, in several if it must be.
    private func fitted(_ line: String) -> String {
        line.printable.wrapped(TextStyle.width, rest: "  ")
    }

    func heading(_ kind: Finding.Kind, _ count: Int) -> String {
        kind.row.heading(count) + (kind == .duplicate ? ", \(grouped(conflicting)) conflicting" : "")
    }

    /// What findings of a kind say, with how many there are: more than one heading where they say several things.
    func headings(of kind: Finding.Kind) -> [(text: String, subject: Finding.UnmatchedSubject?, count: Int)] {
        let count = found.counts[kind, default: 0]
        guard count > 0 else { return [] }
        guard kind == .unmatched else { return [(heading(kind, count), nil, count)] }
        let examples = found.examples.filter { $0.kind == .unmatched }
        let subjects = Finding.UnmatchedSubject.allCases.filter { subject in
            examples.contains { $0.unmatchedSubject == subject }
        }
        guard let first = subjects.first else { return [(heading(kind, count), .path, count)] }
        return subjects.map { subject in
            // Of those that are no examples, nobody knows what they say; most are of paths.
            let others = subject == first ? count - examples.count : 0
            let own = examples.count { $0.unmatchedSubject == subject } + others
            return (subject.heading(own), subject, own)
        }
    }

    private var conflicting: Int { entities.reduce(0) { $0 + $1.counts.conflicting } }

    // MARK: What was done

    /// A column is shown if it always is, or has something to say.
    private var entityTable: String {
        let shown = shownCounts.filter { column in column.always || entities.contains { column.count($0) > 0 } }
        var table = TextTable(header: ["Entity", "Records"] + shown.map(\.title))
        table.rows = entities.map { entity in
            [entity.name.printable, grouped(entity.counts.records)] + shown.map { grouped($0.count(entity)) }
        }
        return table.text
    }

    private var relationshipTable: String? {
        let hasLate = entities.contains { $0.counts.relationships.contains { $0.late > 0 } }
        var table = TextTable(header: ["Relationship", "Resolved", "Unresolved", "Null"] + (hasLate ? ["Late"] : []))
        for entity in entities {
            for (name, counts) in zip(entity.relationships, entity.counts.relationships) {
                let numbers = [counts.resolved, counts.unresolved, counts.null] + (hasLate ? [counts.late] : [])
                table.rows.append(["\(entity.name).\(name)".printable] + numbers.map(grouped))
            }
        }
        return table.rows.isEmpty ? nil : table.text
    }

    private var checkTable: String? {
        guard !checks.isEmpty else { return nil }
        var table = TextTable(header: ["Check", "Found", "Before", "Allowed"])
        table.rows = checks.map { check in
            let before = check.earlier.last.map { grouped($0.found) } ?? ""
            return [
                check.name.printable, check.found.map(grouped) ?? "too slow", before, check.limit.map(grouped) ?? "any",
            ]
        }
        return table.text
    }

    /// That the run was slower than it could have been.
    private var cacheNote: String {
        fitted("The objectID cache reached its limit of \(size(cache.limit)); the store was asked instead.") + "\n"
    }

    /// Bytes in the largest unit that leaves no rest.
    private func size(_ bytes: Int) -> String {
        let units = ["B", "KiB", "MiB", "GiB"]
        let unit = bytes > 0 ? min(bytes.trailingZeroBitCount / 10, 3) : 0
        return "\(grouped(bytes >> (10 * unit))) \(units[unit])"
    }

    /// Seconds with two digits after the point.
    func shown(_ seconds: Double) -> String {
        let hundredths = Int(bounded: (seconds * 100).rounded())
        let fraction = hundredths % 100
        return "\(grouped(hundredths / 100)).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
