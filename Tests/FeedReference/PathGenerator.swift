import SluiceRecords

extension FeedGenerator {
    /// An entity whose slots look around its records.
    package mutating func entity(_ name: String) -> Entity {
        let records = (0..<Int.random(in: 1...2, using: &self)).map { _ in
            Path(root: .feed, steps: steps(0...4, mayMatchSeveral: true))
        }
        let slots = (0..<Int.random(in: 1...5, using: &self)).map { _ in slot(records) }
        var entity = Entity(name: name, records: records, slots: slots, identifier: [], attributes: [])
        // Two spellings of one node would be one record in one entity only.
        if records.count == 2 && records[0] == records[1] { entity.records.removeLast() }
        return entity
    }

    private mutating func slot(_ records: [Path]) -> Slot {
        var slot: Slot
        switch Int.random(in: 0...6, using: &self) {
        case 0:
            slot = Slot(path: Path(root: .record, steps: steps(0...2, mayMatchSeveral: false)))
        case 1...3:
            let whole = records.randomElement(using: &self)?.steps ?? []
            let beginning = Array(whole.prefix(Int.random(in: 0...whole.count, using: &self)))
            slot = Slot(path: Path(root: .feed, steps: beginning + steps(0...2, mayMatchSeveral: false)))
        case 4:
            let path = Path(
                root: .record, parents: Int.random(in: 1...3, using: &self), steps: steps(0...2, mayMatchSeveral: true))
            slot = Slot(path: path, many: !path.isDefinite)
        default:
            let levels = Int.random(in: 1...4, using: &self)
            slot = Slot(path: Path(root: .record, parents: levels, steps: steps(0...2, mayMatchSeveral: false)))
        }
        slot.path.isKey = Int.random(in: 0...3, using: &self) == 0
        if slot.path.root == .feed && slot.path.steps.isEmpty { slot.path.isKey = false }
        slot.json = !slot.path.isKey && Int.random(in: 0...3, using: &self) == 0
        return slot
    }

    private mutating func steps(_ count: ClosedRange<Int>, mayMatchSeveral: Bool) -> [Path.Step] {
        (0..<Int.random(in: count, using: &self)).map { _ in step(mayMatchSeveral) }
    }

    private mutating func step(_ mayMatchSeveral: Bool) -> Path.Step {
        let name = ["a", "b", "c", "id", "tags"].randomElement(using: &self) ?? ""
        switch Int.random(in: mayMatchSeveral ? 0...9 : 7...9, using: &self) {
        case 0...4: return .wildcard
        case 5: return .descendantName(name)
        case 6: return Bool.random(using: &self) ? .descendantWildcard : .wildcard
        case 7: return .index(Int.random(in: 0...1, using: &self))
        default: return .name(name)
        }
    }
}
