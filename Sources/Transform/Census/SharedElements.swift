import SluiceRecords

/// Entities whose records are the elements of the same paths of one source, of which each takes some kinds (`where`).
struct SharedElements {
    let sourceIndex: Int
    /// Where the elements are: several paths have commas between them.
    var path: String { paths.joined(separator: ", ") }
    private let paths: [String]
    /// In their order; at least two.
    let entities: [Int]
    /// What says of which kind an element is: all of the entities ask for its value.
    let kind: Kind

    struct Kind {
        /// The slot of the first entity, and its path.
        let slot: Int
        let path: String
        /// By entity: which of its conditions asks for the value.
        let conditions: [Int]
    }

    /// Those of a model. Where another entity takes, or may take, what is at these paths, nothing is said to be left
    /// over.
    static func all(_ model: Model) -> [SharedElements] {
        let sources = Set(model.entities.flatMap(\.sources)).sorted()
        return sources.flatMap { source in
            let entities = model.entities.indices.filter { model.entities[$0].sources.contains(source) }
            let lists = Dictionary(grouping: entities) { model.entities[$0].records }
            return lists.compactMap { paths, sharing -> SharedElements? in
                let areChosen = sharing.allSatisfy { !model.entities[$0].conditions.isEmpty }
                let others = entities.filter { !sharing.contains($0) }.flatMap { model.entities[$0].records }
                guard sharing.count > 1, areChosen, paths.allSatisfy({ $0.root == .feed }),
                    !others.contains(where: { other in paths.contains { mayMeet($0, other) } }),
                    let kind = kind(of: sharing, model)
                else { return nil }
                return SharedElements(
                    sourceIndex: source, paths: paths.map(\.description), entities: sharing,
                    kind: kind)
            }.sorted { $0.entities[0] < $1.entities[0] }
        }
    }

    /// Whether two paths may lead to one node.
    private static func mayMeet(_ one: Path, _ other: Path) -> Bool {
        let isPlain = { (step: Path.Step) in
            switch step {
            case .name, .index, .wildcard: true
            default: false
            }
        }
        guard one.root == .feed, other.root == .feed else { return false }
        guard one.steps.allSatisfy(isPlain), other.steps.allSatisfy(isPlain) else { return true }
        guard one.steps.count == other.steps.count else { return false }
        return zip(one.steps, other.steps).allSatisfy { $0 == $1 || $0 == .wildcard || $1 == .wildcard }
    }

    /// What conditions of all entities ask for; nil: nothing.
    private static func kind(of entities: [Int], _ model: Model) -> Kind? {
        let asked = entities.map { index in
            model.entities[index].conditions.enumerated().compactMap { number, condition in
                condition.equality.flatMap { equality -> (number: Int, slot: Int, path: String)? in
                    let slot = model.entities[index].slots[equality.slot]
                    return slot.many ? nil : (number, equality.slot, slot.path.description)
                }
            }
        }
        return asked[0].lazy.compactMap { own in
            let conditions = asked.compactMap { all in all.first { $0.path.isIdentical(to: own.path) }?.number }
            guard conditions.count == entities.count else { return nil }
            return Kind(slot: own.slot, path: own.path, conditions: conditions)
        }.first
    }

    /// The elements of which a row is one, as a path: with a filter by its kind, where that is known and short.
    func field(of section: EntityRecords, _ row: Int, _ batch: RecordBatch) -> String {
        let cell = section.raw[row * section.slotCount + kind.slot]
        guard let value = SharedElements.literal(cell, batch) else { return path }
        return paths.map { path in
            let list = path.hasSuffix("[*]") ? String(path.dropLast(3)) : path
            return "\(list)[?\(kind.path) == \(value)]"
        }.joined(separator: ", ")
    }

    private static let mostBytes = 60

    /// A value as a filter has it; nil: it is none, or is long.
    private static func literal(_ cell: Cell, _ batch: RecordBatch) -> String? {
        switch cell.kind {
        case .yes: return "true"
        case .no: return "false"
        case .null: return "null"
        case .integer: return String(cell.integer)
        case .number where cell.count <= mostBytes: return batch.arena.text(of: cell)
        case .string where cell.count <= mostBytes:
            let text = batch.arena.text(of: cell)
            let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\\") }
            return isPlain ? "'\(text)'" : JSONText.quoted(text)
        default: return nil
        }
    }
}
