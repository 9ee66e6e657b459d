import SluiceRecords

/// A stage of a plan: steps for all entities, or some of them. It says which stages give the tables that it reads. The
/// order of the stages follows from that, and `PlanWriter` holds each stage to it in debug builds.
package enum PlanStage: OrderedStages, Sendable {
    /// The tables that come from files.
    case inputs
    /// Where parts begin.
    case partStarts
    /// All records, in their order.
    case copies
    /// The objects that were there before.
    case found
    /// What the records make of entities of which all are taken.
    case makeOfAll
    /// Which objects go, where that does not depend on what records refer to.
    case removeEarly
    /// Which records lack what they need.
    case needs
    /// What the records make of the other entities.
    case makeOfSome
    /// What references may lead to.
    case targets
    /// What references look for.
    case sought
    /// The targets that references make.
    case stubs
    /// What references lead to, and those that wait.
    case links
    /// The objects of records, with their references.
    case described
    /// Which of the other objects are not made by records.
    case unmadeLate
    /// Which of the others go.
    case removeLate
    /// All objects, with their references.
    case final
    /// Stubs that nothing refers to any more.
    case orphans
    /// The objects that stay.
    case staying
    /// Where the records are of which something is reported.
    case shownPositions
    /// What is counted in each entity.
    case counts
    /// What is counted in all of them.
    case allCounts
    case limits
    case findings
    /// The tables of the store.
    case snapshot

    /// The stages whose tables it reads. A plan of just some entities may read fewer of them.
    package var needs: Set<PlanStage> {
        switch self {
        case .inputs, .partStarts: []
        case .copies: [.inputs, .partStarts]
        case .found: [.inputs]
        case .makeOfAll: [.copies, .found]
        // What records make need not be looked for among those that were there.
        case .removeEarly: [.inputs, .copies, .found, .makeOfAll]
        // Objects that go are no targets.
        case .needs: [.copies, .found, .removeEarly]
        // Without what it lacks, a record makes nothing.
        case .makeOfSome: [.copies, .found, .needs]
        case .targets: [.found, .removeEarly, .makeOfAll, .makeOfSome]
        case .sought: [.inputs, .found, .removeEarly, .makeOfAll, .makeOfSome]
        // A stub is only what no record brings.
        case .stubs: [.found, .makeOfAll, .makeOfSome, .targets, .sought]
        case .links: [.found, .removeEarly, .makeOfAll, .makeOfSome, .targets, .sought, .stubs]
        case .described: [.inputs, .removeEarly, .makeOfAll, .makeOfSome, .targets, .stubs]
        case .unmadeLate: [.found, .described]
        case .removeLate: [.inputs, .copies, .found, .removeEarly, .unmadeLate]
        case .final:
            [
                .inputs, .found, .removeEarly, .makeOfAll, .makeOfSome, .targets, .stubs, .described, .unmadeLate,
                .removeLate,
            ]
        // An object that goes refers to nothing.
        case .orphans: [.inputs, .removeEarly, .links, .final]
        case .staying: [.final, .orphans]
        case .shownPositions: [.copies, .needs, .makeOfAll, .makeOfSome, .links, .final]
        case .counts:
            [
                .inputs, .copies, .found, .removeEarly, .needs, .makeOfAll, .makeOfSome, .stubs, .links, .unmadeLate,
                .removeLate, .final, .orphans,
            ]
        case .allCounts: [.counts]
        case .limits: [.allCounts]
        case .findings:
            [.partStarts, .copies, .needs, .makeOfAll, .makeOfSome, .links, .described, .final, .shownPositions]
        case .snapshot: [.inputs, .partStarts, .links, .final, .staying, .shownPositions]
        }
    }
}
