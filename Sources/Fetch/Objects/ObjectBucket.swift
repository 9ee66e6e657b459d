import SluiceExtract
import SluiceRecords

/// A bucket of a service that speaks S3: of AWS, or that of which `AWS_ENDPOINT_URL` is the address.
///
///     let objects = try ObjectBucket("feeds", FetchSession(.sluice)).objects(ObjectPattern("s3://feeds/*.json"))
package struct ObjectBucket {
    private let base: String
    let session: FetchSession

    /// A list is no longer: a thousand keys.
    private static let longestList = 16 << 20

    package init(_ name: String, _ session: FetchSession) throws(Failure) {
        self.session = session
        if let endpoint = try AWSPlace.endpoint(session.settings) {
            base = "\(endpoint)/\(name)"
            return
        }
        let region = try AWSPlace.region(session.settings) ?? AWSSigner.defaultRegion
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

    /// How an object is asked for that was listed: `s3://bucket/key`.
    package static func request(named name: String) throws(Failure) -> WebRequest {
        let place = try ObjectPattern(named: name)
        return request(try ObjectBucket(place.bucket, FetchSession()).address(of: place.key))
    }

    /// The objects that a pattern names, sorted by the bytes of their keys. Throws `missing` where there is no such
    /// bucket, `cancelled` where nobody wants them any more.
    package func objects(_ pattern: ObjectPattern) throws(Failure) -> [ListedObject] {
        // An object without a pattern is the first of those that begin so.
        let found = try list(
            pattern.prefix, isFlat: pattern.isPattern && pattern.isFlat, most: pattern.isPattern ? nil : 1)
        return found.filter { pattern.matches($0.key) }.map { object in
            ListedObject(
                name: pattern.name(of: object.key), address: address(of: object.key), etag: object.etag,
                size: object.size)
        }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The objects whose keys begin with a text.
    ///
    /// - Parameters:
    ///   - isFlat: whether those are meant whose keys have no slash behind that.
    ///   - most: how many are wanted; nil: all.
    func list(_ prefix: String, isFlat: Bool, most: Int? = nil) throws(Failure) -> [ObjectList.Object] {
        var found: [ObjectList.Object] = []
        var token: String?
        let client = try client()
        repeat {
            var query = [("encoding-type", "url"), ("list-type", "2"), ("prefix", prefix)]
            if let token { query.append(("continuation-token", token)) }
            if isFlat { query.append(("delimiter", "/")) }
            if let most { query.append(("max-keys", String(most))) }
            let address = try address(query)
            let bytes = try FileDownload(client, address).bytes(most: ObjectBucket.longestList)
            guard let answer = ObjectList(bytes) else {
                throw Failure(.unavailable, "\(address.shown) answered with something that is no list of objects")
            }
            guard answer.next == nil || answer.next != token else {
                throw Failure(.unavailable, "\(address.shown) answers with the same page of its list again and again")
            }
            found += answer.objects
            token = most == nil ? answer.next : nil
        } while token != nil
        return found
    }

    /// Makes requests to the bucket.
    ///
    /// - Parameter isBrief: whether the requests take little time and go on even where the run is stopped: those that
    ///   tidy up in the end.
    func client(isBrief: Bool = false) throws(Failure) -> Client {
        var request = ObjectBucket.request(base + "/")
        var session = session
        if isBrief {
            (request.timeout, request.retries) = (5, 1)
            session.isStopped = nil
        }
        return try Client(ServiceAccess(request, session))
    }

    /// Has the service forget uploads that were begun and are not ended: of keys that begin with a text.
    ///
    /// - Parameter isMeant: is told the key and the identifier of each.
    func abortUploads(
        _ beginning: String, _ requests: ObjectRequests, where isMeant: (String, String) -> Bool
    ) throws(Failure) {
        let query = [("encoding-type", "url"), ("prefix", beginning), ("uploads", "")]
        let answer = try requests.perform("GET", address(query), of: base, accepts: [404, 501])
        guard let list = UploadList(answer.bytes) else { return }
        for upload in list.uploads where isMeant(upload.key, upload.identifier) {
            let target = "\(address(of: upload.key))?uploadId=\(percentEncoded(upload.identifier))"
            _ = try requests.perform("DELETE", ObjectBucket.address(target), of: base, accepts: [404])
        }
    }

    /// The address of the bucket with a query.
    func address(_ query: [(String, String)]) throws(Failure) -> WebAddress {
        let members = query.sorted { $0.0 < $1.0 }.map { "\($0.0)=\(percentEncoded($0.1))" }
        return try ObjectBucket.address("\(base)?" + members.joined(separator: "&"))
    }

    /// The address of an object. The slashes of its key stay.
    func address(of key: String) -> String {
        let parts = key.split(separator: "/", omittingEmptySubsequences: false).map { percentEncoded(String($0)) }
        return "\(base)/" + parts.joined(separator: "/")
    }

    static func address(_ text: String) throws(Failure) -> WebAddress {
        do throws(AddressError) {
            return try WebAddress(text)
        } catch {
            throw Failure(.definition, "the address of the service for s3:// \(error.message)")
        }
    }
}
