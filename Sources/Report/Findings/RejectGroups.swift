import SluiceRecords

/// Rejects of one entity for one reason, which is of one attribute or relationship, whatever the values are; or for a
/// few reasons, where each of the records has all of them.
public struct RejectGroup: Sendable {
    /// How many records were rejected so. A record with several faults counts in several groups.
    public var count: Int
    /// The first of them, those first that the last succeeded run did not have.
    public var examples: [Finding]
    /// How many of the records count in no group before: over all groups, these are as many as the records.
    package var counted: Int
    /// Which of the faults of its examples are meant; none: all.
    fileprivate var keys: Set<ExactText>
    private let values: RejectedValues

    init(
        _ examples: [Finding], count: Int, _ counted: Int, _ keys: Set<ExactText>,
        _ values: RejectedValues = RejectedValues()
    ) {
        (self.examples, self.count, self.counted, self.keys) = (examples, count, counted, keys)
        self.values = values
    }

    /// A group of records none of which is in another one.
    init(count: Int, examples: [Finding]) { self.init(examples, count: count, count, []) }

    /// The texts for which records are in the group, but for the one that its first example shows, in quotation marks;
    /// empty: there are many, or several reasons.
    var otherTexts: [String] {
        guard let first = examples.first.map(narrowed), case .reject(let faults) = first.detail, faults.count == 1
        else { return [] }
        return values.others(than: faults[0].reason)
    }

    /// An example with the faults for which it is in the group.
    func narrowed(_ example: Finding) -> Finding {
        guard !keys.isEmpty, case .reject(let faults) = example.detail else { return example }
        var narrowed = example
        narrowed.detail = .reject(faults: faults.filter { keys.contains(RejectGroups.key($0, of: example)) })
        return narrowed
    }
}

/// Counts the rejects of a run by what is wrong with them, in bounded memory: what is wrong with one record must not
/// hide behind a thousand with which something else is.
struct RejectGroups {
    /// Rejects that are looked at. Beyond these, and beyond so many groups, the picture does not change.
    private static let looked = 100_000
    private static let most = 200
    /// Groups that a report names.
    static let mostNamed = 10
    /// Examples of each group.
    static let examples = 5

    private struct Group {
        let key: ExactText
        var count = 0
        /// See `RejectGroup`.
        var counted = 0
        /// In the order in which they are reported.
        var firsts: [(order: Order, finding: Finding)] = []
        /// A sum of its records.
        var digest = 0
        var values = RejectedValues()

        init(_ key: ExactText) { self.key = key }

        /// Groups for which these are equal have the same records.
        var members: Members { Members(count: count, digest: digest) }

        /// - Parameter reasons: those of its faults that are meant.
        mutating func count(
            _ finding: Finding, at position: RecordPositionKey, isFirst: Bool, _ reasons: [String]
        ) {
            count += 1
            if isFirst { counted += 1 }
            for reason in reasons { values.count(reason, at: position) }
            var hasher = Hasher()
            hasher.combine(position)
            hasher.combine(finding.entity)
            digest &+= hasher.finalize()
        }

        /// Whether a record may be among its examples.
        func wants(_ position: RecordPositionKey) -> Bool {
            guard firsts.count == RejectGroups.examples, let last = firsts.last else { return true }
            return last.order.isOld || position < last.order.position
        }

        mutating func insert(_ finding: Finding, _ order: Order) {
            firsts.insert((order, finding), at: firsts.firstIndex { order < $0.order } ?? firsts.count)
            firsts = Array(firsts.prefix(RejectGroups.examples))
        }
    }

    private struct Members: Hashable {
        var count: Int
        var digest: Int
    }

    private struct Order: Comparable {
        var isOld: Bool
        var position: RecordPositionKey

        static func < (a: Order, b: Order) -> Bool {
            a.isOld == b.isOld ? a.position < b.position : !a.isOld
        }
    }

    private var groups: [ExactText: Group] = [:]
    /// By entity: how many groups it has.
    private var counts: [ExactText: Int] = [:]
    private var seen = 0
    /// The limits that the run exceeds.
    var exceeded: [ExceededLimit] = []

    /// Whether another finding would be counted.
    var wantsMore: Bool { seen < RejectGroups.looked }

    /// Counts a reject for each of its reasons.
    ///
    /// - Parameter isOld: says whether the run that findings are compared with had it as well.
    mutating func count(_ finding: Finding, at position: RecordPositionKey, isOld: () -> Bool) {
        seen += 1
        let entity = ExactText(finding.entity ?? "")
        // Those of one entity do not hide behind those of another.
        let mayGrow = groups.count < RejectGroups.most || counts[entity, default: 0] < RejectGroups.mostNamed
        let meant = RejectGroups.reasons(of: finding).filter { groups[$0.key] != nil || mayGrow }
        var order: Order?
        for (place, (key, reasons)) in meant.enumerated() {
            if groups[key] == nil { counts[entity, default: 0] += 1 }
            groups[key, default: Group(key)].count(finding, at: position, isFirst: place == 0, reasons)
            guard groups[key]?.wants(position) == true else { continue }
            let known = order ?? Order(isOld: isOld(), position: position)
            groups[key]?.insert(finding, known)
            order = known
        }
    }

    /// In the order in which a report has them. Reasons that are those of the same records are one group.
    var all: [RejectGroup] {
        let standings = groups.values.compactMap { Standing($0, exceeded) }.sorted { $0.precedes($1) }
        var places: [Members: Int] = [:]
        var all: [RejectGroup] = []
        for group in RejectGroups.outerFirst(standings).map(\.group) {
            if let place = places[group.members] {
                all[place].counted += group.counted
                all[place].keys.insert(group.key)
            } else {
                places[group.members] = all.count
                let examples = group.firsts.map(\.finding)
                all.append(RejectGroup(examples, count: group.count, group.counted, [group.key], group.values))
            }
        }
        return all
    }

    /// What decides where a group stands in a report: what makes the run fail comes first, then what is new, then what
    /// most records have, then what the feed has first.
    private struct Standing {
        let group: Group
        private let isFailing: Bool
        private let order: Order
        private let source: Int
        /// Where the records of the group are, without the positions in lists.
        private let path: String

        /// - Parameter exceeded: the limits that the run exceeds.
        init?(_ group: Group, _ exceeded: [ExceededLimit]) {
            guard let first = group.firsts.first else { return nil }
            self.group = group
            isFailing = exceeded.contains { $0.counts(first.finding) }
            order = first.order
            source = first.finding.at.position.source
            path = first.finding.at.path.replacing(/\[[0-9]+\]/, with: "[*]")
        }

        func precedes(_ other: Standing) -> Bool {
            if isFailing != other.isFailing { return isFailing }
            if order.isOld != other.order.isOld { return other.order.isOld }
            if group.count != other.group.count { return group.count > other.group.count }
            if order.position != other.order.position { return order.position < other.order.position }
            return group.key < other.group.key
        }

        /// How deep the records of the group are.
        var depth: Int { path.utf8.count }

        /// Whether the records of the group are around those of another one that is no more urgent, and no less.
        func isAround(_ other: Standing) -> Bool {
            guard isFailing == other.isFailing, order.isOld == other.order.isOld,
                source == other.source, depth < other.depth
            else { return false }
            let rest = other.path.utf8.dropFirst(depth)
            return other.path.utf8.starts(with: path.utf8) && rest.first.map(".[".utf8.contains) == true
        }
    }

    /// Moves groups of records around others up to before these, which may follow from what is wrong around them.
    private static func outerFirst(_ sorted: [Standing]) -> [Standing] {
        // Each stands where the first group does that must not come before it.
        let places = sorted.indices.map { index in
            sorted[..<index].firstIndex { sorted[index].isAround($0) } ?? index
        }
        return sorted.indices.sorted { one, other in
            (places[one], sorted[one].depth, one) < (places[other], sorted[other].depth, other)
        }.map { sorted[$0] }
    }

    /// The first reject of each group, whose record a report looks into.
    var named: [Finding] {
        all.prefix(RejectGroups.mostNamed).compactMap(\.examples.first).filter { !$0.isOfBytes }
    }

    /// Gives one of them its record.
    mutating func attach(_ record: RecordText?, to finding: Finding) {
        for (key, _) in RejectGroups.reasons(of: finding) where groups[key]?.firsts.first?.finding.at == finding.at {
            groups[key]?.firsts[0].finding.record = record
        }
    }

    /// The rejects of a report of which nothing but some examples is known.
    static func grouped(_ examples: [Finding], _ exceeded: [ExceededLimit] = []) -> [RejectGroup] {
        var groups = RejectGroups()
        groups.exceeded = exceeded
        for example in examples {
            groups.count(example, at: example.at.position) { example.isNew != true }
        }
        return groups.all
    }

    /// By which rejects belong together, of each fault the entity, where it is, and its reason; with the reasons as
    /// they are.
    private static func reasons(of finding: Finding) -> [(key: ExactText, reasons: [String])] {
        guard case .reject(let faults) = finding.detail else { return [] }
        var found: [(key: ExactText, reasons: [String])] = []
        for fault in faults {
            let key = key(fault, of: finding)
            if let place = found.firstIndex(where: { $0.key == key }) {
                found[place].reasons.append(fault.reason)
            } else {
                found.append((key, [fault.reason]))
            }
        }
        return found
    }

    fileprivate static func key(_ fault: (member: String, reason: String), of finding: Finding) -> ExactText {
        ExactText("\(finding.entity ?? "")\0\(fault.member)\0\(withoutValues(fault.reason))")
    }

    /// A reason without what differs between values: what is in quotation marks, numbers, true and false.
    static func withoutValues(_ reason: String) -> String {
        var kept: [UInt8] = []
        var (isQuoted, isEscaped, isInWord) = (false, false, false)
        for byte in reason.utf8 {
            if isQuoted {
                if byte == UInt8(ascii: "\""), !isEscaped { isQuoted = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            let isDigit = byte &- UInt8(ascii: "0") < 10
            let isLetter = byte | 0x20 &- UInt8(ascii: "a") < 26
            if byte == UInt8(ascii: "\"") { isQuoted = true }
            // Of `1.5e-7`, all is a number.
            let isOfNumber = isDigit || kept.last == UInt8(ascii: "0") && [0x2b, 0x2d, 0x2e, 0x45, 0x65].contains(byte)
            if isOfNumber, !isInWord {
                if kept.last != UInt8(ascii: "0") { kept.append(UInt8(ascii: "0")) }
                continue
            }
            isInWord = isLetter || isInWord && isDigit
            kept.append(byte)
        }
        let texts = [("found true", "found 0"), ("found false", "found 0"), ("-0", "0")]
        return texts.reduce(String(decoding: kept, as: UTF8.self)) { $0.replacingExactly($1.0, with: $1.1) }
    }
}
