import SluiceRecords

/// What services call members that lead to a next page. Names are compared in small letters, without what stands
/// between words; `parent` is the name of the object that has the member.
package enum NextPageNames {
    private static let addresses = [
        "next", "nexturl", "nexturi", "nextlink", "nextpage", "nextpageurl", "nextpagelink", "nexthref",
        "nextrecordsurl", "odatanextlink", "afterurl",
    ]
    private static let targets = ["href", "url", "uri"]
    private static let mores = [
        "hasmore", "hasnext", "hasnextpage", "moreavailable", "hasmorerecords", "hasmoreitems", "morerecords",
    ]
    private static let lasts = ["islast", "islastpage", "endofstream"]
    private static let pageCounts = ["totalpages", "pagecount", "lastpage", "pagestotal", "numpages"]
    private static let recordCounts = [
        "totalcount", "totalresults", "totalitems", "totalelements", "totalrecords", "totalhits", "numfound",
    ]
    /// What stands beside a `total` that is one of records.
    private static let measures = [
        "limit", "offset", "page", "perpage", "pagesize", "maxresults", "startat", "startindex", "skip", "currentpage",
    ]
    /// Names of objects that speak of pages.
    private static let parents = ["pagination", "paging", "pageinfo"]
    /// Cursors that no last page has. Others, such as `endCursor`, `bookmark` and `scroll_id`, every page may have.
    private static let cursors = ["nextcursor", "nextpagetoken", "nexttoken", "nextcontinuationtoken"]

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

    /// Whether a member has the address of the next page.
    package static func isAddress(_ name: String, in parent: String, _ text: String) -> Bool {
        guard addresses.containsExactly(name) || parent.isIdentical(to: "next") && targets.containsExactly(name) else {
            return false
        }
        return ["/", "?", "http://", "https://"].contains { text.hasPrefix($0) }
    }

    /// Whether a member leads to a next page: what it is called, and a text that is not empty, say so.
    static func leadsOn(_ name: String, in parent: String, _ text: String) -> Bool {
        if text.isEmpty { return false }
        let isCursor = cursors.containsExactly(name) || parent.isIdentical(to: "next") && name.isIdentical(to: "after")
        return isCursor || isAddress(name, in: parent, text)
    }

    /// Whether a member says that there is a next page, or that there is none.
    package static func saysMore(_ name: String) -> Bool { mores.containsExactly(name) }

    /// Whether a member says that this page is the last one, or that it is not.
    static func saysLast(_ name: String) -> Bool { lasts.containsExactly(name) }

    /// Whether a member has the number of all pages.
    static func isPageCount(_ name: String, in parent: String) -> Bool {
        pageCounts.containsExactly(name) || name.isIdentical(to: "pages") && parents.containsExactly(parent)
    }

    /// Whether a member has the number of all records, whatever stands beside it.
    static func isRecordCount(_ name: String, in parent: String) -> Bool {
        isTotal(name) ? parents.containsExactly(parent) : isRecordCount(name)
    }

    /// Whether a member may have the number of all records: `total` may as well be a sum of money.
    package static func isRecordCount(_ name: String) -> Bool { recordCounts.containsExactly(name) || isTotal(name) }

    /// Whether a member has the number of all records, if others speak of pages: it may be a sum of money.
    static func isTotal(_ name: String) -> Bool { name.isIdentical(to: "total") }

    /// Whether a member says how long a page is, or where it begins.
    static func isMeasure(_ name: String) -> Bool { measures.containsExactly(name) }
}
