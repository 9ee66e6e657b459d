import SluiceRecords

/// What an entity's paths look for in the fields of its records.
struct SoughtPaths {
    /// From the record: the paths of its values, and those of records in it.
    private let paths: [Path]

    init(_ entity: Entity, in model: Model) {
        let inner = model.entities.filter { !Set($0.sources).isDisjoint(with: entity.sources) }.flatMap(\.records)
        let outside = (entity.slots.map(\.path).filter { $0.root == .feed } + inner)
        paths =
            entity.slots.map(\.path).filter { $0.root == .record && $0.parents == 0 }
            + entity.records.flatMap { records in
                outside.filter { $0.steps.starts(with: records.steps) }.map { path in
                    Path(root: .record, steps: Array(path.steps.dropFirst(records.steps.count)))
                }
            }
    }

    /// The first path that leads on from a field to what is in it; nil: none does.
    func path(into field: Path) -> Path? { paths.first { $0.leads(into: field) } }
}

extension Path {
    /// Whether steps remain where a field of drift has been reached, in which `[*]` stands for elements.
    fileprivate func leads(into field: Path) -> Bool {
        guard steps.count > field.steps.count else { return false }
        return zip(steps, field.steps).allSatisfy { step, other in
            switch step {
            case .name: step == other
            case .wildcard, .descendantName, .descendantWildcard: true
            case .index, .indexFromEnd, .filter: other == .wildcard
            }
        }
    }
}
