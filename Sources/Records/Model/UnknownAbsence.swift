/// Why the feeds of a run do not say which objects of an entity are absent. An object that no record names may be there
/// all the same, and stays. The one rule of what hides absence, for runs, replays and plans:
///
/// | case | who finds it | when | what follows |
/// | --- | --- | --- | --- |
/// | `partialFeeds` | `PipelineDefinition.forRun`, `RejectedRecords` | before the run | absent objects are not looked for |
/// | `shiftingPages` | `PipelineRun`, by `PipelineDefinition.mayShift` | all feeds are read | they stay, counted as `keptAbsent` |
/// | `hiddenRecords` | the reader, by `FeedDrift.hidden`; in plans as below | all feeds are read | likewise |
/// | `unaskedParts` | `Loader`, by what a batch says | while feeds are read | likewise |
/// | `rejectWithoutIdentifier` | `EarlierObjects`; in plans `SetPlan.hasUnknownAbsence` | while records are loaded | likewise |
///
/// What becomes of the objects that are known to be absent, `AbsenceRule` says.
public enum UnknownAbsence: CaseIterable, Sendable {
    /// The feeds are not meant to hold all objects: some source gives only what is new, or a few records are mended.
    case partialFeeds
    /// The pages of a source are of different times: a record may be on none of them.
    case shiftingPages
    /// A value stands where paths lead on to records: what records it has in it, or stands for, nobody knows.
    case hiddenRecords
    /// A service was not asked for the records that belong to a rejected record.
    case unaskedParts
    /// A rejected record has no identifier that can be read: it may be of any object.
    case rejectWithoutIdentifier

    /// Whether objects that no record names are looked for, to be counted as kept.
    package var countsKept: Bool { self != .partialFeeds }
}

extension Entity {
    /// Whether objects that the feeds lack are looked for: they go, and the feeds are meant to hold all objects.
    package var looksForAbsent: Bool { removesAbsent && absence.unknown.allSatisfy(\.countsKept) }
}
