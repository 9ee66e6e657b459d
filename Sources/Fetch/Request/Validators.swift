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
