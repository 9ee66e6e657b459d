import CSluiceCrypto
import Glibc
import SluiceExtract
import SluiceRecords

/// A login by SSO, as `aws sso login` leaves it: a token, for which there are keys of a role.
struct AWSLogin {
    private let profile: AWSProfile
    private let region: String?
    /// What tells the login from others: the name of the file says so.
    private let key: String

    init(_ profile: AWSProfile) throws(Failure) {
        self.profile = profile
        let session = profile["sso_session"]
        let start = session.flatMap { profile.session($0, "sso_start_url") } ?? profile["sso_start_url"]
        region = session.flatMap { profile.session($0, "sso_region") } ?? profile["sso_region"]
        guard let key = session ?? start else {
            throw Failure(.definition, "the profile \(profile.name) of AWS has neither sso_session nor sso_start_url")
        }
        self.key = key
    }

    func keys(_ settings: FetchSettings) throws(Failure) -> AWSKeys {
        guard let account = profile["sso_account_id"], let role = profile["sso_role_name"], let region else {
            throw Failure(
                .definition, "the profile \(profile.name) of AWS needs sso_account_id, sso_role_name and sso_region")
        }
        let again = "log in with aws sso login, for the profile \(profile.name)"
        let file = "\(settings.variable("HOME") ?? "")/.aws/sso/cache/\(try AWSLogin.digest(key)).json"
        guard let text = AWSProfile.text(file),
            let root = try? JSONTree.read(Array(text.utf8), file: file).root, let token = root["accessToken"]?.text
        else { throw Failure(.refused, "nobody has logged in at AWS: \(again)") }
        if let end = root["expiresAt"]?.text.flatMap(AWSKeys.seconds), end <= Double(time(nil)) {
            throw Failure(.refused, "the login at AWS has ended: \(again)")
        }
        let base = settings.variable("AWS_ENDPOINT_URL_SSO") ?? "https://portal.sso.\(region).amazonaws.com"
        let query = "account_id=\(percentEncoded(account))&role_name=\(percentEncoded(role))"
        var request = WebRequest(url: "\(base)/federation/credentials?\(query)")
        request.headers = [.init("x-amz-sso_bearer_token", .text(token))]
        let bytes = try FileDownload(request, FetchSession(settings)).bytes(most: 1 << 16)
        guard let found = try? JSONTree.read(bytes, file: base).root["roleCredentials"],
            let id = found["accessKeyId"]?.text, let secret = found["secretAccessKey"]?.text
        else { throw Failure(.unavailable, "\(base) answered without keys of AWS") }
        var keys = AWSKeys(id: id, secret: secret, session: found["sessionToken"]?.text)
        if case .number(let milliseconds)? = found["expiration"]?.kind {
            keys.end(at: Double(milliseconds).map { $0 / 1000 })
        }
        return keys
    }

    /// SHA-1, in hexadecimal: a name, and no protection.
    private static func digest(_ text: String) throws(Failure) -> String {
        var bytes = [UInt8](repeating: 0, count: 20)
        guard unsafe EVP_Digest(text, text.utf8.count, &bytes, nil, EVP_sha1(), nil) == 1 else {
            throw Failure(.defect, "libcrypto has no SHA-1")
        }
        return bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }
}
