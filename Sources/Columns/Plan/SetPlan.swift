import SluiceRecords

/// The second half of a run, for records that lie in parts (`sluice extract`): duplicates, references, absence and counts
/// as queries over whole tables. Text alone: an engine carries it out, and a runner brings it the tables.
///
/// The queries use equality, the order of integers, windows and joins, and nothing in which engines differ.
package struct SetPlan {
    /// Tables that the runner provides.
    package static let provided: [(table: String, columns: [(name: String, kind: ParquetColumn.Kind)])] = [
        // The parts of the feeds: which bytes, and where in the order of the run. `file_name` is null where the source
        // is only one file.
        (
            "parts",
            [
                ("part", .text), ("source", .integer), ("source_name", .text), ("file", .integer), ("file_name", .text),
                ("first", .integer), ("newlines", .integer),
            ]
        ),
        // What the manifests say of each entity; rejects are among the records.
        ("part_records", [("part", .text), ("entity", .text), ("records", .integer), ("rejects", .integer)]),
        // The lines of the parts' findings.
        ("part_findings", [("part", .text), ("line", .text)]),
        ("run", [("number", .integer), ("started", .text)]),
        // Of the last run that succeeded.
        ("last", [("entity", .text), ("records", .integer)]),
    ]

    let model: Model
    let writer: PlanWriter
    let entities: [EntityTerms]
    let deletability: PlanDeletability

    /// - Throws: `definition` where no plan does what the model says; the place is for who knows it.
    package init(_ model: Model, _ dialect: SQLDialect) {
        self.model = model
        writer = PlanWriter(dialect)
        entities = model.entities.indices.map { EntityTerms(model: model, index: $0, dialect: dialect) }
        deletability = PlanDeletability(model)
    }

    /// All steps, in the order in which they are carried out.
    package func steps(limits: [PlanLimit]) -> [PlanStep] {
        for entity in entities { addInputs(entity) }
        addPositions()
        for entity in entities { addCopies(entity) }
        for entity in entities { addFound(entity) }
        // Which objects go is asked of what records make, where that does not depend on it.
        for entity in entities where takesAll(entity) { addMade(entity) }
        addGoing(entities.filter { !takesAll($0) || isReadEarly($0) })
        for index in PlanNeeds(model).order { addNeeds(entities[index]) }
        for entity in entities where !takesAll(entity) { addMade(entity) }
        for entity in entities { addThere(entity) }
        for entity in entities { addSought(entity) }
        for entity in entities { addStubs(entity) }
        for entity in entities { addLinks(entity) }
        for entity in entities { addDescribed(entity) }
        for entity in entities where !isReadEarly(entity) { addUnmet(entity) }
        addGoing(entities.filter { takesAll($0) && !isReadEarly($0) })
        for entity in entities { addFinal(entity) }
        for entity in entities { addOrphans(entity) }
        for entity in entities { addStaying(entity) }
        for entity in entities { addShown(entity) }
        for entity in entities { addCounts(entity) }
        addAllCounts()
        addLimits(limits)
        addFindings()
        addSnapshot()
        return writer.steps
    }

    /// What the records of an entity make.
    private func addMade(_ entity: EntityTerms) {
        addRanked(entity)
        addDuplicates(entity)
        addObjects(entity)
        addObjectIDs(entity)
        if isReadEarly(entity) { addUnmet(entity) }
    }

    /// Which objects of some entities are not in the feed, and go.
    private func addGoing(_ asked: [EntityTerms]) {
        for entity in asked where deletability.needsPresence(entity.index) { addLacked(entity) }
        let indices = asked.map(\.index)
        for index in deletability.order where indices.contains(index) { addAbsent(entities[index]) }
    }

    var dialect: SQLDialect { writer.dialect }
}

/// Which objects may go, and in which order entities are asked.
package struct PlanDeletability {
    private let model: Model
    /// By entity: whether its objects may be deleted.
    package let deletes: [Bool]
    /// The entities whose objects may be deleted or marked: those to whose objects others are bound first. Not all of
    /// them where there is a cycle.
    let order: [Int]
    /// Of each cycle, an entity and a relationship of it that leads back.
    package let cycles: [(entity: Int, relationship: Int)]

    package init(_ model: Model) {
        self.model = model
        var deletes = model.entities.map { $0.absent == .delete }
        var isChanged = true
        while isChanged {
            isChanged = false
            for (index, entity) in model.entities.enumerated() where !deletes[index] && entity.absent != .mark {
                deletes[index] = entity.relationships.contains { relationship in
                    relationship.onDelete == .cascade && relationship.targets.contains { deletes[$0.entity] }
                }
                if deletes[index] { isChanged = true }
            }
        }
        self.deletes = deletes
        let goes = model.entities.indices.map { deletes[$0] || model.entities[$0].absent == .mark }
        let sorted = PlanOrder(model, among: goes) { relationship in
            relationship.onDelete == .cascade ? relationship.targets.map(\.entity).filter { deletes[$0] } : []
        }
        (order, cycles) = (sorted.order, sorted.cycles)
    }

    /// Whether objects of an entity may be deleted or marked, orphans aside.
    func goes(_ entity: Int) -> Bool { deletes[entity] || model.entities[entity].absent == .mark }

    /// Whether it is to be known which objects the feed holds.
    func needsPresence(_ entity: Int) -> Bool {
        goes(entity) || model.entities[entity].orphans == .delete
            || model.entities.contains { other in
                other.within.map { other.relationships[$0].targets[0].entity } == entity
            }
    }
}

/// Which entities have records that need their targets, and in which order they are asked.
package struct PlanNeeds {
    let order: [Int]
    /// Of each cycle, an entity and a relationship of it that leads back.
    package let cycles: [(entity: Int, relationship: Int)]

    package init(_ model: Model) {
        let needs = model.entities.map { $0.relationships.contains { $0.missing == .reject } }
        let sorted = PlanOrder(model, among: needs) { relationship in
            relationship.missing == .reject ? relationship.targets.map(\.entity).filter { needs[$0] } : []
        }
        (order, cycles) = (sorted.order, sorted.cycles)
    }
}

/// Entities after those that they depend on.
private struct PlanOrder {
    private(set) var order: [Int] = []
    private(set) var cycles: [(entity: Int, relationship: Int)] = []
    private var left: [Int]
    /// By entity and relationship.
    private var dependencies: [[[Int]]]

    init(_ model: Model, among wanted: [Bool], _ dependencies: (Relationship) -> [Int]) {
        left = model.entities.indices.filter { wanted[$0] }
        self.dependencies = model.entities.map { $0.relationships.map(dependencies) }
        while !left.isEmpty {
            let free = left.filter { index in !targets(of: index).contains { left.contains($0) } }
            order += free
            left.removeAll { free.contains($0) }
            guard free.isEmpty, let way = wayBack() else { continue }
            cycles.append(way)
            // As if it were not there, the others are looked for.
            self.dependencies[way.entity][way.relationship] = []
        }
    }

    private func targets(of entity: Int) -> [Int] { dependencies[entity].flatMap { $0 } }

    /// An entity that depends on itself by others that are left, and by which relationship.
    private func wayBack() -> (entity: Int, relationship: Int)? {
        for entity in left {
            let relationship = dependencies[entity].firstIndex { targets in targets.contains { leads($0, to: entity) } }
            if let relationship { return (entity, relationship) }
        }
        return nil
    }

    private func leads(_ first: Int, to entity: Int) -> Bool {
        var met: Set<Int> = []
        var next = [first]
        while let index = next.popLast() {
            if index == entity { return true }
            if left.contains(index), met.insert(index).inserted { next += targets(of: index) }
        }
        return false
    }
}
