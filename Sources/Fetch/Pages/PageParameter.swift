import SluiceRecords

/// Where a value goes that changes from page to page: into the query of the address, or into the body.
package struct PageParameter: Sendable, Hashable {
    package var name: String

    package init(_ name: String) { self.name = name }

    /// The names that lead to it in the body; nil: it is a parameter of the query.
    package var path: [String]? {
        guard name.hasPrefix("$"), let path = try? Path.parse(name), path.root == .feed, !path.isKey else { return nil }
        let names = path.steps.compactMap { step in
            if case .name(let name) = step { return name }
            return nil
        }
        return names.count == path.steps.count && !names.isEmpty ? names : nil
    }
}
