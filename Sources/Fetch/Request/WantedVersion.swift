/// Which version of a feed is wanted.
enum WantedVersion: Sendable {
    case any
    /// Another one than that of which the service has said this.
    case other(than: Validators)
    /// The one with this ETag: whatever else is there is refused.
    case only(etag: String)

    /// What the known version is known by; nil: none is known.
    var known: Validators? {
        if case .other(let known) = self { return known }
        return nil
    }

    /// The ETag of the only version that will do; nil: others do as well.
    var etag: String? {
        if case .only(let etag) = self { return etag }
        return nil
    }
}

extension Validators {
    /// What asks a service for a version other than this one.
    var headers: [String] {
        (etag.map { ["If-None-Match: \($0)"] } ?? []) + (lastModified.map { ["If-Modified-Since: \($0)"] } ?? [])
    }
}
