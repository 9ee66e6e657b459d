import SluiceRecords

/// A feed of a web service: its address, and how it is to be asked for.
public struct WebRequest: Sendable, Hashable {
    /// `http` or `https`, without a user and a password.
    public var url: String
    public var headers: [Parameter] = []
    /// What is added to the query of the address.
    public var query: [Parameter] = []
    public var auth: Authentication?
    public var pages: Paging?
    /// How long the service may be silent, in seconds.
    public var timeout = 30.0
    /// Failures in a row without progress that are tried again.
    public var retries = 5
    /// Seconds from one request to the next, at least.
    public var interval = 0.0
    /// Bytes of the feed, uncompressed, at the most.
    public var maxBytes = WebRequest.defaultMaxBytes
    /// Whether the feed may be empty: a sequence of no values.
    public var mayBeEmpty = false

    public static let defaultMaxBytes: UInt64 = 16 << 30

    public init(url: String) { self.url = url }

    /// A header, or a parameter of a query. Its value may be a secret.
    public struct Parameter: Sendable, Hashable {
        public var name: String
        public var value: Secret

        public init(_ name: String, _ value: Secret) {
            self.name = name
            self.value = value
        }
    }
}

/// How a service is told who asks.
public enum Authentication: Sendable, Hashable {
    case bearer(Secret)
    case basic(user: Secret, password: Secret)
    case header(name: String, value: Secret)
    case oauth2(OAuth2)

    /// The grant for clients of RFC 6749, section 4.4.
    public struct OAuth2: Sendable, Hashable {
        public var tokenURL: String
        public var clientID: Secret
        public var clientSecret: Secret
        public var scope: String?

        public init(tokenURL: String, clientID: Secret, clientSecret: Secret, scope: String? = nil) {
            self.tokenURL = tokenURL
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.scope = scope
        }
    }
}

/// How a feed that comes in pages goes on.
public struct Paging: Sendable, Hashable {
    public enum Style: Sendable, Hashable {
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

    public var style: Style
    /// The last page, as it is counted (from `first`, or from 1); nil: no limit.
    public var last: Int?
    /// The records of a full page: where such a one says nothing of a next page, that is worth telling.
    public var size: Int?
    /// The path of the number of records that the service says there are.
    public var total: Path?

    public init(_ style: Style, last: Int? = nil) {
        self.style = style
        self.last = last
    }
}

/// What a page says of the others.
public struct PageNote: Sendable, Hashable {
    /// Whether it has what leads to the next page, even if that says that there is none.
    public var hasWay = false
    /// How many records there are in all.
    public var total: UInt64?
    /// Whether no further page was wanted, see ``Paging/last``.
    public var isLastAllowed = false

    public init() {}
}

/// What a service says of the version of a feed, to be told again the next time (RFC 9110, section 8.8).
public struct Validators: Sendable, Hashable {
    public var etag: String?
    public var lastModified: String?

    public init(etag: String?, lastModified: String?) {
        self.etag = etag
        self.lastModified = lastModified
    }

    public var isEmpty: Bool { etag == nil && lastModified == nil }
}
