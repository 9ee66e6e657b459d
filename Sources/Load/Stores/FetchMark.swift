/// The version of a loaded feed, as the web service gave it.
package struct FetchMark: Sendable, Hashable {
    package var source: String
    /// Identifies the request and the processing of its answer: the version of one request says nothing of another's.
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
