import SluiceRecords
import Synchronization

/// What the pages of a feed are called, of which each has an address of its own: they are not known before they come.
package final class PageNames: Sendable, Hashable {
    private let names = Mutex<[String]>([])

    package init() {}

    /// Adds the name of the next page.
    package func append(_ name: String) { names.withLock { $0.append(name) } }

    /// The number of a page, whose name is added if it is not there.
    func number(of name: String) -> Int {
        names.withLock { names in
            if let number = names.firstIndex(where: { $0.isIdentical(to: name) }) { return number }
            names.append(name)
            return names.count - 1
        }
    }

    /// Nil: such a page has not come.
    package subscript(index: Int) -> String? {
        names.withLock { $0.indices.contains(index) ? $0[index] : nil }
    }

    /// Two are the same if they are one.
    package static func == (one: PageNames, other: PageNames) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
