import SluiceRecords

/// What services call members that lead to a next page. Names are compared in small letters, without what stands
/// between words; `parent` is the name of the object that has the member.
package enum NextPageNames {
    /// What a member may be, by its name alone.
    struct Roles: OptionSet {
        let rawValue: UInt32

        /// Has the address of the next page.
        static let address = Roles(rawValue: 1)
        /// Has what the next page is asked for with, and no last page has it.
        static let cursor = Roles(rawValue: 1 << 1)
        /// Has the number of the next page, or of its first record.
        static let position = Roles(rawValue: 1 << 2)
        /// Has what the next page is asked for with, and the last page may have it as well.
        static let bookmark = Roles(rawValue: 1 << 3)
        /// Says that there is a next page, or that there is none.
        static let more = Roles(rawValue: 1 << 4)
        /// Says that this page is the last one, or that it is not.
        static let last = Roles(rawValue: 1 << 5)
        /// Has the number of all pages.
        static let pageCount = Roles(rawValue: 1 << 6)
        /// Has the number of all records.
        static let recordCount = Roles(rawValue: 1 << 7)
        /// Says how long a page is, or where it begins.
        static let measure = Roles(rawValue: 1 << 8)
        /// Has the number of the page.
        static let page = Roles(rawValue: 1 << 9)
        /// Says where the page begins.
        static let offset = Roles(rawValue: 1 << 10)
        /// Says how many records a page has, at the most.
        static let limit = Roles(rawValue: 1 << 11)
        /// Has the last record of the page: that speaks of pages.
        static let lastRecord = Roles(rawValue: 1 << 12)
    }

    private static let named: [(Roles, [String])] = [
        (
            .address,
            [
                "next", "nexturl", "nexturi", "nextlink", "nextpage", "nextpageurl", "nextpagelink", "nexthref",
                "nextrecordsurl", "odatanextlink", "afterurl",
            ]
        ),
        (.cursor, ["nextcursor", "nextpagetoken", "nexttoken", "nextcontinuationtoken", "nextmarker", lastKey]),
        (.position, ["nextpage", "nextpagenumber", "nextoffset", "nextstart", "nextskip"]),
        (
            .bookmark,
            ["endcursor", "aftercursor", "bookmark", "scrollid", "continuationtoken", "continuation", "cursor"]
        ),
        (
            .more,
            [
                "hasmore", "hasnext", "hasnextpage", "moreavailable", "hasmorerecords", "hasmoreitems", "morerecords",
                "moreitemsincollection",
            ]
        ),
        (.last, ["islast", "islastpage", "endofstream"]),
        (.pageCount, ["totalpages", "pagecount", "lastpage", "pagestotal", "numpages"]),
        (
            .recordCount,
            [
                "totalcount", "totalresults", "totalitems", "totalelements", "totalrecords", "totalhits", "numfound",
            ]
        ),
        (
            .measure,
            [
                "limit", "offset", "page", "perpage", "pagesize", "maxresults", "startat", "startindex", "skip",
                "currentpage",
            ]
        ),
        (.page, ["page", "currentpage", "pagenumber", "pageno"]),
        (.offset, ["offset", "startat", "startindex", "start", "skip"]),
        (.limit, ["limit", "perpage", "pagesize", "maxresults"]),
        (.lastRecord, ["lastid", "lastkey", "marker", "cursor"]),
    ]

    private static let roles: [ExactText: Roles] = named.reduce(into: [:]) { roles, group in
        for name in group.1 { roles[ExactText(name), default: []].insert(group.0) }
    }

    private static let targets = ["href", "url", "uri"]
    /// Names of objects that speak of pages.
    private static let parents = ["pagination", "paging", "pageinfo"]
    /// Names of objects that speak of the answer.
    private static let heads = ["meta", "metadata"]
    /// Names of objects whose `next` needs no address.
    private static let holders = parents + ["pagetoken", "cursor", "cursors", "page", "pages", "pager"]
    /// The name of a key that may be an object.
    package static let lastKey = "lastevaluatedkey"
    /// The names of lists of links.
    package static let links = ["links", "link"]

    /// A name as it is compared.
    package static func plain(_ name: String) -> String {
        // Nearly all names, and there may be many of them.
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            let letters = name.utf8.lazy.map { $0 | 0x20 }.filter {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            }
            return String(decoding: letters, as: UTF8.self)
        }
        return String(String.UnicodeScalarView(name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic }))
    }

    static func roles(of name: String) -> Roles { roles[ExactText(name)] ?? [] }

    /// Whether a member has the address of the next page.
    package static func isAddress(_ name: String, in parent: String, _ text: String) -> Bool {
        guard roles(of: name).contains(.address) || parent.isIdentical(to: "next") && targets.containsExactly(name)
        else { return false }
        return isAddress(text)
    }

    /// Whether a text is an address, or the end of one.
    static func isAddress(_ text: String) -> Bool {
        ["/", "?", "http://", "https://"].contains { text.hasPrefix($0) }
    }

    /// Whether a member of a link has its address.
    package static func isTarget(_ name: String) -> Bool { targets.containsExactly(name) }

    /// Whether a member leads to a next page: what it is called, and a text that is not empty, say so.
    static func leadsOn(_ name: String, in parent: String, _ text: String) -> Bool {
        if text.isEmpty { return false }
        if roles(of: name).contains(.cursor) { return true }
        return parent.isIdentical(to: "next") && name.isIdentical(to: "after")
            || isContinue(name, in: parent) || isAddress(name, in: parent, text)
    }

    /// Whether a member has what the next page is asked for with, as Kubernetes calls it.
    package static func isContinue(_ name: String, in parent: String) -> Bool {
        name.isIdentical(to: "continue") && heads.containsExactly(parent)
    }

    /// Whether a member leads to a next page in an object of that name at the top, as in MediaWiki. What is called
    /// `continue` itself is beside what counts.
    package static func continues(_ name: String, in parent: String) -> Bool {
        parent.isIdentical(to: "continue") && !name.isIdentical(to: "continue")
    }

    /// Whether a member has what leads to the next page, whatever that is.
    package static func isNext(_ name: String, in parent: String) -> Bool {
        name.isIdentical(to: "next") && holders.containsExactly(parent)
    }

    /// Whether a member has what the next page is asked for with, and the last page may have it as well.
    static func isBookmark(_ name: String, in parent: String) -> Bool {
        if name.isIdentical(to: "continue") { return !parent.isIdentical(to: name) }
        return roles(of: name).contains(.bookmark) || isAfter(name, in: parent)
    }

    /// Whether a member has what stands before the next page.
    package static func isAfter(_ name: String, in parent: String) -> Bool {
        name.isIdentical(to: "after") && holders.containsExactly(parent)
    }

    /// Whether a member says that there is a next page, or that there is none.
    package static func saysMore(_ name: String) -> Bool { roles(of: name).contains(.more) || isTruncated(name) }

    /// Whether a member says that an answer is cut: of a record, it may be a text that is.
    static func isTruncated(_ name: String) -> Bool { ["istruncated", "truncated"].containsExactly(name) }

    /// Whether a member says that this is all, if others speak of pages: it may be a record's own.
    package static func saysComplete(_ name: String) -> Bool {
        ["complete", "iscomplete", "done"].containsExactly(name)
    }

    /// Whether a member has the number of all pages.
    static func isPageCount(_ name: String, in parent: String) -> Bool {
        roles(of: name).contains(.pageCount) || name.isIdentical(to: "pages") && parents.containsExactly(parent)
    }

    /// Whether a member has the number of all records, whatever stands beside it.
    static func isRecordCount(_ name: String, in parent: String) -> Bool {
        isTotal(name) ? parents.containsExactly(parent) : isRecordCount(name)
    }

    /// Whether a member may have the number of all records: `total` may as well be a sum of money.
    package static func isRecordCount(_ name: String) -> Bool {
        roles(of: name).contains(.recordCount) || isTotal(name)
    }

    /// Whether a member has the number of all records, if others speak of pages: it may be a sum of money.
    static func isTotal(_ name: String) -> Bool { name.isIdentical(to: "total") }

    /// Whether a member has the number of records that are on later pages, and cannot be a quota.
    static func isRest(_ name: String, in parent: String) -> Bool {
        name.isIdentical(to: "remainingitemcount")
            || name.isIdentical(to: "remaining") && parents.containsExactly(parent)
    }

    /// Whether a member may have the number of records that are on later pages, in an object that speaks of the answer.
    package static func mayBeRest(_ name: String, in parent: String) -> Bool {
        isRest(name, in: parent)
            || name.isIdentical(to: "remaining") && (parent.isEmpty || heads.containsExactly(parent))
    }
}
