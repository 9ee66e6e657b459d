import SluiceRecords

/// The slots of which the definition may take nothing though there is a value: `match` or a filter fits nothing, or
/// `nullIf` has it. To the census there is what the definition makes of it: null, nothing, or a list of none. Slots
/// that several attributes and relationships take are not among them.
package struct NulledSlots: Sendable {
    package struct Slot: Sendable {
        package var number: Int
        /// The typed cell that its value becomes.
        package var column: Int
        /// Whether it is a list of scalars.
        package var isList = false
    }

    /// By entity.
    private let slots: [[Slot]]

    package init(_ model: Model) {
        slots = model.entities.map { entity in
            let layout = RowLayout(entity)
            var found: [Slot] = []
            for (column, attribute) in entity.attributes.enumerated() {
                let (value, isList) = (attribute.value, attribute.conversion.isMany)
                guard let slot = isList ? value.onlySlot : value.nulledSlot else { continue }
                found.append(Slot(number: slot, column: column, isList: isList))
            }
            for (index, relationship) in entity.relationships.enumerated() {
                guard relationship.key.count == 1, relationship.searchCount == 1,
                    let slot = relationship.key[0].nulledSlot
                else { continue }
                found.append(Slot(number: slot, column: layout.keyStart(relationship, at: index, way: 0)))
            }
            let taken = FieldConsumer.all(of: entity).flatMap(\.slots)
            return found.filter { slot in taken.count { $0 == slot.number } == 1 }
        }
    }

    package subscript(entity: Int) -> [Slot] { slots[entity] }

    /// What a row has in place of a value of which the definition has taken nothing; nil: it has taken something, or
    /// refused the value, or there was nothing.
    package static func kind(instead slot: Slot, _ section: EntityRecords, _ row: Int) -> CellKind? {
        let status = section.status[row]
        guard status == .complete || status == .rejected else { return nil }
        let typed = section.typed[row * section.width + slot.column]
        switch typed.kind {
        case .null, .absent: break
        case .list where typed.count == 0: break
        // A list of scalars is JSON as a text: this is the one of none.
        case .text where slot.isList && typed.length == 2: return .list
        default: return nil
        }
        let raw = section.raw[row * section.slotCount + slot.number].kind
        return raw == .null || raw == .absent ? nil : typed.kind
    }
}

extension Cell {
    /// Stands in a rejected row where a value was refused.
    static var refused: Cell { Cell(kind: .impossible) }
}

extension ValueRule {
    /// The slot of which alone it is made; nil: there are several, or none.
    fileprivate var onlySlot: Int? { slots.count == 1 ? slots[0] : nil }

    /// The slot of whose value it may take nothing; nil: it is made of several values, or takes whatever there is.
    fileprivate var nulledSlot: Int? {
        switch origin {
        case .slot(let slot) where match != nil || !nullIf.isEmpty: slot
        case .elements(_, let rule, _): rule.slots.count == 1 ? rule.slots[0] : nil
        default: nil
        }
    }
}
