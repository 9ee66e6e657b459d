import SluiceRecords

/// Rejects of one entity for one reason, which is of one attribute or relationship, whatever the values are.
public struct RejectGroup: Sendable {
    /// How many records were rejected so.
    public var count: Int
    /// The first of them, those first that the last succeeded run did not have.
    public var examples: [Finding]

    var isNew: Bool { examples.first?.isNew == true }
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
        var count = 0
        /// In the order in which they are told.
        var firsts: [(order: Order, finding: Finding)] = []
    }

    private struct Order: Comparable {
        var isOld: Bool
        var position: RecordPositionKey

        static func < (a: Order, b: Order) -> Bool {
            a.isOld == b.isOld ? a.position < b.position : !a.isOld
        }
    }

    private var groups: [ExactText: Group] = [:]
    private var seen = 0

    /// Whether another finding would be counted.
    var wantsMore: Bool { seen < RejectGroups.looked }

    /// - Parameter isOld: says whether the run that findings are compared with had it as well.
    mutating func count(_ finding: Finding, at position: RecordPositionKey, isOld: () -> Bool) {
        seen += 1
        guard let key = RejectGroups.key(of: finding), groups[key] != nil || groups.count < RejectGroups.most else {
            return
        }
        groups[key, default: Group()].count += 1
        guard var firsts = groups[key]?.firsts else { return }
        let isFull = firsts.count == RejectGroups.examples
        if isFull, let last = firsts.last, last.order.isOld == false, last.order.position <= position { return }
        let order = Order(isOld: isOld(), position: position)
        firsts.insert((order, finding), at: firsts.firstIndex { order < $0.order } ?? firsts.count)
        groups[key]?.firsts = Array(firsts.prefix(RejectGroups.examples))
    }

    /// What is new first, then what most records have, then by position.
    var all: [RejectGroup] {
        let sorted = groups.values.sorted { one, other in
            guard let left = one.firsts.first?.order, let right = other.firsts.first?.order else { return false }
            if left.isOld != right.isOld { return !left.isOld }
            return one.count == other.count ? left.position < right.position : one.count > other.count
        }
        return sorted.map { RejectGroup(count: $0.count, examples: $0.firsts.map(\.finding)) }
    }

    /// The first reject of each group, whose record a report looks into.
    var named: [Finding] {
        all.prefix(RejectGroups.mostNamed).compactMap(\.examples.first).filter { !$0.isOfBytes }
    }

    /// Notes the record of one of them.
    mutating func note(_ record: RecordText?, of finding: Finding) {
        guard let key = RejectGroups.key(of: finding) else { return }
        groups[key]?.firsts[0].finding.record = record
    }

    /// The rejects of a report of which nothing but some examples is known.
    static func grouped(_ examples: [Finding]) -> [RejectGroup] {
        var groups = RejectGroups()
        for example in examples {
            groups.count(example, at: example.at.position) { example.isNew != true }
        }
        return groups.all
    }

    /// By which rejects belong together: the entity, and of the first fault where it is and its reason.
    private static func key(of finding: Finding) -> ExactText? {
        guard case .reject(let faults) = finding.detail, let first = faults.first else { return nil }
        return ExactText("\(finding.entity ?? "")\0\(first.member)\0\(withoutValues(first.reason))")
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
