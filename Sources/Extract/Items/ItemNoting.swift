import SluiceKnown
import SluiceRecords

/// What is noted of the items of feeds for the run after this one, and what this one knows of them by the run before.
///
/// An *item* is a value of the outermost list of a document that holds records, or a value of a sequence.
package final class ItemNoting: @unchecked Sendable {
    // Unchecked: the thread that reads feeds uses it, and whoever waits for that thread has it afterwards.

    /// Made with a secret of the store.
    let hash: ItemHash
    /// What drift notes of items, by number: the first says nothing.
    package private(set) var drifts: [[DriftNote]]
    private var driftNumbers: [[DriftNote]: Int] = [:]
    /// By source: what the run before has left. nil: all is read.
    private var search: (_ source: Int) -> KnownSearch? = { _ in nil }
    /// Those that were used, by source.
    package private(set) var searches: [Int: KnownSearch] = [:]

    private static let mostDrifts = 1 << 16

    package init(secret: [UInt8], drifts: [[DriftNote]] = []) {
        hash = ItemHash(secret: secret)
        self.drifts = drifts.isEmpty ? [[]] : drifts
        for (number, notes) in self.drifts.enumerated() { driftNumbers[notes] = number }
    }

    deinit { hash.deallocate() }

    /// Says, before anything is read, how to look for known items of a source.
    package func expect(_ search: @escaping (_ source: Int) -> KnownSearch?) { self.search = search }

    /// What is known of the items of a source; nil: nothing.
    func known(_ source: Int) -> KnownSearch? {
        if let search = searches[source] { return search }
        guard let found = search(source), !found.isEmpty else { return nil }
        searches[source] = found
        return found
    }

    /// The number of what drift notes of an item; nil: there are too many.
    func number(of notes: [DriftNote]) -> Int? {
        if let number = driftNumbers[notes] { return number }
        guard drifts.count < ItemNoting.mostDrifts else { return nil }
        driftNumbers[notes] = drifts.count
        drifts.append(notes)
        return drifts.count - 1
    }

    /// Whether something was met that a run in full must judge.
    package var isInDoubt: Bool { searches.values.contains(where: \.isInDoubt) }

    /// Whether any item was known.
    package var hasKnown: Bool { searches.values.contains { $0.itemCount > 0 } }
}
