import SluiceExtract

/// What stands at each position of lists that have the same place in a feed: `[["S1", 3], ["S2", 5]]`.
struct PositionLog: BitwiseCopyable {
    enum Kind: Int, CaseIterable { case text, number, boolean, object, array }

    /// Longer lists are none whose positions have a meaning.
    static let most = 128

    /// By kind: the positions at which it was found, bit by bit.
    private var kinds = InlineArray<5, UInt128>(repeating: 0)
    private var length = 0
    private var position = 0
    /// Lists of the greatest length, and all.
    private var full = 0
    private var lists = 0
    /// How long the first list of each document is, where these have nothing but texts; 0: one has something else, or
    /// nothing.
    private var texts = 0
    /// Lists that are the first ones of those around them.
    private var firsts = 0
    private var first = First()
    /// How many lists begin with a number that may be a time since 1970.
    private var times = 0
    /// Whether the positions mean nothing.
    private(set) var isGone = false

    /// What the first of some lists has, which may say what the positions of the others are called.
    private struct First: BitwiseCopyable {
        var isOpen = false
        var texts: UInt128 = 0
        var hasOthers = false
    }

    /// - Parameter isFirst: whether it is the first one of the list around it.
    mutating func begin(isFirst: Bool) {
        position = 0
        first = First(isOpen: isFirst)
    }

    mutating func note(_ kind: Kind?) {
        guard position < PositionLog.most else {
            isGone = true
            return
        }
        if first.isOpen, kind == .text {
            first.texts |= (1 as UInt128) << UInt128(position)
        } else {
            if first.isOpen { first.hasOthers = true }
            if let kind { self[kind] |= (1 as UInt128) << UInt128(position) }
        }
        position += 1
    }

    /// Likewise, of a number as it is written.
    mutating func note(number text: UnsafePointer<UInt8>, _ length: Int) {
        if position == 0, let number = unsafe wholeNumber(text, length), PositionLog.isTime(number) { times += 1 }
        note(.number)
    }

    /// Whether a number has the digits of seconds since 1970 from 2001 on, or of milliseconds.
    private static func isTime(_ number: Int64) -> Bool {
        (1_000_000_000..<4_102_444_800).contains(number) || (1_000_000_000_000..<4_102_444_800_000).contains(number)
    }

    /// Whether all lists are numbers that begin with a time, as charts have them: `[1760000000000, 1.5]`.
    private var areTimed: Bool { times == lists && lists > 2 && length <= 16 }

    private subscript(_ kind: Kind) -> UInt128 {
        get { kinds[kind.rawValue] }
        set { kinds[kind.rawValue] = newValue }
    }

    mutating func end() {
        lists += 1
        if first.isOpen { endFirst() }
        if position > length { (length, full) = (position, 0) }
        if position == length { full += 1 }
        // What are coordinates, or the cells of a matrix, is seen early. Of a table, all columns may be numbers, too.
        if lists == 1000, isAllOf(.number), !areTimed, full < lists || length <= 3 { isGone = true }
    }

    /// How many positions the longest of the lists has.
    var width: Int { length }

    /// The first list may be what the positions of the others are called: it does not say what is there.
    private mutating func endFirst() {
        if position > 1, !first.hasOthers, firsts == 0 || texts == position {
            texts = position
        } else {
            self[.text] = withoutHeader[.text] | first.texts
            texts = 0
        }
        firsts += 1
        first.isOpen = false
    }

    /// Takes in what is known of other lists: the first of them says nothing of these.
    mutating func merge(_ other: PositionLog) {
        let (own, added) = (withoutHeader, other.withoutHeader)
        for kind in Kind.allCases { self[kind] = own[kind] | added[kind] }
        (texts, lists, firsts) = (0, lists + other.lists, firsts + other.firsts)
        if other.length > length { (length, full) = (other.length, 0) }
        if other.length == length { full += other.full }
        times += other.times
        isGone = isGone || other.isGone
    }

    /// The first list is one as the others.
    private var withoutHeader: PositionLog {
        var log = self
        log[.text] |= ((1 as UInt128) << UInt128(texts)) &- 1
        log.texts = 0
        return log
    }

    /// Whether the first list may say what the positions of the others are.
    var mayHaveHeader: Bool { texts > 0 && texts == length && lists > firsts + 1 }

    private func isAllOf(_ kind: Kind) -> Bool {
        Kind.allCases.allSatisfy { $0 == kind || self[$0] == 0 }
    }

    /// Whether the lists are records: nearly all have the same length, and nearly each position one kind of value, but
    /// not all of them the same one. Under a header, texts and lists that are shorter will do.
    ///
    /// - Parameter isTop: whether their list is there once: then all positions may have texts.
    func areRecords(isTop: Bool) -> Bool {
        if !isTop, texts > 0 { return withoutHeader.areRecords(isTop: false) }
        let isEnough = mayHaveHeader ? full * 2 >= lists : full * 5 >= lists * 4
        guard !isGone, lists > 1, length > 1, isEnough else { return false }
        let texts = mayHaveHeader ? self[.text] : withoutHeader[.text]
        let known = [texts, self[.number], self[.boolean], self[.object] | self[.array]]
        let once = (0..<length).count { position in
            known.count { $0 >> UInt128(position) & 1 == 1 } <= 1
        }
        guard once * 4 >= length * 3, known[0] | known[1] | known[2] != 0 else { return false }
        if known.count(where: { $0 != 0 }) > 1 || areTimed { return true }
        return isTop && lists > 2 && (mayHaveHeader || known[0] != 0)
    }

    /// Whether the lists are numbers, and as long: records, where the feed has as many names.
    var areNumbers: Bool { !isGone && lists > 2 && length > 1 && full == lists && isAllOf(.number) }

    /// Whether one list has things of several kinds, as a header and the list that it is about.
    var hasParts: Bool {
        !isGone && lists == 1 && length <= 8 && self[.object] & self[.array] == 0 && self[.object] != 0
            && self[.array].nonzeroBitCount == 1
    }
}
