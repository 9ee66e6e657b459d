/// What a web service has said of the version of a feed that a run has loaded.
package struct FetchMark: Sendable, Hashable {
    package var source: String
    /// What tells the request, and what was made of the answer, from another: the version of one says nothing of the
    /// other's.
    package var request: String
    package var etag: String?
    package var lastModified: String?

    package init(source: String, request: String, etag: String?, lastModified: String?) {
        self.source = source
        self.request = request
        self.etag = etag
        self.lastModified = lastModified
    }
}
