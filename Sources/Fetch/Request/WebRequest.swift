import SluicePosix
import SluiceRecords

/// A feed of a web service: its address, and how it is to be asked for.
package struct WebRequest: Sendable, Hashable {
    /// `http` or `https`, without a user and a password.
    package var url: String
    package var headers: [Parameter] = []
    /// What is added to the query of the address.
    package var query: [Parameter] = []
    package var auth: Authentication?
    /// What is posted; nil: nothing is.
    package var body: RequestBody?
    package var pages: Paging?
    /// How long the service may be silent, in seconds.
    package var timeout = 30.0
    /// What gives the service credentials, for those who have sent none.
    package var credentialsHint = "\"auth\" of the source gives them"
    /// Failures in a row without progress that are tried again.
    package var retries = 5
    /// Seconds from one request to the next, at least.
    package var interval = 0.0
    /// Bytes of the feed, uncompressed, at the most.
    package var maxBytes = WebRequest.defaultMaxBytes
    /// Whether the feed may be empty: a sequence of no values.
    package var mayBeEmpty = false
    /// Whether the feed is a table, CSV or TSV, and not JSON.
    package var isTable = false
    /// Whether what comes is an archive, of which only some files are feeds.
    package var isArchive = false
    /// Whether what comes is an object of a store, of whatever type, which is to be as it was listed.
    package var isObject = false
    /// What is asked with instead of GET.
    var method: String?
    /// Whether the service is on this machine, or beside it: no proxy leads there.
    var isNear = false

    package static let defaultMaxBytes: UInt64 = 16 << 30

    package init(url: String) { self.url = url }

    /// A header, or a parameter of a query. Its value may be a secret.
    package struct Parameter: Sendable, Hashable {
        package var name: String
        package var value: Secret

        package init(_ name: String, _ value: Secret) {
            self.name = name
            self.value = value
        }
    }
}

/// How a service is told who asks.
package enum Authentication: Sendable, Hashable {
    case bearer(Secret)
    case basic(user: Secret, password: Secret)
    case header(name: String, value: Secret)
    case oauth2(OAuth2)
    case aws(AWS)

    /// A service that wants requests signed with keys of AWS (Signature Version 4).
    package struct AWS: Sendable, Hashable {
        /// As signatures name it: `s3`, `execute-api`.
        package var name: String
        /// Nil: as variables or the profile of AWS say.
        package var region: String?

        package init(name: String, region: String? = nil) {
            self.name = name
            self.region = region
        }
    }

    /// How a token is asked for.
    package struct OAuth2: Sendable, Hashable {
        /// What entitles to a token.
        package enum Grant: Sendable, Hashable {
            /// Who the client is (RFC 6749, section 4.4).
            case client
            /// A signature of the client (RFC 7523, section 2.1), perhaps for somebody.
            case assertion(subject: Secret?)
            /// A token that was given before (RFC 6749, section 6): that of the definition, or a later one.
            case refresh(Secret)
            /// What somebody has said at `sluice login` (RFC 8628); the address of its beginning.
            case device(url: String)
        }

        package var tokenURL: String
        package var clientID: Secret
        /// The client's password; nil: it has none, or signs.
        package var clientSecret: Secret?
        /// The client's key, a PEM text.
        package var privateKey: Secret?
        /// Which of several keys it is.
        package var keyID: String?
        /// For whom a signature is; nil: for the address of the token.
        package var audience: String?
        package var scope: String?
        package var grant = Grant.client

        package init(tokenURL: String, clientID: Secret, clientSecret: Secret? = nil, scope: String? = nil) {
            self.tokenURL = tokenURL
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.scope = scope
        }
    }
}

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

    package init(_ style: Style, last: Int? = nil) {
        self.style = style
        self.last = last
    }
}

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

/// What a service says of the version of a feed, to be told again the next time (RFC 9110, section 8.8).
package struct Validators: Sendable, Hashable {
    package var etag: String?
    package var lastModified: String?

    package init(etag: String?, lastModified: String?) {
        self.etag = etag
        self.lastModified = lastModified
    }

    package var isEmpty: Bool { etag == nil && lastModified == nil }
}
