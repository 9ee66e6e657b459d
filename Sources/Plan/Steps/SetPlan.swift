import SluiceColumns
import SluiceRecords

/// The second half of a run, for records that are in parts (`sluice extract`): duplicates, references, absence and
/// counts as queries over whole tables. Text alone: an engine carries it out, and a runner brings it the tables.
///
/// The queries use equality, the order of integers, windows and joins, and nothing in which engines differ.
package struct SetPlan {
    /// A table that the runner provides.
    package struct Input: Sendable {
        package let table: String
        let columns: [PlanColumn]
        /// The columns, and what their values are: `text` or `integer`.
        package var types: [(name: String, type: String)] {
            columns.map { ($0.name.text, $0.type == .text ? "text" : "integer") }
        }
    }

    package static let inputs: [Input] = [
        // The parts of the feeds: which bytes, and where in the order of the run. The name of the file is null where
        // the source is only one.
        Input(
            table: PlanTable.parts,
            columns: [
                PlanColumn(.part, .text), PlanColumn(.source, .integer), PlanColumn(.sourceName, .text),
                PlanColumn(.file, .integer),
                PlanColumn(.fileName, .text), PlanColumn(.first, .integer), PlanColumn(.newlines, .integer),
            ]),
        // What the manifests say of each entity; rejects are among the records. Where something stood in the place of
        // records, `hidden` is 1, else 0.
        Input(
            table: PlanTable.partRecords,
            columns: [
                PlanColumn(.part, .text), PlanColumn(.entity, .text), PlanColumn(.records, .integer),
                PlanColumn(.rejects, .integer), PlanColumn(.hidden, .integer),
            ]),
        // The lines of the parts' findings.
        Input(table: PlanTable.partFindings, columns: [PlanColumn(.part, .text), PlanColumn(.line, .text)]),
        Input(table: PlanTable.run, columns: [PlanColumn(.number, .integer), PlanColumn(.started, .text)]),
        // Of the last run that succeeded.
        Input(table: PlanTable.last, columns: [PlanColumn(.entity, .text), PlanColumn(.records, .integer)]),
    ]

    let model: Model
    let writer: PlanWriter
    let entities: [PlannedEntity]
    let deletability: Deletability

    /// A plan of what ``EntityOrder`` finds no cycles in.
    package init(_ model: Model, _ dialect: SQLDialect) {
        self.model = model
        let writer = PlanWriter(dialect)
        self.writer = writer
        entities = model.entities.indices.map { PlannedEntity(model: model, index: $0, writer: writer) }
        deletability = Deletability(model)
    }

    /// All steps, in the order in which they are carried out, which follows from what each stage needs (`PlanStage`).
    package func steps(limits: [LimitRule]) -> [PlanStep] {
        for stage in PlanStage.ordered {
            writer.begin(stage)
            add(stage, limits)
        }
        return writer.steps
    }

    private func add(_ stage: PlanStage, _ limits: [LimitRule]) {
        switch stage {
        case .inputs: for entity in entities { addInputs(entity) }
        case .partStarts: addPositions()
        case .copies: for entity in entities { addCopies(entity) }
        case .found: for entity in entities { addFound(entity) }
        case .makeOfAll: for entity in entities where takesAll(entity) { addMade(entity) }
        case .removeEarly: addGoing(entities.filter { !goesLate($0) })
        case .needs: for index in EntityOrder.ofNeeds(model).order { addNeeds(entities[index]) }
        case .makeOfSome: for entity in entities where !takesAll(entity) { addMade(entity) }
        case .targets: for entity in entities { addTargets(entity) }
        case .sought: for entity in entities { addSought(entity) }
        case .stubs: for entity in entities { addStubs(entity) }
        case .links: for entity in entities { addLinks(entity) }
        case .described: for entity in entities { addDescribed(entity) }
        case .unmadeLate: for entity in entities where !isReadEarly(entity) { addUnmade(entity) }
        case .removeLate: addGoing(entities.filter(goesLate))
        case .final: for entity in entities { addFinal(entity) }
        case .orphans: for entity in entities { addOrphans(entity) }
        case .staying: for entity in entities { addStaying(entity) }
        case .shownPositions: for entity in entities { addShownPositions(entity) }
        case .counts: for entity in entities { addCounts(entity) }
        case .allCounts: addAllCounts()
        case .limits: addLimits(limits)
        case .findings: addFindings()
        case .snapshot: addSnapshot()
        }
    }

    /// Whether it is known only in the end which objects of an entity go: what its records make depends on references.
    private func goesLate(_ entity: PlannedEntity) -> Bool { takesAll(entity) && !isReadEarly(entity) }

    /// What the records of an entity make.
    private func addMade(_ entity: PlannedEntity) {
        addRanked(entity)
        addDuplicates(entity)
        addObjects(entity)
        addObjectIDs(entity)
        if isReadEarly(entity) { addUnmade(entity) }
    }

    /// Which objects of some entities are not in the feed, and go.
    private func addGoing(_ entities: [PlannedEntity]) {
        for entity in entities where deletability.needsPresence[entity.index] { addLacked(entity) }
        let indices = entities.map(\.index)
        for index in EntityOrder.ofDeletions(model).order where indices.contains(index) {
            addAbsent(self.entities[index])
        }
    }
}
