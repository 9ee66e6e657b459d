import SluiceExtract
import SluiceRecords

/// Signs the requests to a service.
struct AWSSigner: Sendable {
    let service: Authentication.AWS
    /// Nil: those that variables, files and roles give.
    var keys: AWSKeys?

    /// Nil: there are no keys. What nobody may see is given to `hide`.
    ///
    /// - Parameter content: what an object is to hold: the service compares it with what comes.
    func signature(
        _ settings: FetchSettings, of content: [UInt8]? = nil, _ hide: (String) -> Void
    ) throws(Failure) -> AWSSignature? {
        var found = keys
        if found == nil { found = try AWSKeys.current(settings) }
        guard let keys = found else { return nil }
        hide(keys.secret)
        if let session = keys.session { hide(session) }
        var region = service.region
        if region == nil { region = try AWSPlace.region(settings) }
        var headers = keys.session.map { [(name: "x-amz-security-token", value: $0)] } ?? []
        if service.name == "s3" {
            // Where nothing is sent, there is nothing to compare.
            let digest = try content.map { content throws(Failure) in try SHA256.hexadecimal(of: content) }
            headers.append(("x-amz-content-sha256", digest ?? "UNSIGNED-PAYLOAD"))
        }
        return AWSSignature(
            scope: "aws:amz:\(region ?? AWSSigner.defaultRegion):\(service.name)", id: keys.id,
            secret: keys.secret, headers: headers, encodesPath: service.name != "s3")
    }

    static let defaultRegion = "us-east-1"
}
