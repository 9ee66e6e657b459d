import SluiceRecords
import SluiceSchema

/// The side indexes that the pipelines of a store want, in the course of a run.
struct WantedSideIndexes {
    private let store: SQLiteStore
    /// What the definition wants comes before what other pipelines want of the same tables.
    private let wanted: [SideIndex]
    private let sides: SideIndexes

    init(_ store: SQLiteStore) {
        self.store = store
        wanted = SideIndex.all(store.check.modelRows.descriptions.reversed())
        sides = SideIndexes(store.connection)
    }

    /// Removes the side indexes that do not stay as they are, before anything is renamed.
    func removeThoseThatChange() throws(Failure) {
        let (renaming, changes) = (store.check.renaming, store.check.formChanges)
        let renamed = (renaming.tables.flatMap { [$0.from, $0.to] } + renaming.columns.map(\.table))
        let rewritten = changes.map { change in
            let entity = store.model.entities[change.entity]
            return (entity.table, entity.attributes[change.attribute].name)
        }
        try sides.remove(but: wanted) { side in
            renamed.contains { $0.isSameName(as: side.table) }
                || rewritten.contains { table, column in
                    table.isSameName(as: side.table) && side.columns.contains { $0.isSameName(as: column) }
                }
        }
    }

    /// Makes the side indexes that are missing. In a copy, only questions use them.
    func make() throws(Failure) {
        if !store.file.isCopy || mayAskForWords { try sides.make(wanted) }
    }

    /// Whether a question may name an index of words: then the index must be there before the run is saved.
    var mayAskForWords: Bool {
        if store.use.questions.isEmpty { return false }
        return SQLiteRunQuestions(store).mayAsk(for: wanted.filter { $0.fill != nil }.map(\.name))
    }

    /// Defers what the run writes to existing indexes of words until the end; nil: there are none.
    func lateWords() throws(Failure) -> LateWords? {
        let there = try sides.existing(of: wanted)
        return there.isEmpty ? nil : LateWords(store.connection, there)
    }
}
