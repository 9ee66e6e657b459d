import SluiceFetch

/// What the pages of a source say of one another, beside what they had. Of a source that is asked for each record of an
/// entity, the pages of each such record are a sequence of their own.
struct PageYield: Sendable {
    /// Fewer records than promised.
    struct Lack: Sendable {
        /// Which pages, if not those of the source.
        var name: String?
        var promised: UInt64
        var records: UInt64
    }

    /// Whether a first page was full, or had another way than the source's, or a last one was full, and said nothing of
    /// a next one.
    private(set) var lacksWay = false
    /// The records of the first page; nil: the source has no pages, or is asked for each record.
    private(set) var firstPage: UInt64?
    /// Whether pages lead from one to the next, and the first one led to another.
    private(set) var isLedOn = false
    /// How many pages there are, where the last one of several says nothing of a next one, and is as full as the first.
    private var fullPages: UInt64?
    private(set) var hasPages = false
    /// What the first answer that has a next page, for which the source does not ask, says of it.
    private(set) var unasked: UnaskedPages?
    /// Whether a page had fewer records than its limit asks for, and others followed.
    private(set) var isShort = false
    /// Whether the last page, behind many without a record, named another one, which nobody asked for.
    private(set) var isGivenUp = false
    /// Whether a page that another one named had no byte.
    private(set) var isBlank = false
    /// Answers for records that have nothing that the others have.
    var strange = PartForm.StrangeAnswers()
    /// Shorter pages are no measure: a list may well have as many.
    private static let leastFull: UInt64 = 10
    /// Whether no page had what leads to another, or said whether there is one.
    private var isSilent = false
    /// Whether a page said how many records there are.
    private(set) var hasTotal = false
    /// Whether a page said whether there is another.
    private(set) var hasMore = false
    /// The first that is found.
    private(set) var lack: Lack?

    /// Whether records were passed over that the service has, so that the next run is to ask for them again.
    var passesOver: Bool { isShort || isGivenUp || isBlank || strange.count > 0 }
    /// Whether records may be missing that the service has, so that none of them is absent. An answer that says how
    /// many there are in all may be cut on purpose, and one with a bookmark may be the last.
    var isDoubtful: Bool { passesOver || lacksWay || hasUnaskedWay }

    /// Whether the answer leads to another page, for which the source does not ask. That of one record among others may
    /// well lead to the next record.
    private var hasUnaskedWay = false

    /// Notes an answer that says that there is more, for which the source does not ask.
    ///
    /// - Parameters:
    ///   - records: how many it has. One record may well have a total, or a next one, of its own.
    ///   - isWhole: whether the source is asked once, and not for each record.
    mutating func keepUnasked(_ pages: UnaskedPages, records: UInt64, isWhole: Bool) {
        if let total = pages.total, records < 2 || total <= records { return }
        if pages.certainty != .named, records < 2 { return }
        if isWhole, pages.total == nil, pages.certainty != .likely { hasUnaskedWay = true }
        unasked = unasked ?? pages
    }

    /// Compares with the last run: a first page that has as many records as the one that led on to others then, and
    /// says nothing of a next one, has lost its way. One with more comes of pages that have another size now. So has a
    /// later page that is as full as the first, where there were more pages then.
    mutating func compare(firstPageThatLedOn earlier: UInt64?, pages before: UInt64?) {
        if !hasTotal, earlier == firstPage, let fullPages, let before, fullPages < before { lacksWay = true }
        guard let earlier, let firstPage, isSilent, earlier >= PageYield.leastFull else { return }
        if firstPage == earlier { lacksWay = true }
    }

    /// Takes a sequence that has ended.
    ///
    /// - Parameter name: what it is called, if it is one of many.
    mutating func add(_ pages: PageCounts, _ notes: [PageNote], _ paging: Paging, named name: String?) {
        let isSilent = !notes.contains { $0.hasWay || $0.hasMore != nil || $0.isLastAllowed }
        if isSilent {
            if let size = paging.size, pages.recordsOfFirstPage >= size { lacksWay = true }
            if name == nil, notes.contains(where: { $0.unasked != nil }) { lacksWay = true }
        }
        if name == nil, paging.mayLoseWay {
            (firstPage, isLedOn, self.isSilent) = (pages.recordsOfFirstPage, notes.count > 1, isSilent)
            if PageYield.endsFull(pages, notes) { fullPages = UInt64(notes.count) }
        }
        if case .offset(_, _, let size) = paging.style, let fewest = pages.fewestFollowed, fewest < UInt64(size) {
            isShort = true
        }
        let empty = notes.count - (pages.records > 0 ? pages.lastPage + 1 : 0)
        if empty > PageNote.mostEmpty, notes.last?.namesAnother == true { isGivenUp = true }
        if notes.contains(where: \.isBlank) { isBlank = true }
        hasPages = hasPages || !notes.isEmpty
        hasMore = hasMore || notes.contains { $0.hasMore != nil }
        // A feed may change while its pages are read, and the last one with records knows best.
        let promised =
            notes.prefix(pages.lastPage + 1).last { $0.total != nil }?.total
            ?? notes.first { $0.total != nil }?.total
        guard let promised else { return }
        hasTotal = true
        guard lack == nil, pages.records < promised, !notes.contains(where: \.isLastAllowed) else { return }
        lack = Lack(name: name, promised: promised, records: pages.records)
    }

    private static func endsFull(_ pages: PageCounts, _ notes: [PageNote]) -> Bool {
        guard let last = notes.last, notes.count > 1, pages.lastPage == notes.count - 1 else { return false }
        return !last.hasWay && last.hasMore == nil && !last.isLastAllowed && pages.last == pages.recordsOfFirstPage
            && pages.last >= leastFull
    }
}
