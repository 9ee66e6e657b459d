import Glibc
import SluiceExtract
import SluiceRecords

/// Keys of the role that a container, or a virtual machine, has.
extension AWSKeys {
    /// The keys of a container's role.
    static func ofContainer(_ settings: FetchSettings) throws(Failure) -> AWSKeys? {
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
    static func ofMachine(_ settings: FetchSettings) throws(Failure) -> AWSKeys? {
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
    static func ask(
        _ address: String, _ headers: [WebRequest.Parameter], _ settings: FetchSettings, method: String? = nil
    ) throws(Failure) -> [UInt8] {
        var request = WebRequest(url: address)
        request.headers = headers
        request.method = method
        request.isNear = true
        request.timeout = 2
        request.retries = 1
        return try FileDownload(request, FetchSession(settings)).bytes(most: 1 << 16)
    }

    private static func keys(_ answer: [UInt8], from address: String) throws(Failure) -> AWSKeys? {
        guard let root = try? JSONTree.read(answer, file: address).root, let id = root["AccessKeyId"]?.text,
            let secret = root["SecretAccessKey"]?.text
        else { throw Failure(.unavailable, "\(address) answered without keys of AWS") }
        var keys = AWSKeys(id: id, secret: secret, session: root["Token"]?.text)
        keys.end(at: root["Expiration"]?.text.flatMap(seconds))
        return keys
    }

    /// Seconds since 1970 of a moment as `2026-11-24T10:00:00Z`, in the order in which libcurl knows it.
    static func seconds(_ text: String) -> Double? {
        let digits = text.utf8.prefix(19).filter { $0 != UInt8(ascii: "-") }
        let words = digits.map { $0 == UInt8(ascii: "T") ? UInt8(ascii: " ") : $0 }
        return httpDate(String(decoding: words, as: UTF8.self) + " GMT").map(Double.init)
    }
}
