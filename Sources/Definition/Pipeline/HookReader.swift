import SluiceExtract

/// Reads `after`: which commands are started when a run has ended.
struct HookReader {
    let context: DefinitionContext

    func hooks(of pipeline: DefinitionObject) -> Hooks {
        guard let node = pipeline["after"],
            let object = DefinitionObject(
                node, "\"after\"", keys: DefinitionKeys.after, meant: HookReader.afterFailures, in: context)
        else { return [:] }
        var hooks: Hooks = [:]
        for status in RunStatus.allCases {
            guard let commands = object[status.rawValue] else { continue }
            hooks[status] = self.hooks(commands, status.rawValue)
        }
        return hooks
    }

    private static let expected = "a command (a list of a program and its arguments), or a list of commands"

    /// A command that says nothing of when it is to run, where most want it.
    private static func afterFailures(_ node: JSONNode) -> String? {
        guard case .array(let elements) = node.kind else {
            return node.text.map { "{ \"failed\": [\(quoted($0))] }" }
        }
        let words = elements.compactMap(\.text)
        guard !words.isEmpty, words.count == elements.count else { return nil }
        return "{ \"failed\": [\(words.map(quoted).joined(separator: ", "))] }"
    }

    /// One command, or several.
    private func hooks(_ node: JSONNode, _ key: String) -> [Hook] {
        guard case .array(let elements) = node.kind else { return hook(node, key).map { [$0] } ?? [] }
        guard let first = elements.first else {
            context.wrong(key, node, expected: HookReader.expected)
            return []
        }
        if case .string = first.kind { return hook(node, key).map { [$0] } ?? [] }
        return elements.compactMap { hook($0, key) }
    }

    private func hook(_ node: JSONNode, _ key: String) -> Hook? {
        switch node.kind {
        case .array: return arguments(node, key).flatMap { checked(Hook(arguments: $0), node) }
        case .object: return detailed(node)
        default:
            context.wrong(key, node, expected: HookReader.expected)
            return nil
        }
    }

    private func detailed(_ node: JSONNode) -> Hook? {
        guard let object = DefinitionObject(node, "the command", keys: DefinitionKeys.hook, in: context),
            let run = object.required("run"), let arguments = arguments(run, "run")
        else { return nil }
        var hook = Hook(arguments: arguments)
        hook.per = object.choice("per") ?? .run
        hook.timeout = object.amount("timeout", TimeSpan.positive, expected: TimeSpan.expected) ?? hook.timeout
        return checked(hook, run)
    }

    /// The texts of an argument list.
    func arguments(_ node: JSONNode, _ key: String) -> [String]? {
        guard case .array(let elements) = node.kind, !elements.isEmpty else {
            context.wrong(key, node, expected: "a list of a program and its arguments")
            return nil
        }
        var arguments: [String] = []
        for element in elements {
            guard let text = element.text else {
                context.wrong(key, element, expected: "a list of texts, a program and its arguments")
                return nil
            }
            if text.utf8.contains(0) { context.mistake("an argument cannot hold a NUL", at: element.position) }
            arguments.append(text)
        }
        if arguments[0].isEmpty { context.mistake("the program has no name", at: elements[0].position) }
        return arguments
    }

    private func checked(_ hook: Hook, _ node: JSONNode) -> Hook? {
        if hook.per == .run, hook.arguments.contains(where: { $0.contains(Hook.entityMark) }) {
            context.mistake(
                "\(quoted(Hook.entityMark)) needs { \"run\": […], \"per\": \"entity\" }: then the command is started once "
                    + "for each entity that changed", at: node.position)
        }
        return hook
    }
}
