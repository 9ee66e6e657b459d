/// What a page says of the others.
package struct PageNote: Sendable, Hashable {
    /// Whether it has what leads to the next page, even if that says that there is none.
    package var hasWay = false
    /// Of a feed without pages, or a page that has not what leads to the next one: what the answer says of further
    /// ones.
    package var unasked: UnaskedPages?
    /// How many records there are in all.
    package var total: UInt64?
    /// Whether no further page was wanted, see ``Paging/last``.
    package var isLastAllowed = false
    /// Whether there is another page, as the page says at ``Paging/more``; nil: it says nothing of that.
    package var hasMore: Bool?
    /// Whether the way to the next page is the one that led to this.
    package var leadsBack = false
    /// Whether the page is empty, names another one, and may be followed by it: services that filter what they have
    /// give such pages. Some name another one for ever: after so many empty pages in a row as ``mostEmpty``, nobody
    /// goes on.
    package var leadsOn = false
    package static let mostEmpty = 10
    /// Whether the page names another one, which is not itself, and does not say whether there is one.
    package var namesAnother = false
    /// Whether the page has no byte, though the one before named it, or said that there is another, and no status
    /// (204) says that this is on purpose.
    package var isBlank = false
    /// When the answer came, in seconds since 1970, if an earlier run has asked for it, or an earlier reading; nil: it
    /// came now.
    package var keptAt: Int?
    /// Whether an earlier run, which has succeeded, has kept the answer for as long as the service lets it.
    package var isOfCache = false
    /// Whether there is nothing at the address (404), which is asked for a record.
    package var isNotFound = false

    /// Whether pages count fewer records from one to the next: what has moved from one to another since is on none of
    /// them, or on both.
    package static func shrink(_ notes: [PageNote]) -> Bool {
        let totals = notes.compactMap(\.total).filter { $0 > 0 }
        return zip(totals, totals.dropFirst()).contains { $0 > $1 }
    }

    package init() {}
}
