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
        if let reason = WebReader.wrongHeader(member.key) {
            context.mistake("\(quoted(member.key)) in \"header\" \(reason)", at: member.position)
        }
        return context.secret(member.value, member.key).map { .header(name: member.key, value: $0) }
    }

    private func oauth2(_ node: JSONNode) -> Authentication? {
        guard let object = context.confidential(node, "\"oauth2\"", DefinitionKeys.oauth2),
            let urlNode = object.required("tokenUrl"), let id = object.secret("clientId"),
            let secret = object.secret("clientSecret")
        else { return nil }
        guard let url = context.text(urlNode, "tokenUrl", expected: "an address") else { return nil }
        do throws(AddressError) {
            _ = try WebAddress(url)
        } catch {
            context.mistake("\"tokenUrl\" \(error.message)", at: urlNode.position)
        }
        return .oauth2(.init(tokenURL: url, clientID: id, clientSecret: secret, scope: object.text("scope")))
    }
}

extension DefinitionObject {
    /// A secret that must be there.
    fileprivate func secret(_ key: String) -> Secret? { required(key).flatMap { context.secret($0, key) } }
}
