import SluiceRecords
import SluiceSchema

extension WaitingValue {
    /// The value that a nullified reference waits for: the identifier of its target, as records would name it.
    ///
    /// - Parameter cells: of the target: at least its identifier, and the attributes by which references look for it.
    package init(
        cells: UnsafePointer<Cell>, target: Int, _ relationship: Relationship, _ model: Model, _ arena: Arena
    ) {
        let entity = relationship.targets[target].entity
        let key = model.entities[entity].identifier.map { unsafe cells[$0] }
        if !relationship.ways.isEmpty {
            unsafe self.init(cells: cells, inWaysTo: target, key, relationship, model, arena)
            return
        }
        guard relationship.isPolymorphic, relationship.selector == nil else {
            self.init(
                json: arena.json(ofKey: key), target: relationship.selector == nil ? nil : model.entities[entity].name)
            return
        }
        let own = relationship.targets[target].conversions.map(\.stored)
        let identifiers = relationship.targets.map { other in
            WaitingValue.converted(key, own, other.conversions.map(\.stored), arena)
        }
        self.init(
            identifiers, otherwise: arena.json(ofKey: key), hasKeys: false,
            labels: relationship.targets.map(\.identifierTypes))
    }

    /// For each search that leads to the target, the reference waits for the values that the target had.
    private init(
        cells: UnsafePointer<Cell>, inWaysTo target: Int, _ identifier: [Cell], _ relationship: Relationship,
        _ model: Model, _ arena: Arena
    ) {
        let values = relationship.ways.map { way -> String? in
            let key = way.attributes.map { unsafe cells[$0] }
            guard way.target == target, !key.contains(where: \.isNull) else { return nil }
            return arena.json(ofKey: key)
        }
        self.init(
            values, otherwise: arena.json(ofKey: identifier), hasKeys: true,
            labels: relationship.searchLabels(in: model))
    }

    /// A key as the identifier of another target would be, as JSON.
    private static func converted(
        _ key: [Cell], _ own: [StoredForm], _ forms: [StoredForm], _ arena: Arena
    ) -> String? {
        var parts: [String] = []
        for (cell, (own, form)) in zip(key, zip(own, forms)) {
            if own == form {
                parts.append(arena.json(ofKey: [cell]))
                continue
            }
            guard let value = FormConversion(from: own, to: form)?.convert(StoredValue(cell, arena)) else { return nil }
            parts.append(value.json)
        }
        return JSONText.oneOrArray(parts)
    }
}

extension StoredValue {
    fileprivate init(_ cell: Cell, _ arena: Arena) {
        switch cell.kind {
        case .integer: self = .integer(cell.integer)
        case .real: self = .real(cell.real)
        case .text: self = .text(arena.text(of: cell))
        default: self = .blob
        }
    }

    /// The identifier as the waiting list writes it.
    fileprivate var json: String {
        switch self {
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let text): JSONText.quoted(text)
        case .blob: "null"
        }
    }
}
