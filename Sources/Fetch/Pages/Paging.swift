import SluiceRecords

/// How a feed that comes in pages goes on.
package struct Paging: Sendable, Hashable {
    package enum Style: Sendable, Hashable {
        /// A value of the page is the address of the next one.
        case next(Path)
        /// The header `Link` (RFC 8288) has the address of the next page, under a relation.
        case link(relation: String)
        /// A value of the page is a parameter of the next one's address.
        case cursor(Path, parameter: String)
        /// A parameter counts the pages.
        case number(parameter: String, first: Int)
        /// A parameter counts what the pages before hold; another says how much one holds.
        case offset(parameter: String, limit: String, size: Int)
    }

    /// The relation of the next page in the header `Link` (RFC 8288).
    package static let nextRelation = "next"

    package var style: Style
    /// The last page, as it is counted (from `first`, or from 1); nil: no limit.
    package var last: Int?
    /// The records of a full page: where such a one says nothing of a next page, that is worth telling.
    package var size: Int?
    /// The path of the number of records that the service says there are.
    package var total: Path?
    /// The path of a value that says whether there is another page.
    package var more: Path?
    /// Whether that value says instead whether the page is the last one.
    package var moreIsEnd = false
    /// Where pages have their records: paths up to what may match several nodes; empty: that is not known.
    package var places: [Path] = []

    /// Whether nothing but its way says whether there is a next page: one that is called otherwise, or got lost, looks
    /// like the end.
    package var mayLoseWay: Bool {
        switch style {
        case .next, .link, .cursor: more == nil
        case .number, .offset: false
        }
    }

    /// The number of the first page.
    var first: Int {
        if case .number(_, let first) = style { return first }
        return 1
    }

    package init(_ style: Style, last: Int? = nil) {
        self.style = style
        self.last = last
    }
}
