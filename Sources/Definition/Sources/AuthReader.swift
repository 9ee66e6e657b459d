import SluiceExtract
import SluiceFetch
import SluicePosix

/// Reads how a service is told who asks.
struct AuthReader {
    let context: DefinitionContext

    func authentication(of source: DefinitionObject) -> Authentication? {
        guard let node = source["auth"],
            let object = context.confidential(node, "\"auth\"", DefinitionKeys.auth)
        else { return nil }
        let given = DefinitionKeys.auth.filter { object[$0] != nil }
        guard let kind = given.first, given.count == 1, let value = object[kind] else {
            if given.count != 1 {
                context.mistake("\"auth\" needs one of \(listed(DefinitionKeys.auth))", at: node.position)
            }
            return nil
        }
        switch kind {
        case "bearer": return context.secret(value, kind).map(Authentication.bearer)
        case "basic": return basic(value)
        case "header": return header(value)
        case "aws": return aws(value)
        default: return oauth2(value)
        }
    }

    private func basic(_ node: JSONNode) -> Authentication? {
        guard let object = context.confidential(node, "\"basic\"", DefinitionKeys.basic),
            let user = object.secret("user"), let password = object.secret("password")
        else { return nil }
        if case .text(let text) = user, text.utf8.contains(UInt8(ascii: ":")) {
            context.mistake("\"user\" cannot hold a colon", at: object["user"]?.position ?? node.position)
        }
        return .basic(user: user, password: password)
    }

    private func header(_ node: JSONNode) -> Authentication? {
        guard let members = context.confidentialMembers(of: node, "\"header\"") else { return nil }
        guard let member = members.first, members.count == 1 else {
            context.mistake("\"header\" must name one header, with its value", at: node.position)
            return nil
        }
        if let reason = WebRequest.wrongHeader(member.key) {
            context.mistake("\(quoted(member.key)) in \"header\" \(reason)", at: member.position)
        }
        return context.secret(member.value, member.key).map { .header(name: member.key, value: $0) }
    }

    private func aws(_ node: JSONNode) -> Authentication? {
        guard let object = context.confidential(node, "\"aws\"", DefinitionKeys.aws),
            let service = object.required("service"), let name = context.text(service, "service")
        else { return nil }
        let region = object.text("region")
        for (text, key) in [(name, "service"), (region ?? "", "region")] {
            // They are parts of the scope of a signature.
            guard !text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }) else { continue }
            context.mistake(
                "\(quoted(key)) cannot hold a colon, a space or what is not ASCII",
                at: object.position(of: key) ?? node.position)
        }
        return .aws(Authentication.AWS(name: name, region: region))
    }

    private func oauth2(_ node: JSONNode) -> Authentication? {
        guard let object = context.confidential(node, "\"oauth2\"", DefinitionKeys.oauth2),
            let url = address("tokenUrl", object, isRequired: true), let id = object.secret("clientId")
        else { return nil }
        var oauth = Authentication.OAuth2(tokenURL: url, clientID: id, scope: object.text("scope"))
        oauth.clientSecret = object.optionalSecret("clientSecret")
        oauth.privateKey = object.optionalSecret("privateKey")
        oauth.keyID = object.text("keyId")
        oauth.audience = object.text("audience")
        oauth.grant = grant(of: object)
        check(object, oauth.grant)
        return .oauth2(oauth)
    }

    /// What entitles to a token.
    private func grant(of object: DefinitionObject) -> Authentication.OAuth2.Grant {
        if let token = object.optionalSecret("refreshToken") { return .refresh(token) }
        if let url = address("deviceUrl", object, isRequired: false) { return .device(url: url) }
        let subject = object.optionalSecret("subject")
        return object.boolean("assertion") == true ? .assertion(subject: subject) : .client
    }

    /// An address that was checked.
    private func address(_ key: String, _ object: DefinitionObject, isRequired: Bool) -> String? {
        guard let node = isRequired ? object.required(key) : object[key],
            let url = context.text(node, key, expected: "an address")
        else { return nil }
        do throws(AddressError) {
            _ = try WebAddress(url)
        } catch {
            context.mistake("\(quoted(key)) \(error.message)", at: node.position)
        }
        return url
    }

    /// Which keys go together.
    private func check(_ object: DefinitionObject, _ grant: Authentication.OAuth2.Grant) {
        let isSilent = [object["clientSecret"], object["privateKey"]].allSatisfy { $0 == nil }
        switch grant {
        case .client, .assertion:
            if isSilent {
                context.mistake("\"oauth2\" needs \"clientSecret\", or \"privateKey\"", at: object.position)
            }
        case .refresh, .device: break
        }
        for (one, other) in [
            ("clientSecret", "privateKey"), ("refreshToken", "deviceUrl"), ("refreshToken", "assertion"),
            ("deviceUrl", "assertion"),
        ] {
            guard object[one] != nil, let position = object.position(of: other) else { continue }
            context.mistake("\"oauth2\" has either \(quoted(one)) or \(quoted(other))", at: position)
        }
        for (key, needed) in [
            ("keyId", "privateKey"), ("audience", "privateKey"), ("assertion", "privateKey"), ("subject", "assertion"),
        ] {
            guard object[needed] == nil, let position = object.position(of: key) else { continue }
            context.mistake("\(quoted(key)) goes with \(quoted(needed))", at: position)
        }
    }
}

extension DefinitionObject {
    /// A secret that must be there.
    fileprivate func secret(_ key: String) -> Secret? { required(key).flatMap { context.secret($0, key) } }

    /// One that may be there.
    fileprivate func optionalSecret(_ key: String) -> Secret? { self[key].flatMap { context.secret($0, key) } }
}
