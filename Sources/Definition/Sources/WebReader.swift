import SluiceExtract
import SluiceFetch
import SluicePosix

/// Reads what a source says of a web service. No message shows a value that may be a secret.
struct WebReader {
    let context: DefinitionContext
    /// The index of the source.
    let index: Int

    /// The service. Without its address there is a mistake, or a variable that nobody who asks it leaves unset.
    func service(of object: DefinitionObject) -> WebSource {
        var request = WebRequest(url: address(of: object) ?? "")
        request.headers = parameters("headers", of: object, check: WebRequest.wrongHeader)
        request.query = parameters("query", of: object) { $0.isEmpty ? "cannot be empty" : nil }
        request.auth = AuthReader(context: context).authentication(of: object)
        request.body = object["body"].map { node in
            if case .object = node.kind { return RequestBody(node) }
            context.mistake("\"body\" must be an object, which is posted as JSON", at: node.position)
            return RequestBody(node)
        }
        request.pages = PagesReader(context: context).paging(of: object)
        request.timeout =
            object.amount("timeout", Quantities.timeout, expected: Quantities.durationHelp) ?? request.timeout
        request.retries = object.integer("retries", atLeast: 0, atMost: 1000) ?? request.retries
        request.interval = object.amount("rate", Quantities.interval, expected: Quantities.rateHelp) ?? request.interval
        request.maxBytes = object.size("maxBytes") ?? request.maxBytes
        var source = WebSource(request: request)
        source.member = MemberReader(context: context).member(of: object)
        source.request.isArchive = source.member != nil
        source.failing = FailsReader(context: context).failing(of: object)
        source.parallel = object.integer("parallel", atLeast: 1, atMost: 100) ?? source.parallel
        source.keeping = keeping(of: object)
        source.requests = object.integer("requests", atLeast: 1, atMost: 100) ?? source.requests
        return source
    }

    /// Which answers are kept: of a single one, the service says itself whether it is new.
    private func keeping(of object: DefinitionObject) -> KeptAnswers.Settings {
        var keeping = KeptAnswers.Settings()
        keeping.resume = object.amount("resume", Quantities.timeout, expected: Quantities.durationHelp)
        keeping.cache = object.size("cache")
        for key in ["resume", "cache"] where object["pages"] == nil && object["for"] == nil {
            guard let position = object.position(of: key) else { continue }
            context.mistake(
                "\(quoted(key)) keeps answers that are asked for one after the other, with \"pages\" or \"for\"",
                at: position)
        }
        return keeping
    }

    /// An address that was checked, whatever a variable holds.
    private func address(of object: DefinitionObject) -> String? {
        guard let node = object["url"], let text = context.text(node, "url", expected: "an address") else { return nil }
        do throws(AddressError) {
            _ = try WebAddress(text)
            return text
        } catch {
            let message = "\"url\" \(error.message)"
            if context.hasVariable(node) {
                context.pend(message, for: .source(index), at: node.position)
            } else {
                context.mistake(message, at: node.position)
            }
            return nil
        }
    }

    /// Headers, or a query.
    private func parameters(
        _ key: String, of object: DefinitionObject, check: (String) -> String?
    ) -> [WebRequest.Parameter] {
        guard let node = object[key], let members = context.confidentialMembers(of: node, quoted(key)) else {
            return []
        }
        return members.compactMap { member in
            if let reason = check(member.key) {
                context.mistake("\(quoted(member.key)) in \(quoted(key)) \(reason)", at: member.position)
            }
            return context.secret(member.value, member.key, mayBeEmpty: true).map { .init(member.key, $0) }
        }
    }
}

extension DefinitionContext {
    /// An object in which secrets stand. What stands in its place is not shown: it may be one.
    func confidential(_ node: JSONNode, _ what: String, _ keys: [String]) -> DefinitionObject? {
        isObject(node, what) ? DefinitionObject(node, what, keys: keys, in: self) : nil
    }

    /// The members of such an object.
    func confidentialMembers(of node: JSONNode, _ what: String) -> [JSONMember]? {
        isObject(node, what) ? members(of: node, what) : nil
    }

    private func isObject(_ node: JSONNode, _ what: String) -> Bool {
        if case .object = node.kind { return true }
        if !isUnset(node) { mistake("\(what) must be an object", at: node.position) }
        return false
    }

    /// The command that prints a secret.
    private func command(_ node: JSONNode, _ object: DefinitionObject) -> Secret? {
        if let position = object.position(of: "file") {
            mistake("\(object.what) has either \"file\" or \"command\"", at: position)
        }
        let arguments = HookReader(context: self).arguments(node, "command")
        return arguments.map { .command($0, folder: FilePath.folder(file), at: tree.place(node.position)) }
    }

    /// A text, or the file that holds it, or the command that prints it.
    func secret(_ node: JSONNode, _ key: String, mayBeEmpty: Bool = false) -> Secret? {
        guard !isUnset(node) else { return nil }
        if case .object = node.kind {
            let object = DefinitionObject(node, "the secret \(quoted(key))", keys: DefinitionKeys.secret, in: self)
            if let object, let node = object["command"] { return command(node, object) }
            guard let path = object?.required("file"), let text = text(path, "file", expected: "the path of a file")
            else { return nil }
            return .file(resolve(text), at: tree.place(path.position))
        }
        guard let text = node.text else {
            mistake(
                "\(quoted(key)) must be a text, { \"file\": path } or { \"command\": [program, argument] }",
                at: node.position)
            return nil
        }
        if text.isEmpty, !mayBeEmpty {
            mistake("\(quoted(key)) cannot be empty", at: node.position)
        } else if text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f }) {
            mistake("\(quoted(key)) cannot hold a line break or another control character", at: node.position)
        }
        return .text(text)
    }
}
