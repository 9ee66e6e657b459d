import SluiceRecords

/// Converts the references that wait by one relationship to the new forms of the identifiers of their targets.
package struct WaitingConversion {
    package struct Target {
        package var name: String
        /// Of its identifier's parts.
        package var before: [StoredForm]
        package var after: [StoredForm]
    }

    /// An entry of the waiting list: its place, and what it waits for.
    package struct Entry {
        package var objectID: Int64
        package var position: Int64
        package var value: String
        package var target: String?
        package var keys: String?

        package init(
            objectID: Int64, position: Int64, value: String, target: String? = nil, keys: String? = nil
        ) {
            self.objectID = objectID
            self.position = position
            self.value = value
            self.target = target
            self.keys = keys
        }
    }

    /// A part of an identifier as JSON has it; nil: null.
    private typealias Part = StoredValue?

    package let entity: String
    package let relationship: String
    package let targets: [Target]
    /// Ways to find a target by attributes that change.
    package var ways: [Way] = []

    /// The entry as this run would have written it; nil: it does not change.
    package func converted(_ entry: Entry) throws(Failure) -> (value: String, keys: String?)? {
        let keys = try entry.keys.map { keys throws(Failure) in try read(keys) }
        // The values of references that are looked for in several ways, or by other attributes, are no identifiers.
        if let members = keys?.members, members.contains(where: { $0.key.hasPrefix("by ") }) {
            return converted(members).map { (entry.value, $0) }
        }
        let value = try read(entry.value)
        let possible = targets.filter { $0.name.isIdentical(to: entry.target ?? $0.name) }
        guard !possible.isEmpty else { return nil }
        let identifiers = possible.map { identifier($0, value, keys) }
        // A value that can be no target's identifier is written as a text.
        let changed =
            identifiers.compactMap { $0 }.first
            ?? json(parts(value).map { part in part.map { .text(WaitingConversion.text($0)) } })
        guard !identifiers.allSatisfy({ $0 == changed }) else { return (changed, nil) }
        return (changed, JSONText.object(zip(possible, identifiers).map { (forms($0.after), $1 ?? "null") }))
    }

    private func read(_ text: String) throws(Failure) -> StoredJSON {
        guard let value = StoredJSON(text) else {
            throw Failure(.io, "the store is damaged: what \(entity).\(relationship) waits for is no JSON")
        }
        return value
    }

    /// The value of an entry as the identifier of a target; nil where it cannot be one.
    private func identifier(_ target: Target, _ value: StoredJSON, _ keys: StoredJSON?) -> String? {
        let own = keys.map { $0[forms(target.before)] ?? .null } ?? value
        let isPossible = own != .null
        if isPossible, target.before == target.after { return own.text }
        let parts = parts(isPossible ? own : value)
        guard parts.count == target.after.count else { return nil }
        var converted: [Part] = []
        for (part, (before, after)) in zip(parts, zip(target.before, target.after)) {
            guard let part, let value = convert(part, before, after) else { return nil }
            converted.append(value)
        }
        return json(converted)
    }

    /// The values of ways as their attributes have them from now on; nil: as they are.
    private func converted(_ members: [StoredJSON.Member]) -> String? {
        var (members, isChanged) = (members, false)
        for way in ways {
            guard let index = way.labelsBefore.place(in: members) else { continue }
            let converted = zip(parts(members[index].value), zip(way.before, way.after)).map { part, forms in
                part.flatMap { convert($0, forms.0, forms.1) }
            }
            let isFound = converted.count == way.after.count && !converted.contains { $0 == nil }
            members[index] = StoredJSON.Member(
                key: way.label, value: isFound ? StoredJSON(json(converted)) ?? .null : .null)
            isChanged = true
        }
        return isChanged ? StoredJSON.object(members).text : nil
    }

    private func convert(_ value: StoredValue, _ before: StoredForm, _ after: StoredForm) -> StoredValue? {
        let isOfForm =
            switch (value, before.column) {
            case (.integer, .integer), (.real, .real), (.text, .text), (.text, .blob): true
            default: false
            }
        // A value that could not be converted before is still as the feed had it: a text.
        let from = isOfForm ? before : StoredForm(.text)
        if from == after { return value }
        return FormConversion(from: from, to: after)?.convert(value)
    }

    private func forms(_ forms: [StoredForm]) -> String { forms.map(\.name).joined(separator: " ") }

    /// The parts of an identifier: a scalar, or the elements of a list.
    private func parts(_ json: StoredJSON) -> [Part] { (json.elements ?? [json]).map(\.storedValue) }

    private func json(_ parts: [Part]) -> String {
        let texts = parts.map { part in
            switch part {
            case .text(let text): JSONText.quoted(text)
            case .some(let value): WaitingConversion.text(value)
            case nil: "null"
            }
        }
        return JSONText.oneOrArray(texts)
    }

    private static func text(_ value: StoredValue) -> String {
        if case .text(let text) = value { return text }
        return value.shown
    }
}

extension WaitingConversion {
    /// Those of all relationships to entities whose identifiers change.
    ///
    /// - Parameter before: what `sluice_model` said, and says from now on, of all pipelines; renamed already.
    package static func all(
        _ changes: [FormChange], _ model: Model, before: [EntityDescription], after: [EntityDescription]
    ) -> [WaitingConversion] {
        var changed: Set<ExactText> = []
        for change in changes where model.entities[change.entity].identifier.contains(change.attribute) {
            changed.insert(ExactText(model.entities[change.entity].name))
        }
        var seen: Set<[ExactText]> = []
        var conversions: [WaitingConversion] = []
        for description in before + after {
            for relationship in description.relationships
            where !changed.isDisjoint(with: relationship.targets.map { ExactText($0) }) {
                guard seen.insert([ExactText(description.name), ExactText(relationship.name)]).inserted else {
                    continue
                }
                let targets = relationship.targets.compactMap { Target($0, before: before, after: after) }
                conversions.append(
                    WaitingConversion(entity: description.name, relationship: relationship.name, targets: targets))
            }
        }
        return conversions + inWays(changes, model)
    }

    /// Those of relationships that find their targets by attributes that change: no model row says so, only
    /// definitions.
    private static func inWays(_ changes: [FormChange], _ model: Model) -> [WaitingConversion] {
        model.entities.flatMap { entity in
            entity.relationships.compactMap { relationship in
                let ways = relationship.ways.indices.compactMap { Way($0, relationship, changes, model) }
                if ways.isEmpty { return nil }
                return WaitingConversion(entity: entity.name, relationship: relationship.name, targets: [], ways: ways)
            }
        }
    }
}

extension WaitingConversion {
    /// A way to find a target by attributes of which some change their form.
    package struct Way {
        let before: [StoredForm]
        let after: [StoredForm]
        let labelsBefore: WayLabels
        let label: String

        /// Nil: nothing of it changes.
        fileprivate init?(_ index: Int, _ relationship: Relationship, _ changes: [FormChange], _ model: Model) {
            let way = relationship.ways[index]
            let entity = relationship.targets[way.target].entity
            after = way.conversions.map(\.stored)
            before = zip(way.attributes, after).map { attribute, form in
                changes.first { $0.entity == entity && $0.attribute == attribute }?.conversion.from ?? form
            }
            if before == after { return nil }
            labelsBefore = relationship.wayLabels(index, in: model, forms: before)
            label = relationship.wayLabels(index, in: model).own
        }
    }
}

extension WaitingConversion.Target {
    /// Nil: no description says what identifies it.
    fileprivate init?(_ name: String, before: [EntityDescription], after: [EntityDescription]) {
        guard let new = Self.identifier(name, after) else { return nil }
        self.init(name: name, before: Self.identifier(name, before) ?? new, after: new)
    }

    /// The forms of an entity's identifier.
    private static func identifier(_ name: String, _ descriptions: [EntityDescription]) -> [StoredForm]? {
        guard let description = descriptions.first(where: { $0.name.isIdentical(to: name) }) else { return nil }
        let forms = description.identifier.compactMap { part in
            description.attributes.first { $0.name.isSameName(as: part) }?.form
        }
        return forms.count == description.identifier.count ? forms : nil
    }
}

extension StoredJSON {
    /// A scalar as a stored value; nil: null, or no scalar.
    fileprivate var storedValue: StoredValue? {
        switch self {
        case .number(let text): Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) }
        case .string(let text): .text(text)
        case .boolean(let value): .integer(value ? 1 : 0)
        default: nil
        }
    }
}
