import SluiceExtract
import SluiceRecords

/// A bucket of a service that speaks S3: of AWS, or that of which `AWS_ENDPOINT_URL` is the address.
///
///     let objects = try ObjectBucket("feeds", settings: .sluice).objects(ObjectPattern("s3://feeds/*.json"))
package struct ObjectBucket {
    private let base: String
    private let settings: FetchSettings

    /// A list is no longer: a thousand keys.
    private static let longestList = 16 << 20

    package init(_ name: String, settings: FetchSettings) throws(Failure) {
        self.settings = settings
        if let endpoint = try AWSPlace.endpoint() {
            base = "\(endpoint)/\(name)"
            return
        }
        let region = try AWSPlace.region() ?? AWSSigner.defaultRegion
        let host = "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
        // Certificates are for names without a point.
        base = name.contains(".") ? "https://\(host)/\(name)" : "https://\(name).\(host)"
    }

    /// How objects of a bucket are asked for.
    ///
    /// - Parameter address: that of one of them.
    package static func request(_ address: String) -> WebRequest {
        var request = WebRequest(url: address)
        request.auth = .aws(Authentication.AWS(name: "s3"))
        request.maxBytes = .max / 4
        request.mayBeEmpty = true
        request.isObject = true
        return request
    }

    /// The objects that a pattern names, sorted by the bytes of their keys. Throws `missing` where there is no such bucket.
    package func objects(_ pattern: ObjectPattern) throws(Failure) -> [BucketObject] {
        var found: [BucketObject] = []
        var token: String?
        let client = try client()
        repeat {
            let address = try address(of: listing(pattern, token))
            let bytes = try FileDownload(client, address).bytes(most: ObjectBucket.longestList)
            guard let answer = ListAnswer(bytes) else {
                throw Failure(.unavailable, "\(address.shown) answered with something that is no list of objects")
            }
            for object in answer.objects where pattern.matches(object.key) {
                found.append(
                    BucketObject(
                        name: pattern.name(of: object.key), address: "\(base)/\(encoded(object.key))",
                        etag: object.etag, size: object.size))
            }
            guard answer.next == nil || answer.next != token else {
                throw Failure(.unavailable, "\(address.shown) answers with the same page of its list again and again")
            }
            token = pattern.isPattern ? answer.next : nil
        } while token != nil
        return found.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private func client() throws(Failure) -> Client {
        let request = ObjectBucket.request(base + "/")
        return try Client(request, PageStream(size: 1), settings, ServiceAccess(request, WireMeter()))
    }

    /// The address of a page of the list.
    private func listing(_ pattern: ObjectPattern, _ token: String?) -> String {
        var query = [("encoding-type", "url"), ("list-type", "2"), ("prefix", pattern.prefix)]
        if let token { query.append(("continuation-token", token)) }
        if pattern.isPattern, pattern.isFlat { query.append(("delimiter", "/")) }
        // An object without a pattern is the first of those that begin so.
        if !pattern.isPattern { query.append(("max-keys", "1")) }
        query.sort { $0.0 < $1.0 }
        return "\(base)?" + query.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
    }

    private func address(of text: String) throws(Failure) -> WebAddress {
        do throws(AddressError) {
            return try WebAddress(text)
        } catch {
            throw Failure(.definition, "the address of the service for s3:// \(error.message)")
        }
    }

    /// A key in an address: its slashes stay.
    private func encoded(_ key: String) -> String {
        key.split(separator: "/", omittingEmptySubsequences: false).map { percentEncoded(String($0)) }
            .joined(separator: "/")
    }
}
