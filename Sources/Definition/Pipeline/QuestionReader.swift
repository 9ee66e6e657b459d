import SluiceExtract
import SluiceRecords

/// Reads `checks`: what a run asks its store before it saves.
struct QuestionReader {
    let context: DefinitionContext
    let model: Model

    enum Severity: String, CaseIterable {
        case error
        case warning
    }

    func questions(of pipeline: DefinitionObject) -> [Question] {
        guard let node = pipeline["checks"], let members = context.members(of: node, "\"checks\"") else { return [] }
        return members.compactMap { member in
            if member.key.isEmpty { context.mistake("a check needs a name", at: member.position) }
            return question(member)
        }
    }

    private func question(_ member: JSONMember) -> Question? {
        let what = "the check \(quoted(member.key))"
        guard
            let object = DefinitionObject(member.value, what, keys: DefinitionKeys.question, in: context),
            let sql = object.required("sql"), let text = text(of: sql)
        else { return nil }
        var question = Question(name: member.key, sql: text)
        if let node = object["limit"] { question.limit = limit(node) }
        let severity: Severity? = object.choice("severity")
        question.isWarning = severity == .warning
        question.timeout = object.amount("timeout", TimeSpan.positive, expected: TimeSpan.expected) ?? question.timeout
        question.entity = entity(object)
        return question
    }

    /// One text, or several, which are its lines.
    private func text(of node: JSONNode) -> String? {
        guard case .array(let elements) = node.kind else {
            return context.text(node, "sql").flatMap { checked($0, node) }
        }
        let lines = elements.compactMap { context.text($0, "sql") }
        guard lines.count == elements.count else { return nil }
        return checked(lines.joined(separator: "\n"), node)
    }

    private func checked(_ sql: String, _ node: JSONNode) -> String? {
        if sql.utf8.contains(0) {
            context.mistake("a query cannot hold a NUL", at: node.position)
            return nil
        }
        return sql
    }

    private func limit(_ node: JSONNode) -> Int? {
        switch node.kind {
        case .null: return nil
        case .number(let text):
            if let count = wholeNumber(text), count >= 0 { return count }
        default: break
        }
        context.wrong("limit", node, expected: "a whole number, or null")
        return nil
    }

    private func entity(_ object: DefinitionObject) -> Int? {
        guard let node = object["entity"], let name = object.text("entity"), !context.isPending([.entities]) else {
            return nil
        }
        if let index = model.entities.firstIndex(where: { $0.name.isIdentical(to: name) }) { return index }
        context.unknown("entity", name, among: model.entities.map(\.name), at: node.position)
        return nil
    }
}
