import SluiceRecords

/// What an answer says of further pages, of a source that asks for none.
package struct UnaskedPages: Sendable, Hashable {
    /// How sure it is that there is more.
    package enum Certainty: Sendable, Hashable {
        /// A name that nothing else has says so.
        case named
        /// A name says so that a record may have as well: it counts in an answer of several records.
        case ofList
        /// Likewise, and the last page may have it, too.
        case likely
    }

    /// Where it says so: a path, the relation of the header `Link`, or the name of another header.
    package var place: String
    /// How many records there are in all, where that is all that it says.
    package var total: UInt64?
    package var certainty: Certainty

    init(place: String, total: UInt64? = nil, certainty: Certainty = .named) {
        self.place = place
        self.total = total
        self.certainty = certainty
    }

    /// What says more than another comes first: what surely leads to a page, a number of records, and what may lead to
    /// one.
    var rank: Int { certainty == .likely ? 2 : total == nil ? 0 : 1 }

    /// Headers by which services lead to a next page; with the number of pages; with that of records.
    private static let ways = ["X-Next-Page"]
    private static let pageCounts = ["X-Total-Pages", "X-WP-TotalPages", "X-Page-Count", "X-Pagination-Page-Count"]
    private static let recordCounts = ["X-Total-Count", "X-Total", "X-WP-Total", "X-Pagination-Total-Count"]

    /// What the headers of an answer say; nil: nothing.
    init?(_ head: ResponseHead) {
        func values(_ names: [String]) -> [(name: String, value: String)] {
            names.flatMap { name in head.all(name.lowercased()).map { (name, $0) } }
        }
        let pages = values(UnaskedPages.pageCounts).first { UInt64($0.value) ?? 0 > 1 }
        if let way = values(UnaskedPages.ways).first(where: { !$0.value.isEmpty }) ?? pages {
            self.init(place: way.name)
        } else if let count = values(UnaskedPages.recordCounts).first(where: { UInt64($0.value) != nil }) {
            self.init(place: count.name, total: UInt64(count.value))
        } else if let range = values(["Content-Range"]).first, let total = UnaskedPages.total(ofRange: range.value) {
            self.init(place: range.name, total: total)
        } else {
            return nil
        }
    }

    /// Of `items 0-9/47`: RFC 9110, section 14.4, where services count records. Ranges of bytes are another thing.
    private static func total(ofRange text: String) -> UInt64? {
        guard let slash = text.lastIndex(of: "/"), !text.hasPrefix("bytes") else { return nil }
        return UInt64(text[text.index(after: slash)...])
    }
}
