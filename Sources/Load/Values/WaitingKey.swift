import SluiceRecords
import SluiceSchema

/// The cells of a reference on the waiting list: the parts of its value, for each way to find its target converted to
/// what is looked for there.
package struct WaitingKey {
    private let model: Model
    private let definition: Relationship
    private let layout: RowLayout
    private let relationship: Int
    /// For each search, how it is called on the list; none: it is one of several ways.
    private let labels: [String]
    private let ways: [WayLabels]
    private let searches: [Relationship.Way]
    private let isPossible: (String, StoredForm) -> Bool

    /// - Parameter isPossible: whether the store can hold a text in a form: else no object can have it.
    package init(
        _ model: Model, _ entity: Int, _ relationship: Int,
        isPossible: @escaping (String, StoredForm) -> Bool = { _, _ in true }
    ) {
        self.isPossible = isPossible
        self.model = model
        self.relationship = relationship
        definition = model.entities[entity].relationships[relationship]
        layout = model.entities[entity].layout
        ways = definition.ways.indices.map { [definition] in definition.wayLabels($0, in: model) }
        labels = ways.isEmpty ? definition.searchLabels(in: model) : []
        searches = definition.searches(in: model)
    }

    /// A row of the waiting list.
    package struct Entry {
        var (objectID, position): (Int64, Int64)
        /// The value, the entity that it names, and the keys, as `WaitingValue` has them.
        var (json, target, keys): (String, String, String?)
        /// What the link has of its own.
        var with: String?

        package init(
            objectID: Int64, position: Int64, json: String, target: String, keys: String?, with: String?
        ) {
            (self.objectID, self.position, self.with) = (objectID, position, with)
            (self.json, self.target, self.keys) = (json, target, keys)
        }
    }

    /// Appends an entry as a row; false if the list is not in the order of its objects: the caller goes on behind the
    /// last entry, until there are no more.
    package func append(
        _ entry: Entry, after last: inout (objectID: Int64, position: Int64), _ section: EntityRecords,
        _ batch: RecordBatch, _ work: RowScratch
    ) -> Bool {
        guard (entry.objectID, entry.position) > last else { return false }
        last = (entry.objectID, entry.position)
        let row = work.appendRow(to: section, entry.objectID)
        setKey(row, entry, section, batch)
        setValues(row, entry.with, section, batch)
        return true
    }

    private func setKey(_ row: Int, _ entry: Entry, _ section: EntityRecords, _ batch: RecordBatch) {
        let (first, name) = (row * section.width, entry.target)
        let value = parts(StoredJSON(entry.json))
        let known = entry.keys.flatMap { StoredJSON($0) }
        if definition.selector != nil {
            let target = definition.targets.firstIndex { model.entities[$0.entity].name.isIdentical(to: name) } ?? 0
            section.typed[first + layout.relationshipStart[relationship]] = .integer(Int64(target))
        }
        for (index, search) in searches.enumerated() {
            let start = first + layout.keyStart(definition, at: relationship, way: index)
            // A definition may have lost the target that the reference names.
            let target = model.entities[definition.targets[search.target].entity]
            let isNamed = definition.selector == nil || target.name.isIdentical(to: name)
            let own = known.flatMap { self.value(in: $0, search: index) }.map { parts($0) }
            // What waits in other ways than those of the definition waits for nothing that can be found.
            let key = own ?? (definition.ways.isEmpty ? value : value.map { _ in .null })
            for (part, conversion) in search.conversions.enumerated() {
                let text = value[part].scalarText ?? ""
                section.typed[start + part] =
                    isNamed
                    ? cell(key[part], conversion, in: batch) ?? batch.arena.appendText(text, kind: .impossible)
                    : batch.arena.appendText("", kind: .impossible)
            }
        }
    }

    /// The value of a search among those that are known.
    private func value(in known: StoredJSON, search: Int) -> StoredJSON? {
        if ways.isEmpty { return known[labels[search]] }
        guard let members = known.members else { return nil }
        return ways[search].place(in: members).map { members[$0].value }
    }

    /// Sets the cells of what the link has of its own.
    private func setValues(_ row: Int, _ text: String?, _ section: EntityRecords, _ batch: RecordBatch) {
        if definition.values.isEmpty { return }
        let members = text.map { LinkText.members(of: $0) } ?? [:]
        let first = row * section.width + layout.valueStart(definition, at: relationship)
        for (index, value) in definition.values.enumerated() {
            section.typed[first + index] = LinkText.cell(
                members[ExactText(value.name)], value.conversion.column, &batch.arena)
        }
    }

    private func parts(_ value: StoredJSON?) -> [StoredJSON] {
        if definition.keyWidth == 1 { return [value ?? .null] }
        let elements = value?.elements ?? []
        return (0..<definition.keyWidth).map { $0 < elements.count ? elements[$0] : .null }
    }

    /// Nil: it is null.
    private func cell(_ value: StoredJSON, _ conversion: Conversion, in batch: RecordBatch) -> Cell? {
        guard let text = value.scalarText else { return nil }
        func impossible() -> Cell { batch.arena.appendText(text, kind: .impossible) }
        switch conversion.column {
        case .text: return isPossible(text, conversion.stored) ? batch.arena.appendText(text) : impossible()
        case .integer:
            guard let number = Int64(text), String(number) == text else { return impossible() }
            return .integer(number)
        case .real:
            let isNumber = text.utf8.allSatisfy { "+-.eE0123456789".utf8.contains($0) }
            guard isNumber, let number = Double(text), number.isFinite else { return impossible() }
            return .real(number)
        case .blob: return batch.arena.appendBytes(hexadecimal: text) ?? impossible()
        }
    }
}
