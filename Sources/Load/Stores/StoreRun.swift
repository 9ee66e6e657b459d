import SluiceRecords

/// A run of a store, from its beginning to its end: all that it writes is in one transaction, but for batches that are
/// saved.
package protocol StoreRun: ObjectStore {
    /// The number of the run in the ledger.
    var number: Int { get }

    /// Rejects the records that the store cannot hold; nil: the store can hold all.
    var fit: (any RecordFit)? { get throws(Failure) }

    /// Saves what was written so far for good, and goes on.
    func saveBatch() throws(Failure)

    /// Ends the run: its data and its outcome in the ledger are saved together.
    func commit(_ outcome: RunOutcome) throws(Failure)

    /// Attributes whose stored values have taken another form, as the definition has it.
    var convertedAttributes: [(entity: Int, attribute: Int)] { get }

    /// Replaces what is known of the feeds of a pipeline.
    func replaceFetchMarks(_ marks: [FetchMark], pipeline: String) throws(Failure)

    /// The highest stored value of an attribute among the objects that lead to one target by a to-one relationship, for
    /// each target: the identifier of that, and the value, as texts.
    ///
    /// - Parameter latest: of dates and times: later ones do not count; nil: all count.
    func highest(
        _ attribute: Int, of entity: Int, by relationship: Int, upTo latest: String?
    ) throws(Failure) -> [(target: [String], value: String)]

    /// What answers the questions of a definition's checks; nil: the store cannot.
    var questionStore: (any QuestionStore)? { get }
}

extension StoreRun {
    package var questionStore: (any QuestionStore)? { nil }

    package var fit: (any RecordFit)? { get throws(Failure) { nil } }
}
