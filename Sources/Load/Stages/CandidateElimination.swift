import SluiceRecords

/// Decides which records with `missing: reject` are loaded, once all others are loaded and the deletions are done.
///
/// Such a record needs its targets: objects in the store, or objects that other such records bring, which may need each
/// other in a circle. So all of them are candidates at first; a candidate whose target is missing falls out, and with
/// it those that need the object that only this candidate would have brought. What is left is the largest set in which
/// no target is missing (a greatest fixed point). It takes time in proportion to the candidates and their needs, in
/// whatever order they come; and memory, which the limit of the caches does not bound (see *Memory* in performance.md).
final class CandidateElimination {
    private let relations: [EntityRelations]
    private let batch: RecordBatch
    private let context: LoadContext
    private let groups: [CandidateGroup]
    /// Which need depends on which provider, sorted by provider once all are known.
    private var edges: [Edge] = []
    private var needs: [Need] = []
    /// Providers that no candidate brings any more.
    private var lost: [Provider] = []

    /// An object that candidates may bring: its entity and its number among these.
    private struct Provider: Hashable, Comparable {
        var entity: UInt32
        var number: UInt32

        static func < (a: Provider, b: Provider) -> Bool { (a.entity, a.number) < (b.entity, b.number) }
    }

    private struct Edge {
        var provider: Provider
        var need: UInt32
    }

    /// A reference of a candidate whose target only candidates may bring.
    private struct Need {
        var entity: UInt32
        var candidate: UInt32
        /// Providers of it that are left.
        var providers: UInt32
    }

    init(_ relations: [EntityRelations], _ context: LoadContext) {
        self.relations = relations
        self.context = context
        batch = RecordBatch(model: context.model)
        let needed = context.model.entities.flatMap { entity in
            entity.relationships.filter { $0.missing.rejectsRecords }.flatMap { $0.targets.map(\.entity) }
        }
        groups = relations.map { relations in
            CandidateGroup(relations.state, isNeeded: needed.contains(relations.state.index))
        }
    }

    /// Finds out which candidates fall out.
    func run() throws(Failure) {
        for group in groups where group.brings { try readBatches(group) { _ in group.countBrought(by: batch) } }
        for group in groups where !group.needing.isEmpty { try findNeeds(group) }
        edges.sort { $0.provider < $1.provider }
        while let provider = lost.popLast() { drop(provider) }
    }

    /// Which candidates of an entity have fallen out: the places of their records among all of them.
    func failed(_ entity: Int) -> ObjectIDSet { groups[entity].failed }

    /// Why a candidate has fallen out: the rows of its batch are resolved among all.
    func faults(_ row: Int, _ section: EntityRecords, _ arena: Arena) -> [(member: String, reason: String)] {
        let state = groups[section.entity].state
        var faults: [(member: String, reason: String)] = []
        let relations = relations[section.entity]
        for relationship in groups[section.entity].needing {
            let definition = state.entity.relationships[relationship]
            var reported: Set<WaitingValue> = []
            for missing in relations[relationship].missingTargets(row, section, arena)
            where !isBrought(missing, arena) && reported.insert(missing.value).inserted {
                let all = definition.targets.map { state.traits.model.entities[$0.entity].name }
                let names = missing.value.target.map { [$0] } ?? all
                let reason = FindingLayout.lacksTarget(names.joined(separator: " or "), missing.value.json) { $0 }
                faults.append((definition.name, reason.joined()))
            }
        }
        return faults
    }

    private func isBrought(_ missing: MissingTargetKeys, _ arena: Arena) -> Bool {
        missing.identifiers.contains { groups[$0.target.index].number(of: $0.cells, arena) != nil }
    }

    /// Reads a group's candidates, batch by batch; `body` gets the place of the first of each.
    private func readBatches(_ group: CandidateGroup, _ body: (Int) throws(Failure) -> Void) throws(Failure) {
        guard let spool = group.state.phase.candidates else { return }
        var place = 0
        try context.forEachBatch(
            spool, of: relations[group.state.index], batch, areCandidates: true
        ) { read, _ throws(Failure) in
            try body(place)
            place += read.count
        }
    }

    private func findNeeds(_ group: CandidateGroup) throws(Failure) {
        let relations = relations[group.state.index]
        try readBatches(group) { first throws(Failure) in
            let section = batch.sections[group.state.index]
            try relations.resolveAmongAll(Array(0..<section.count), section, batch)
            for row in 0..<section.count { findNeeds(group, first + row, row, section) }
        }
    }

    private func findNeeds(_ group: CandidateGroup, _ candidate: Int, _ row: Int, _ section: EntityRecords) {
        let relations = relations[group.state.index]
        for relationship in group.needing {
            for missing in relations[relationship].missingTargets(row, section, batch.arena) {
                let providers = missing.identifiers.compactMap { target, cells in
                    groups[target.index].number(of: cells, batch.arena).map { number in
                        Provider(entity: UInt32(target.index), number: number)
                    }
                }
                if providers.isEmpty {
                    fail(group, candidate)
                    continue
                }
                let need = UInt32(needs.count)
                needs.append(
                    Need(
                        entity: UInt32(group.state.index), candidate: UInt32(candidate),
                        providers: UInt32(providers.count)))
                for provider in providers { edges.append(Edge(provider: provider, need: need)) }
            }
        }
    }

    private func fail(_ group: CandidateGroup, _ candidate: Int) {
        guard let number = group.fail(candidate) else { return }
        lost.append(Provider(entity: UInt32(group.state.index), number: number))
    }

    /// Takes a provider away from those that need it.
    private func drop(_ provider: Provider) {
        var index = edges.indices.partitionPoint { edges[$0].provider >= provider }
        while index < edges.count, edges[index].provider == provider {
            let need = Int(edges[index].need)
            needs[need].providers -= 1
            if needs[need].providers == 0 { fail(groups[Int(needs[need].entity)], Int(needs[need].candidate)) }
            index += 1
        }
    }
}
