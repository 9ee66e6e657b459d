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
