import SluiceRecords

/// What has changed in a store since a moment.
public struct StoreChanges: Sendable {
    /// Where to go on later, in another process too.
    public var token: ChangeToken
    /// By the name of the entity.
    public var entities: [String: EntityChanges]
    /// Whether the store, or a seed that was opened beside it, is another version of a seed than before: anything may
    /// be different.
    public var seedReplaced: Bool
    /// Whether the store still knows all that has happened since. If not, anything may be different.
    public var isComplete: Bool
}

/// What has changed in an entity.
public struct EntityChanges: Sendable, Hashable {
    /// How many objects were created.
    public var created = 0
    /// How many objects were updated: by several runs or writes, an object may count several times.
    public var updated = 0
    /// How many objects were deleted.
    public var deleted = 0
    /// Which they are, by objectID, with what became of each in all, and those of which only references were changed;
    /// nil where the store does not keep it for all of this time (`changes` of the pipeline), or there are more than
    /// 100,000.
    public var objects: [Int64: ObjectChange]?
}

/// What became of an object.
public enum ObjectChange: String, Sendable, Hashable {
    /// It was not there before.
    case created
    /// It has other values.
    case updated
    /// It is not there any more.
    case deleted
}

/// A moment in the life of a store, up to which somebody knows of its changes.
public struct ChangeToken: Sendable, Hashable, Codable {
    /// The last run that had ended.
    var run: Int64
    /// The last write of a program.
    var change: Int64
    /// Which seed the store was.
    var seed: SeedVersion?
    /// When that run started: a store that was made anew has runs of the same numbers. Nil: nobody knows.
    var started: String?
    /// Which seeds were beside the store; nil: nobody knows.
    var beside: [SeedBeside]?
}
