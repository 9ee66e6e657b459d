import SluiceRecords

/// How a run wants a store.
package struct StoreUse: Sendable {
    package var model: Model
    /// The name of the pipeline.
    package var pipeline: String
    /// Whether all is saved at the end only: a new file is built beside its name until then.
    package var savesAtEnd: Bool
    /// Whether nothing is kept: the store itself is only read, at one moment.
    package var isDry = false
    /// Whether a dry run begins only to try whether its questions can be asked: that needs no rows.
    package var isRehearsal = false
    /// How long another run on a server is waited for, in seconds; and the function that is called while it is waited
    /// for.
    package var patience = 0.0
    package var waiting: @Sendable (String) -> Void = { _ in }
    /// How long to try to reach a server again that was lost while a run was saved, in seconds.
    package var reconnects = 30.0
    /// A folder for the files of this machine, as a store on a server has no folder beside it; nil: there is none.
    package var stateFolder: String?
    /// Where in the definition a list of keys leads.
    package var place: @Sendable ([String]) -> Failure.Place? = { _ in nil }
    /// Whether long statements are to end early, and throw `cancelled`.
    package var isCancelled: @Sendable () -> Bool = { false }
    /// How many runs of the pipeline the ledger keeps; nil: all.
    package var keptRuns: Int?
    /// Of how many runs the store keeps which objects they have changed.
    package var keptChanges = 0
    /// What becomes of the past of the objects; nil: what the store has begun, it goes on with.
    package var history: HistoryUse?
    /// The questions to ask before the run is saved. The rows that they need are kept from the beginning of the run on,
    /// where a question that cannot be asked ends the run.
    package var questions: [Question] = []

    package init(model: Model, pipeline: String, savesAtEnd: Bool) {
        self.model = model
        self.pipeline = pipeline
        self.savesAtEnd = savesAtEnd
    }
}
