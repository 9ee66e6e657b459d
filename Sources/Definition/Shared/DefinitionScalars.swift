import SluiceExtract

extension DefinitionObject {
    /// A text that is not empty; nil: there is none, or a mistake.
    func text(_ key: String) -> String? { self[key].flatMap { context.text($0, key) } }

    func boolean(_ key: String) -> Bool? {
        guard let node = self[key] else { return nil }
        if case .boolean(let value) = node.kind { return value }
        context.wrong(key, node, expected: "true or false")
        return nil
    }

    /// A whole number.
    func integer(_ key: String, atLeast least: Int, atMost most: Int = .max) -> Int? {
        guard let node = self[key] else { return nil }
        if case .number(let text) = node.kind, let value = wholeNumber(text), (least...most).contains(value) {
            return value
        }
        let end = most == .max ? "" : " and at most \(most)"
        context.wrong(key, node, expected: "a whole number of at least \(least)\(end)")
        return nil
    }

    /// One of a few words.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String) -> Choice? {
        self[key].flatMap { context.choice($0, key) }
    }

    /// A text, or a list of texts.
    func texts(_ key: String) -> [(text: String, position: JSONPosition)] {
        guard let node = self[key] else { return [] }
        if node.elements.isEmpty { context.wrong(key, node, expected: "a text or a list of texts") }
        return node.elements.compactMap { element in
            context.text(element, key).map { ($0, element.position) }
        }
    }
}

extension DefinitionContext {
    /// A text that is not empty.
    func text(_ node: JSONNode, _ key: String, expected: String = "a text") -> String? {
        guard !isUnset(node) else { return nil }
        if let text = node.text, !text.isEmpty { return text }
        if node.text != nil {
            mistake("\(quoted(key)) cannot be empty", at: node.position)
        } else {
            wrong(key, node, expected: expected)
        }
        return nil
    }
}

extension DefinitionContext {
    /// One of a few words.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ node: JSONNode, _ key: String) -> Choice? {
        guard !isUnset(node) else { return nil }
        if let value = node.text.flatMap(Choice.init(rawValue:)) { return value }
        let words = Choice.allCases.map(\.rawValue)
        var message = "\(quoted(key)) must be \(listed(words.map(quoted), last: " or ")), not \(node.described)"
        if let near = node.text.flatMap({ nearest(to: $0, among: words) }) {
            message += ": did you mean \(quoted(near))?"
        }
        mistake(message, at: node.position)
        return nil
    }
}

/// A JSON number without a fraction, however it is written.
package func wholeNumber(_ text: String) -> Int? {
    if let value = Int(text) { return value }
    guard let value = Double(text), value.magnitude < 0x1p53 else { return nil }
    return Int(exactly: value)
}
