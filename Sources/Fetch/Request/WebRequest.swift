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
