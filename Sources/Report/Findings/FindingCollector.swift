import SluiceExtract
import SluiceRecords

/// Counts the findings of a run, keeps the first of each kind as examples, and hands all to a writer, if there is one.
package final class FindingCollector: FindingSink {
    package private(set) var counts: [Finding.Kind: Int] = [:]
    private(set) var firsts: [Finding.Kind: [Example]] = [:]
    private let writer: FindingsWriter?
    private let feeds: [Feed]
    private let observer: (@Sendable (Finding) -> Void)?
    private let keepsAllDrift: Bool
    private var missingTargets = MissingTargetCounter()
    private var groups = RejectGroups()
    /// The sources of whose files it is noted which have rejects, by their indexes; to be set before there are any.
    package var notedSources: Set<Int> = []
    /// By source: the indexes of its files that have rejects.
    package private(set) var filesOfRejects: [Int: Set<Int>] = [:]
    private(set) var parts = FindingParts()
    /// The limits that the run exceeds: what is too many is told before all else. To be set before the end.
    package var exceeded: [ExceededLimit] = [] {
        didSet { groups.exceeded = exceeded }
    }
    /// By kind: how many of those that were compared are new; nil: of one it is not known.
    private var newCounts: [Finding.Kind: Int?] = [:]
    /// By which the next run tells what is new.
    package private(set) var digests = FindingDigests()

    struct Example {
        var rank: Rank
        var finding: Finding
    }

    /// The order of examples.
    struct Rank: Comparable, Hashable {
        var isMinor: Bool
        /// Whether the run that findings are compared with had it as well.
        var isOld = false
        /// Of drift and of checks, which are told in an order of their own; of all else 0.
        var arrival: Int
        var position: RecordPositionKey
        /// The name of the entity: records of several may stand in one place, and come as batches have them. Before it
        /// is known, it comes before all.
        var entity = ""

        static func < (a: Rank, b: Rank) -> Bool {
            if a.isMinor != b.isMinor { return !a.isMinor }
            if a.isOld != b.isOld { return !a.isOld }
            if a.arrival != b.arrival { return a.arrival < b.arrival }
            if a.position != b.position { return a.position < b.position }
            return a.entity.utf8.lexicographicallyPrecedes(b.entity.utf8)
        }
    }

    /// - Parameters:
    ///   - observer: takes each finding as it comes.
    ///   - keepsAllDrift: whether examples of drift are all of it: there is one for each field at the most.
    package init(
        _ writer: FindingsWriter? = nil, feeds: [Feed] = [], observer: (@Sendable (Finding) -> Void)? = nil,
        keepsAllDrift: Bool = false
    ) {
        self.writer = writer
        self.feeds = feeds
        self.observer = observer
        self.keepsAllDrift = keepsAllDrift
    }

    package func report(_ kind: Finding.Kind, at position: RecordPositionKey, isMinor: Bool, _ make: () -> Finding) {
        counts[kind, default: 0] += 1
        if kind == .reject, notedSources.contains(position.source) {
            filesOfRejects[position.source, default: []].insert(position.file)
        }
        let hasOrder = kind.row.keepsArrival
        var rank = Rank(isMinor: isMinor, arrival: hasOrder ? counts[kind, default: 0] : 0, position: position)
        let isCandidate = isExample(kind, rank)
        let isCounted =
            kind == .unresolved && missingTargets.wantsMore || kind == .reject && groups.wantsMore
        let isNoted = !isMinor && digests.wants(kind)
        let mayBeOfPart = parts.wants(kind, isMinor: isMinor)
        guard isCandidate || isCounted || isNoted || mayBeOfPart || writer != nil || observer != nil else { return }
        let finding = make()
        rank.entity = finding.entity ?? ""
        let isOfPart = mayBeOfPart && parts.takes(finding, rank, into: kind)
        if isCounted { count(finding, at: position) }
        if isNoted { digests.add(finding) }
        // Of millions that are only written to a file, nobody asks.
        if !isMinor, isNoted || isCandidate || isOfPart, let baseline {
            let isOld = baseline.contains(finding)
            rank.isOld = !hasOrder && isOld == true
            if isNoted { countNew(kind, isOld: isOld) }
        }
        if isOfPart { parts.insert(Example(rank: rank, finding: finding), into: kind) }
        if isCandidate {
            if isExample(kind, rank) { insert(Example(rank: rank, finding: finding), into: kind) }
        }
        writer?.write(finding)
        observer?(finding.withNames(of: feeds))
    }

    private func count(_ finding: Finding, at position: RecordPositionKey) {
        guard finding.kind == .reject else { return missingTargets.count(finding) }
        groups.count(finding, at: position) { baseline.map { $0.contains(finding) == true } ?? false }
    }

    private func countNew(_ kind: Finding.Kind, isOld: Bool?) {
        let before = newCounts[kind] ?? 0
        newCounts[kind] = .some(isOld.flatMap { isOld in before.map { $0 + (isOld ? 0 : 1) } })
    }

    /// By kind: how many findings the baseline did not have; without those kinds of which that is not known.
    package var news: [Finding.Kind: Int] {
        // Of more than are noted, the others were not compared.
        newCounts.compactMapValues { $0 }.filter { digests.wants($0.key) }
    }

    private func isExample(_ kind: Finding.Kind, _ rank: Rank) -> Bool {
        if kind == .drift, keepsAllDrift { return true }
        guard let list = firsts[kind], list.count == ShownFindings.examples, let last = list.last else { return true }
        return rank < last.rank
    }

    private func insert(_ example: Example, into kind: Finding.Kind) {
        var list = firsts[kind, default: []]
        let place = list.firstIndex { $0.rank > example.rank } ?? list.count
        list.insert(example, at: place)
        if list.count > ShownFindings.examples, !(keepsAllDrift && example.finding.kind == .drift) { list.removeLast() }
        firsts[kind] = list
    }

    /// The run that findings are compared with, if there is one; to be set before there are any.
    package var baseline: Baseline?

    /// The missing targets to which most references lead.
    package var mostMissing: [MissingTarget] { missingTargets.most }

    /// The rejects by what is wrong with them.
    package var rejectGroups: [RejectGroup] {
        groups.all.map { group in
            var group = group
            group.examples = group.examples.map { example in
                var told = example.withNames(of: feeds)
                told.isNew = told.isNew ?? baseline?.isNew(told, among: counts[.reject] ?? 0)
                return told
            }
            return group
        }
    }

    /// To be called between two batches. Throws what has gone wrong with the file of findings.
    package func batchEnded() throws(Failure) { try writer?.batchEnded() }

    /// Puts those first for which the run fails.
    private func weigh() {
        for (kind, examples) in firsts { firsts[kind] = parts.selected(examples, of: kind, exceeded) }
    }

    /// Ends the findings: the examples get their records or values, and the file has everything.
    package func finish(_ copies: FeedCopies, _ model: Model) throws(Failure) {
        weigh()
        var duplicates = (firsts[.duplicate] ?? []).map(\.finding)
        try ConflictValues(model).fill(&duplicates, copies)
        duplicates.placeFirsts(copies)
        for (index, finding) in duplicates.enumerated() { firsts[.duplicate]?[index].finding = finding }
        let rejects = firsts[.reject] ?? []
        let ofBytes = Set(rejects.indices.filter { rejects[$0].finding.isOfBytes })
        try RecordFetcher(copies).fetch(rejects.map(\.finding.at.position), ofBytes: ofBytes) { index, record in
            firsts[.reject]?[index].finding.record = record
        }
        let named = groups.named
        try RecordFetcher(copies).fetch(named.map(\.at.position)) { index, record in
            groups.attach(record, to: named[index])
        }
        try writer?.finish()
    }

    /// The first findings of each kind: those that are new, then by position, but conflicting duplicates before the
    /// others; drift by its weight.
    package var examples: [Finding] {
        let all = Finding.Kind.allCases.flatMap { (firsts[$0] ?? []).map { $0.finding.withNames(of: feeds) } }
        guard let baseline else { return all }
        return all.map { finding in
            var finding = finding
            finding.isNew = finding.isNew ?? baseline.isNew(finding, among: counts[finding.kind] ?? 0)
            return finding
        }
    }
}
