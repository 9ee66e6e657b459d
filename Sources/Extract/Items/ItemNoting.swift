import SluiceKnown
import SluiceRecords
import Synchronization

/// What is noted of the items of feeds for the run after this one, and what this one knows of them by the run before.
///
/// An *item* is a value of the outermost list of a document that holds records, or a value of a sequence.
///
/// The thread that reads feeds owns it; after that thread has ended, the thread that waited for the end owns it. The
/// mutex `table` guards what both need at one time. Where a cancelled run leaves a stuck reader behind, no other thread
/// uses it.
package final class ItemNoting: @unchecked Sendable {
    /// Made with a secret of the store.
    let hash: ItemHash
    private let table: Mutex<DriftTable>
    /// By source: what the run before has left. nil: all is read.
    private var search: (_ source: Int) -> KnownSearch? = { _ in nil }
    /// Those that were used, by source.
    package private(set) var searches: [Int: KnownSearch] = [:]

    private static let mostDrifts = 1 << 16

    package init(secret: [UInt8], drifts: [[DriftNote]] = []) {
        hash = ItemHash(secret: secret)
        table = Mutex(DriftTable(drifts.isEmpty ? [[]] : drifts))
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

    /// What drift notes of items, by number: the first says nothing.
    package var drifts: [[DriftNote]] { table.withLock { $0.drifts } }

    /// The number of what drift notes of an item; nil: there are too many.
    package func number(of notes: [DriftNote]) -> Int? {
        table.withLock { table in
            if let number = table.numbers[notes] { return number }
            guard table.drifts.count < ItemNoting.mostDrifts else { return nil }
            table.add(notes)
            return table.drifts.count - 1
        }
    }

    /// Says which fields of which entities' records an entry of `EntityRecords.notes` is about.
    func name(_ entry: Int, source: Int, _ paths: [(entity: Int, path: String)]) {
        table.withLock { table in
            for (entity, path) in paths {
                table.paths[NoteEntry(number: entry, source: source, entity: entity)] = path
            }
        }
    }

    /// What an entry of `EntityRecords.notes` is about, in one record.
    package func note(_ entry: Int, of entity: Int, source: Int) -> DriftNote? {
        table.withLock { $0.paths[NoteEntry(number: entry, source: source, entity: entity)] }.map { path in
            let kind: DriftNote.Kind = Walker.isRepeated(noteNumber: entry) ? .repeated : .unknown
            return DriftNote(entity: entity, kind: kind, records: 1, path: path)
        }
    }

    /// Whether something was met that a run in full must judge.
    package var isInDoubt: Bool { searches.values.contains(where: \.isInDoubt) }

    /// Whether any item was known.
    package var hasKnown: Bool { searches.values.contains { $0.itemCount > 0 } }
}

/// What drift notes of items, and what rows note of what is in them.
private struct DriftTable {
    private(set) var drifts: [[DriftNote]] = []
    private(set) var numbers: [[DriftNote]: Int] = [:]
    var paths: [NoteEntry: String] = [:]

    init(_ drifts: [[DriftNote]]) {
        for notes in drifts { add(notes) }
    }

    mutating func add(_ notes: [DriftNote]) {
        numbers[notes] = drifts.count
        drifts.append(notes)
    }
}

/// An entry of a row's notes.
private struct NoteEntry: Hashable {
    var number: Int
    var source: Int
    var entity: Int
}
