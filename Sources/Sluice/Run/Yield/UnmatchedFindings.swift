import SluiceDefinition
import SluiceRecords
import SluiceReport

/// The paths of the definition that find nothing in a feed, as findings.
struct UnmatchedFindings {
    private let model: Model
    private let limits: Limits
    /// By source; nil: it was not read.
    private let facts: [FeedFacts?]
    /// Those that give only what is new, or that nobody was asked for: an empty list, or no answer, says that there is
    /// nothing.
    private let incremental: Set<Int>

    init(_ model: Model, _ limits: Limits, _ facts: [FeedFacts?], incremental: Set<Int> = []) {
        self.model = model
        self.limits = limits
        self.facts = facts
        self.incremental = incremental
    }

    func report(to sink: any FindingSink) {
        for finding in all { sink.report(.unmatched, at: finding.at.position) { finding } }
    }

    private var all: [Finding] {
        facts.indices.flatMap { source in
            model.entities.indices.flatMap { entity in findings(source, entity) }
        }
    }

    private func findings(_ source: Int, _ index: Int) -> [Finding] {
        let entity = model.entities[index]
        guard entity.sources.contains(source), let facts = facts[source],
            !limits.allowNone(of: entity.name)
        else { return [] }
        let taken = facts.taken[index]
        let isLeftOut = taken.contains { $0 > 0 } && facts.accepted[index] == false && !entity.conditions.isEmpty
        let paths = taken.indices.filter { isUnmatched($0, source, index) }.map { path -> Finding in
            var unmatched = finding(source, entity, .records, entity.records[path].description)
            // A check against a feed keeps nothing of it.
            if !facts.beginning.isEmpty {
                unmatched.found =
                    FeedShape(beginning: facts.beginning).obstacle(for: [entity.records[path]])?
                    .description
            }
            return unmatched
        }
        guard isLeftOut else { return paths }
        let slots = entity.conditions.flatMap(\.slots).map { entity.slots[$0].path.description }
        return paths + [finding(source, entity, .condition, slots.joined(separator: ", "))]
    }

    /// Where an entity has several paths and several sources, each of these may have its own: a path is unmatched if no
    /// source has it, and a source if it has no path.
    private func isUnmatched(_ path: Int, _ source: Int, _ entity: Int) -> Bool {
        guard let found = facts[source], found.taken[entity][path] == 0 else { return false }
        let own = found.taken[entity]
        let records = model.entities[entity].records[path]
        let isEmpty = found.bytes == 0 || FeedShape(beginning: found.beginning).hasEmptyList(on: records)
        if incremental.contains(source), isEmpty { return false }
        return own.allSatisfy { $0 == 0 } || facts.allSatisfy { $0.map { $0.taken[entity][path] == 0 } ?? true }
    }

    private func finding(
        _ source: Int, _ entity: Entity, _ reason: Finding.Unmatched, _ path: String
    ) -> Finding {
        Finding(
            entity: entity.name, identifier: "null", detail: .unmatched(reason, path: path), at: .beginning(of: source))
    }
}
