import SluiceRecords

/// A list in a document that says what is at the positions of its records, and what a definition that takes values by
/// position expects it to say.
package struct NamedColumns: Sendable, Hashable {
    /// As the definition writes it: `$.fields[*]`, `$.meta.columns[*].name`.
    package let path: Path
    /// The text of each element; nil: any. What follows behind the last is not looked at.
    package let names: [String?]

    /// - Parameter path: from the top of the feed, with one `[*]`, and names and indices else.
    package init(path: Path, names: [String?]) {
        self.path = path
        self.names = names
    }

    /// The steps that lead to the list.
    var listSteps: [Path.Step] { Array(path.definiteSteps) }

    /// Those that lead from an element to its text.
    private var textSteps: ArraySlice<Path.Step> { path.steps[(path.definiteSteps.count + 1)...] }

    /// The first element that says something else; nil: there is none.
    func fault(in elements: [JSONNode]) -> Fault? {
        for (index, name) in names.enumerated() {
            guard let name else { continue }
            let found = index < elements.count ? text(of: elements[index]) : nil
            if found?.isIdentical(to: name) != true {
                return Fault(path: path, index: index, wanted: name, found: found)
            }
        }
        return nil
    }

    /// Headers may be numbers, such as years.
    private func text(of element: JSONNode) -> String? {
        var node = element
        for step in textSteps {
            let next: JSONNode?
            switch step {
            case .name(let name): next = node[name]
            case .index(let index):
                guard case .array(let elements) = node.kind, index < elements.count else { return nil }
                next = elements[index]
            case .indexFromEnd, .filter, .wildcard, .descendantName, .descendantWildcard: next = nil
            }
            guard let next else { return nil }
            node = next
        }
        switch node.kind {
        case .string(let text), .number(let text): return text
        case .null, .boolean, .object, .array: return nil
        }
    }

    /// A column that is not where the definition has it.
    struct Fault: Hashable {
        let path: Path
        /// From 0 on.
        let index: Int
        let wanted: String
        let found: String?

        /// What a person reads.
        func message(named name: String) -> String {
            let told = found.map { "is \(JSONText.quoted(String($0.prefix(100)).printable))" } ?? "is not there"
            return "\(name): column [\(index)] of `\(path.description)` \(told), and not"
                + " \(JSONText.quoted(wanted).printable), as \"columns\" has it: values that are taken by position would"
                + " be those of another column. If the feed is right, change the positions and \"columns\""
        }
    }
}
