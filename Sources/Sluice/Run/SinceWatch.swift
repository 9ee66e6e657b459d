import SluiceDefinition
import SluiceRecords
import SluiceReport

/// Finds the highest values that the records of sources with `since` have had: the marks that a run leaves.
final class SinceWatch {
    fileprivate struct Watched {
        let sourceIndex: Int
        let entity: Int
        let attribute: Int
        let type: AttributeType
        let name: String
        /// Times behind this one do not count: a service may say that a record is of the year 9999.
        let latest: String?
        /// Of the runs before.
        var known: String?
        /// The value of the record before.
        var last: String?
        /// Whether a record had a value behind that of the one before it, and none had one before it.
        var rises = false
        var falls = false
        /// Whether items were known: the values of their records were not read.
        var hasKnown = false
        /// By page; for sources without pages, by file.
        var highest: [UInt32: String] = [:]
    }

    /// What the runs before have left.
    let marks: SinceMarks
    private var watched: [Watched] = []

    /// Seconds by which the clock of a service may be fast, or a date be that of another zone.
    private static let tolerance = 86_400

    /// The latest time that counts; nil: the values are no times.
    ///
    /// - Parameter started: when the run began.
    static func latest(_ type: AttributeType, _ started: Timestamp) -> String? {
        guard [.date, .datetime].contains(type) else { return nil }
        return Timestamp(seconds: Int(started.unixSeconds) + tolerance).text
    }

    /// - Parameter started: when the run began.
    init(_ definition: PipelineDefinition, _ marks: SinceMarks, started: Timestamp) throws(Failure) {
        self.marks = marks
        for (index, source) in definition.sources.enumerated() {
            guard let since = source.since, since.relationship == nil else { continue }
            let attribute = definition.model.entities[since.entity].attributes[since.attribute]
            var one = Watched(
                sourceIndex: index, entity: since.entity, attribute: since.attribute,
                type: attribute.conversion.stored.type,
                name: definition.model.names(since)[0],
                latest: SinceWatch.latest(attribute.conversion.stored.type, started))
            if let value = marks.value(of: source, since), one.counts(value) { one.known = value }
            watched.append(one)
        }
    }

    /// Takes in the records of a batch that has been transformed.
    func observe(_ batch: RecordBatch) {
        for index in watched.indices { watched[index].observe(batch) }
    }

    /// Whether the records of a source came in the order of their values, the lowest first: what it may have behind
    /// them has higher ones.
    func isInOrder(_ index: Int) -> Bool {
        watched.contains { $0.sourceIndex == index && $0.rises && !$0.falls && !$0.hasKnown }
    }

    /// The mark of a source for the next run; nil: the source is not asked for what is new.
    ///
    /// - Parameters:
    ///   - kept: the pages that were answers of another run, which had died; empty: none. Changes since then are not in
    ///     these pages, though later pages may have later times: such times do not count.
    ///   - isHeld: whether the mark stays as it was, whatever has come.
    func mark(of index: Int, kept: Set<Int>, isHeld: Bool) -> RunReport.SourceFacts.Since? {
        watched.first { $0.sourceIndex == index }.map { one in
            .init(attribute: one.name, value: isHeld ? one.known : one.mark(kept))
        }
    }
}

extension SinceWatch.Watched {
    fileprivate mutating func observe(_ batch: RecordBatch) {
        let (section, items) = (batch.sections[entity], batch.items)
        hasKnown =
            hasKnown
            || (0..<items.runCount).contains { items.runs[$0].areKnown && items.runs[$0].sourceIndex == sourceIndex }
        for row in 0..<section.count where section.status[row] == .complete {
            let (index, file) = (Int(section.positions[row].source), section.positions[row].file)
            guard index == sourceIndex, let text = batch.text(of: section.typed[row * section.width + attribute]),
                counts(text)
            else { continue }
            if let last, !falls {
                falls = isLess(text, last)
                rises = rises || isLess(last, text)
            }
            last = text
            if highest[file].map({ isLess($0, text) }) ?? true { highest[file] = text }
        }
    }

    fileprivate func mark(_ kept: Set<Int>) -> String? {
        let values = highest.filter { kept.isEmpty || kept.contains(Int($0.key)) }.values
        return ([known].compactMap { $0 } + values).max(by: isLess)
    }

    fileprivate func counts(_ text: String) -> Bool { latest.map { !isLess($0, text) } ?? true }

    private func isLess(_ left: String, _ right: String) -> Bool {
        switch type {
        case .integer: (Int64(left) ?? .min) < (Int64(right) ?? .min)
        case .real: (Double(left) ?? -.infinity) < (Double(right) ?? -.infinity)
        default: left.utf8.lexicographicallyPrecedes(right.utf8)
        }
    }
}
