import SluiceExtract
import SluicePosix
import SluiceRecords

/// A role that is assumed: by keys, or by a token that says who asks
/// (<https://docs.aws.amazon.com/STS/latest/APIReference>).
struct AWSRole {
    private let name: String
    private let session: String
    private var externalID: String?
    private var duration: String?
    /// The file of a token; nil: keys say who asks.
    private var tokenFile: String?
    private let region: String?

    /// The role of variables: that of a pod, or of a job.
    init?(_ settings: FetchSettings) {
        guard let file = settings.variable("AWS_WEB_IDENTITY_TOKEN_FILE"), let role = settings.variable("AWS_ROLE_ARN")
        else { return nil }
        name = role
        session = settings.variable("AWS_ROLE_SESSION_NAME") ?? "sluice"
        tokenFile = file
        region = nil
    }

    /// The role of a profile; nil: it has none.
    init?(_ profile: AWSProfile) {
        guard let role = profile["role_arn"] else { return nil }
        name = role
        session = profile["role_session_name"] ?? "sluice"
        externalID = profile["external_id"]
        duration = profile["duration_seconds"]
        tokenFile = profile["web_identity_token_file"]
        region = profile["region"]
    }

    /// Whether a token says who asks.
    var hasToken: Bool { tokenFile != nil }

    /// The keys of the role.
    ///
    /// - Parameter keys: the keys that sign the request, where no token says who asks.
    func keys(_ settings: FetchSettings, by keys: AWSKeys? = nil) throws(Failure) -> AWSKeys {
        var form = [("Version", "2011-06-15"), ("RoleArn", name), ("RoleSessionName", session)]
        if let duration { form.append(("DurationSeconds", duration)) }
        if let tokenFile {
            // It is replaced now and then: the one that is there now counts.
            guard let token = AWSProfile.text(tokenFile)?.trimmed, !token.isEmpty else {
                throw Failure(.refused, "\(tokenFile), the token for the role \(name), cannot be read")
            }
            form += [("Action", "AssumeRoleWithWebIdentity"), ("WebIdentityToken", token)]
        } else {
            form.append(("Action", "AssumeRole"))
            if let externalID { form.append(("ExternalId", externalID)) }
        }
        return try ask(form, keys, settings)
    }

    private func ask(
        _ form: [(String, String)], _ keys: AWSKeys?, _ settings: FetchSettings
    ) throws(Failure) -> AWSKeys {
        var region = self.region
        if region == nil { region = try AWSPlace.region(settings) }
        let place = region ?? AWSSigner.defaultRegion
        let given = settings.variable("AWS_ENDPOINT_URL_STS") ?? settings.variable("AWS_ENDPOINT_URL")
        let ending = place.hasPrefix("cn-") ? ".cn" : ""
        var request = WebRequest(url: given ?? "https://sts.\(place).amazonaws.com\(ending)/")
        if keys != nil { request.auth = .aws(Authentication.AWS(name: "sts", region: place)) }
        let access = try ServiceAccess(request, FetchSession(settings), keys: keys)
        let client = try Client(access)
        let text = form.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
        let answer = try ObjectRequests(client).perform(
            "POST", access.start, of: access.start.shown, headers: ["Content-Type: application/x-www-form-urlencoded"],
            content: Array(text.utf8), accepts: [400, 403])
        let said = String(decoding: answer.bytes, as: UTF8.self)
        guard let element = XMLElements.elements("Credentials", of: said[...]).first,
            let id = XMLElements.text("AccessKeyId", of: element),
            let secret = XMLElements.text("SecretAccessKey", of: element)
        else {
            let reason = XMLElements.text("Message", of: said[...]) ?? XMLElements.text("Code", of: said[...])
            throw Failure(.refused, "the role \(name) is refused: \(reason?.printable ?? "nothing says why")")
        }
        var found = AWSKeys(id: id, secret: secret, session: XMLElements.text("SessionToken", of: element))
        found.end(at: XMLElements.text("Expiration", of: element).flatMap(AWSKeys.seconds))
        return found
    }
}
