import CSluiceCurl
import SluiceRecords

/// An address of the web, as libcurl understands it: what is checked here is what is asked for there.
package struct WebAddress: Sendable, Hashable {
    /// Whole.
    let text: String
    let scheme: String
    private let host: String
    private let port: String
    let path: String

    /// The path stays as it is written: `.` and `..` are parts of it like others. Only where a service sends us, they
    /// lead to other parts (RFC 3986, section 5.2.4).
    ///
    /// - Parameter base: what a relative address is relative to.
    /// - Throws: what is wrong, a sentence without a subject, which does not show the address.
    package init(_ text: String, relativeTo base: WebAddress? = nil) throws(AddressError) {
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) else {
            throw AddressError("holds a space or a control character")
        }
        guard let url = unsafe curl_url() else { throw AddressError("cannot be read: out of memory") }
        defer { unsafe curl_url_cleanup(url) }
        if let base { _ = unsafe curl_url_set(url, CURLUPART_URL, base.text, UInt32(CURLU_PATH_AS_IS)) }
        let flags = CURLU_NON_SUPPORT_SCHEME | (base == nil ? CURLU_PATH_AS_IS : 0)
        guard unsafe curl_url_set(url, CURLUPART_URL, text, UInt32(flags)) == CURLUE_OK else {
            throw AddressError("is no address such as https://example.org/feed")
        }
        func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
            var value: UnsafeMutablePointer<CChar>?
            guard unsafe curl_url_get(url, part, &value, UInt32(flags)) == CURLUE_OK, let found = unsafe value else {
                return nil
            }
            defer { unsafe curl_free(found) }
            return unsafe String(cString: found)
        }
        scheme = part(CURLUPART_SCHEME)?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https" else { throw AddressError("must start with https:// or http://") }
        guard part(CURLUPART_USER) == nil, part(CURLUPART_PASSWORD) == nil else {
            throw AddressError("cannot hold a user or a password: they belong in \"auth\"")
        }
        _ = unsafe curl_url_set(url, CURLUPART_FRAGMENT, nil, 0)
        host = part(CURLUPART_HOST)?.lowercased() ?? ""
        port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT) ?? ""
        path = part(CURLUPART_PATH) ?? "/"
        self.text = part(CURLUPART_URL) ?? text
    }

    /// The address without its query, which may hold secrets: for messages and reports.
    package var shown: String {
        let isUsual = port == (scheme == "https" ? "443" : "80")
        return "\(scheme)://\(host)\(isUsual ? "" : ":" + port)\(path)"
    }

    /// The service, without the path.
    var service: String { "\(scheme)://\(host):\(port)" }

    /// Whether credentials for one are meant for the other: same scheme, host and port.
    func isOfSameService(as other: WebAddress) -> Bool { service == other.service }

    /// With more parameters in its query; one that is there already is replaced.
    func adding(_ parameters: [(name: String, value: String)]) throws(AddressError) -> WebAddress {
        guard !parameters.isEmpty else { return self }
        let added = parameters.map { (name: percentEncoded($0.name), value: percentEncoded($0.value)) }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? String(parts[1]) : ""
        let kept = query.split(separator: "&").filter { member in
            let name = member.prefix { $0 != "=" }
            return !added.contains { $0.name.utf8.elementsEqual(name.utf8) }
        }
        let all = kept.map(String.init) + added.map { "\($0.name)=\($0.value)" }
        return try WebAddress("\(parts[0])?\(all.joined(separator: "&"))")
    }
}

extension WebAddress {
    /// With the parameters of its query in the order of their bytes, as signatures have them.
    var withSortedQuery: WebAddress {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return self }
        let members = parts[1].split(separator: "&").map { $0.utf8.contains(UInt8(ascii: "=")) ? String($0) : $0 + "=" }
        let sorted = members.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return (try? WebAddress("\(parts[0])?\(sorted.joined(separator: "&"))")) ?? self
    }

    /// With a path whose parts are encoded once more, and what is asked for all the same: the path and the query as
    /// they are; nil: no part is another then.
    var withPathEncodedAgain: (address: WebAddress, target: String)? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let again = parts.map { percentEncoded(String($0)) }.joined(separator: "/")
        let behind = text.utf8.dropFirst("\(scheme)://".utf8.count)
        guard again != path, let start = behind.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let query = text[start...].drop { $0 != "?" }
        guard let address = try? WebAddress("\(text[..<start])\(again)\(query)") else { return nil }
        return (address, String(text[start...]))
    }
}
