/// What a definition, and the run, say of objects that the feeds lack. Four types have the answers:
///
/// | question | who answers |
/// | --- | --- |
/// | what becomes of absent objects? | `AbsenceRule`, by the questions in `Entity+Absent.swift` |
/// | is it known which objects are absent? | `UnknownAbsence` |
/// | which entities may lose objects in a run? | `Deletability` |
/// | is this object absent? | `Presence` of Load; of plans, `SetPlan+Absent.swift` |
public struct AbsenceRule: Sendable {
    /// What becomes of objects that the feed does not hold.
    public var choice = Entity.Absent.keep
    /// The index of the relationship whose targets bound it: only objects of targets that the feed holds can be absent.
    public var within: Int?
    /// Why it is unknown, before the run, which objects are absent; empty: the feeds are meant to hold all objects.
    public var unknown: Set<UnknownAbsence> = []
    /// What becomes of stubs that nothing refers to any more.
    public var orphans = Entity.Orphans.keep

    /// Absent objects stay.
    public init() {}
}
