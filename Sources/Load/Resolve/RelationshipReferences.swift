import SluiceRecords

/// What the rows of a section state by one relationship: a reference each, or any number of links.
protocol RelationshipReferences: AnyObject {
    /// The index of the relationship.
    var relationship: Int { get }
    var finder: TargetFinder { get }

    /// Resolves the references of rows, as far as they are known; `finishResolving` does the rest. Once in a round.
    func beginResolving(
        _ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch, among scope: TargetScope
    ) throws(Failure)
    /// Resolves what was not known; what still is not is pending.
    func finishResolving(
        _ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch, among scope: TargetScope
    ) throws(Failure)

    func state(_ row: Int) -> TargetState
    /// Leaves a row for the second pass although its targets are known.
    func postpone(_ row: Int)
    /// Marks what a row states absent, so that the second pass leaves it alone.
    func clearStated(_ row: Int, _ section: EntityRecords)

    /// What a row refers to, in the order of its values.
    func targets(_ row: Int) -> [Reference]
    /// The links that the object of a row should have; of a to-one relationship, one at the most.
    func links(_ row: Int) -> [Link]
    /// The links to promised targets of a row that have not come.
    func brokenPromises(_ row: Int, _ section: EntityRecords, _ arena: Arena) -> [Link]
    /// The values of a row without a target, not where the record stands.
    func unresolved(_ row: Int, _ section: EntityRecords, _ arena: Arena) -> [WaitingReference]
    /// The waiting references of an object whose targets are there by now: the row's value at the same position says
    /// the target. `work` has what a to-one reference is in the store.
    func found(
        _ waited: [WaitingReference], _ row: Int, _ section: EntityRecords, _ arena: Arena
    ) -> [(position: Int64, link: Link)]
    /// Whether an object waits for what a record says, at the same positions.
    func areSame(_ waited: [WaitingReference], _ unresolved: [WaitingReference]) -> Bool
    /// The missing targets of a row.
    func missingTargets(_ row: Int, _ section: EntityRecords, _ arena: Arena) -> [MissingTargetKeys]
    /// The identifiers of these, and of stubs of this run in their place; but for targets that cannot have one.
    func missingKeys(_ row: Int, _ section: EntityRecords) -> [(target: EntityState, cells: [Cell])]
}

/// Whether it is known what a row refers to.
enum TargetState {
    /// It states nothing: an existing object keeps what it has.
    case unstated
    /// Some targets are not known, or not yet.
    case pending
    /// All targets are known.
    case settled
}
