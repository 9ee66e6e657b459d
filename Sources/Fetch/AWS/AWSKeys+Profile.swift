import CSluiceCrypto
import Glibc
import SluiceExtract
import SluicePosix
import SluiceRecords

/// Keys as a profile says them: themselves, by a role, by a login, by a program.
extension AWSKeys {
    /// Nil: the profile has none.
    static func read(_ profile: AWSProfile, _ settings: FetchSettings) throws(Failure) -> AWSKeys? {
        try read(profile, settings, [])
    }

    /// - Parameter before: the profiles that lead here.
    private static func read(
        _ profile: AWSProfile, _ settings: FetchSettings, _ before: [String]
    ) throws(Failure) -> AWSKeys? {
        // A profile may name itself: then its own keys assume its role.
        let isOwn = before.last?.isIdentical(to: profile.name) == true
        if !isOwn, let role = AWSRole(profile) {
            if role.hasToken { return try role.keys(settings) }
            if profile["mfa_serial"] != nil { throw wantsCode(profile) }
            return try role.keys(settings, by: source(of: profile, settings, before))
        }
        if let id = profile["aws_access_key_id"], let secret = profile["aws_secret_access_key"] {
            return AWSKeys(id: id, secret: secret, session: profile["aws_session_token"])
        }
        if profile["sso_account_id"] != nil { return try AWSLogin(profile).keys(settings) }
        return try profile["credential_process"].map { command throws(Failure) in try printed(by: command) }
    }

    /// There is nobody to enter a code, which an own program may ask for.
    private static func wantsCode(_ profile: AWSProfile) -> Failure {
        Failure(
            .definition,
            "the role of the profile \(profile.name) of AWS wants a code (mfa_serial), and a run has nobody to ask: aws"
                + " configure export-credentials --profile \(profile.name) --format env says variables with its keys")
    }

    /// Who assumes the role of a profile.
    private static func source(
        of profile: AWSProfile, _ settings: FetchSettings, _ before: [String]
    ) throws(Failure) -> AWSKeys {
        var keys: AWSKeys?
        switch profile["credential_source"] {
        case "Environment": keys = ofVariables(settings)
        case "EcsContainer": keys = try ofContainer(settings)
        case "Ec2InstanceMetadata": keys = try ofMachine(settings)
        case let other?:
            throw Failure(.definition, "the profile \(profile.name) of AWS has an unknown credential_source: \(other)")
        case nil:
            guard let name = profile["source_profile"] else {
                throw Failure(
                    .definition,
                    "the profile \(profile.name) of AWS has a role_arn, but neither source_profile nor credential_source"
                )
            }
            guard before.count < 10, !before.dropLast().contains(where: { $0.isIdentical(to: name) }) else {
                throw Failure(.definition, "the profiles of AWS lead in a circle by their source_profile: \(name)")
            }
            keys = try read(AWSProfile(settings, named: name), settings, before + [profile.name])
        }
        guard let keys else {
            throw Failure(
                .refused, "nothing gives the keys by which the role of the profile \(profile.name) is assumed")
        }
        return keys
    }

    /// The keys that a program prints.
    private static func printed(by command: String) throws(Failure) -> AWSKeys {
        let text = try Secret.command(["sh", "-c", command], folder: "/").lines()
        guard let root = try? JSONTree.read(Array(text.utf8), file: "credential_process").root,
            let id = root["AccessKeyId"]?.text, let secret = root["SecretAccessKey"]?.text
        else { throw Failure(.refused, "the credential_process of the profile of AWS prints no keys") }
        var keys = AWSKeys(id: id, secret: secret, session: root["SessionToken"]?.text)
        keys.end(at: root["Expiration"]?.text.flatMap(seconds))
        return keys
    }
}

/// A login by SSO, as `aws sso login` leaves it: a token, for which there are keys of a role.
private struct AWSLogin {
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
