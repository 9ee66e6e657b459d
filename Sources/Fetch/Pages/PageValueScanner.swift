import SluiceExtract
import SluiceRecords

/// Finds the value of a path in a page that passes by, also one in the element of a list that says of itself which it
/// is: `$.link[?relation == 'next'].url`.
struct PageValueScanner {
    /// What chooses an element, and what leads on from there.
    private struct Choice {
        let member: [Path.Step]
        let text: String
        let rest: ArraySlice<Path.Step>
    }

    /// Of the value; where an element is chosen, of the list.
    private var scanner: MemberScanner
    private let choice: Choice?

    init(_ steps: [Path.Step]) {
        guard let index = steps.firstIndex(where: { PageValueScanner.choice($0) != nil }),
            let (member, text) = PageValueScanner.choice(steps[index])
        else {
            (scanner, choice) = (MemberScanner(steps), nil)
            return
        }
        scanner = MemberScanner(Array(steps[..<index]), keepsList: true)
        choice = Choice(member: member, text: text, rest: steps[(index + 1)...])
    }

    /// By which text of which member a step chooses an element; nil: it does not.
    static func choice(_ step: Path.Step) -> (member: [Path.Step], text: String)? {
        guard case .filter(.compares(let path, .equal, .text(let text))) = step, path.isDefinite, !path.isKey else {
            return nil
        }
        return (path.steps, text)
    }

    mutating func scan(_ bytes: UnsafeRawBufferPointer) { unsafe scanner.scan(bytes) }

    mutating func finish() { scanner.finish() }

    /// What was found at the path, once all has passed by.
    var value: MemberScanner.Value {
        guard let choice else { return scanner.value }
        if scanner.isListTooLong { return .tooLong }
        guard let bytes = scanner.list else { return .absent }
        guard case .array(let elements)? = try? JSONTree.read(bytes, file: "").root.kind else { return .broken }
        let chosen = elements.first { element in
            guard case .string(let text)? = element.value(at: choice.member[...])?.kind else { return false }
            return text.isIdentical(to: choice.text)
        }
        return chosen?.value(at: choice.rest).map(MemberScanner.Value.init) ?? .absent
    }
}

extension JSONNode {
    fileprivate func value(at steps: ArraySlice<Path.Step>) -> JSONNode? {
        guard let step = steps.first else { return self }
        var next: JSONNode?
        switch (step, kind) {
        case (.name(let name), .object): next = self[name]
        case (.index(let index), .array(let elements)): next = elements.indices.contains(index) ? elements[index] : nil
        default: break
        }
        return next?.value(at: steps.dropFirst())
    }
}

extension MemberScanner.Value {
    fileprivate init(_ node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .number(let text): self = .number(text)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .list(isEmpty: elements.isEmpty)
        case .object(let members): self = .object(isEmpty: members.isEmpty)
        }
    }
}

extension Path {
    /// Whether it leads to one value of a page: by names and indices, by the last elements of lists, or by the element
    /// of a list that one text chooses.
    package var isWayOfPages: Bool {
        let others = steps.filter { !$0.isDefinite }
        return others.allSatisfy { $0 == .indexFromEnd(1) }
            || others.count == 1 && PageValueScanner.choice(others[0]) != nil
    }
}
