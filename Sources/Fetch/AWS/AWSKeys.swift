import Glibc
import SluiceExtract
import SluicePosix
import SluiceRecords
import Synchronization

/// Keys that sign requests to AWS, and to services that speak like it: of variables, of a profile, of the role that a
/// container or a machine has.
struct AWSKeys: Sendable {
    var id: String
    var secret: String
    /// What goes along with keys that are good for a while.
    var session: String?
    /// When they are to be replaced, as ``now`` counts.
    var end = Double.infinity

    /// The same for all who ask, as all of it is said outside.
    private static let known = Mutex<[[ExactText: String]: AWSKeys]>([:])
    /// Seconds before their end in which keys are not used any more.
    private static let margin = 300.0

    /// The keys; nil: there are none, and requests are not signed.
    static func current(_ settings: FetchSettings) throws(Failure) -> AWSKeys? {
        if let keys = known.withLock({ $0[settings.variables] }), now < keys.end { return keys }
        let keys = try find(settings)
        known.withLock { $0[settings.variables] = keys }
        return keys
    }

    private static func find(_ settings: FetchSettings) throws(Failure) -> AWSKeys? {
        if let keys = ofVariables(settings) { return keys }
        if let keys = try ofProfile(settings) { return keys }
        if let keys = try ofContainer(settings) { return keys }
        return try ofMachine(settings)
    }

    private static func ofVariables(_ settings: FetchSettings) -> AWSKeys? {
        guard let id = settings.variable("AWS_ACCESS_KEY_ID"),
            let secret = settings.variable("AWS_SECRET_ACCESS_KEY")
        else { return nil }
        return AWSKeys(id: id, secret: secret, session: settings.variable("AWS_SESSION_TOKEN"))
    }

    private static func ofProfile(_ settings: FetchSettings) throws(Failure) -> AWSKeys? {
        let profile = try AWSProfile(settings)
        if let id = profile["aws_access_key_id"], let secret = profile["aws_secret_access_key"] {
            return AWSKeys(id: id, secret: secret, session: profile["aws_session_token"])
        }
        let other = ["role_arn", "sso_session", "sso_start_url", "credential_process"].first { profile[$0] != nil }
        guard let other else { return nil }
        throw Failure(
            .definition,
            "the profile of AWS has its keys by \(other), which sluice does not do: "
                + "eval \"$(aws configure export-credentials --format env)\" sets them as variables")
    }

    // MARK: Roles

    /// The keys of a container's role.
    private static func ofContainer(_ settings: FetchSettings) throws(Failure) -> AWSKeys? {
        let relative = settings.variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")
        let address =
            relative.map { "http://169.254.170.2\($0)" } ?? settings.variable("AWS_CONTAINER_CREDENTIALS_FULL_URI")
        guard let address else { return nil }
        var headers: [WebRequest.Parameter] = []
        if let path = settings.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE") {
            guard let token = AWSProfile.text(path)?.trimmed else {
                throw Failure(.refused, "\(path), which AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE names, cannot be read")
            }
            headers = [.init("Authorization", .text(token))]
        } else if let token = settings.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN") {
            headers = [.init("Authorization", .text(token))]
        }
        return try keys(ask(address, headers, settings), from: address)
    }

    /// The keys of the role that a virtual machine has (its metadata service, version 2).
    private static func ofMachine(_ settings: FetchSettings) throws(Failure) -> AWSKeys? {
        if settings.variable("AWS_EC2_METADATA_DISABLED")?.lowercased() == "true" { return nil }
        let base = settings.variable("AWS_EC2_METADATA_SERVICE_ENDPOINT") ?? "http://169.254.169.254"
        let latest = (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/latest"
        let token: [UInt8]
        do throws(Failure) {
            let lifetime = WebRequest.Parameter("X-aws-ec2-metadata-token-ttl-seconds", .text("300"))
            token = try ask("\(latest)/api/token", [lifetime], settings, method: "PUT")
        } catch {
            // There is no such service here.
            return nil
        }
        let headers = [WebRequest.Parameter("X-aws-ec2-metadata-token", .text(text(token)))]
        let roles = "\(latest)/meta-data/iam/security-credentials/"
        let role: String
        do throws(Failure) {
            role = text(try ask(roles, headers, settings))
        } catch {
            // The machine has no role.
            if error.kind == .missing { return nil }
            throw error
        }
        return try keys(ask(roles + percentEncoded(role), headers, settings), from: roles)
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map { String($0).trimmed } ?? ""
    }

    /// Asks a service of this machine, which is near, or not there.
    private static func ask(
        _ address: String, _ headers: [WebRequest.Parameter], _ settings: FetchSettings, method: String? = nil
    ) throws(Failure) -> [UInt8] {
        var request = WebRequest(url: address)
        request.headers = headers
        request.method = method
        request.isNear = true
        request.timeout = 2
        request.retries = 1
        return try FileDownload(request, settings: settings).bytes(most: 1 << 16)
    }

    private static func keys(_ answer: [UInt8], from address: String) throws(Failure) -> AWSKeys? {
        guard let root = try? JSONTree.read(answer, file: address).root, let id = root["AccessKeyId"]?.text,
            let secret = root["SecretAccessKey"]?.text
        else { throw Failure(.unavailable, "\(address) answered without keys of AWS") }
        var keys = AWSKeys(id: id, secret: secret, session: root["Token"]?.text)
        if let text = root["Expiration"]?.text, let end = seconds(text) {
            keys.end = now + max(end - Double(time(nil)) - margin, 60)
        }
        return keys
    }

    /// Seconds since 1970 of a moment as `2026-11-24T10:00:00Z`, in the order in which libcurl knows it.
    private static func seconds(_ text: String) -> Double? {
        let digits = text.utf8.prefix(19).filter { $0 != UInt8(ascii: "-") }
        let words = digits.map { $0 == UInt8(ascii: "T") ? UInt8(ascii: " ") : $0 }
        return httpDate(String(decoding: words, as: UTF8.self) + " GMT").map(Double.init)
    }
}

/// How a request is signed (Signature Version 4), as libcurl takes it.
struct AWSSignature {
    /// `aws:amz:REGION:SERVICE`
    var scope: String
    /// The two keys.
    var user: String
    /// What goes along.
    var headers: [(name: String, value: String)]
}

/// Signs the requests to a service.
struct AWSSigner: Sendable {
    let service: Authentication.AWS

    /// Nil: there are no keys. What nobody may see is given to `hide`.
    ///
    /// - Parameter content: what an object is to hold: the service compares it with what comes.
    func signature(
        _ settings: FetchSettings, of content: [UInt8]? = nil, _ hide: (String) -> Void
    ) throws(Failure) -> AWSSignature? {
        guard let keys = try AWSKeys.current(settings) else { return nil }
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
            scope: "aws:amz:\(region ?? AWSSigner.defaultRegion):\(service.name)", user: "\(keys.id):\(keys.secret)",
            headers: headers)
    }

    static let defaultRegion = "us-east-1"
}
