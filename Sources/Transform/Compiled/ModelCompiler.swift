import SluiceRecords

/// Makes a model ready for use: compiles its patterns, reads its time zones, and lays its rules out flat.
struct ModelCompiler {
    private(set) var entities: [CompiledEntity] = []
    private(set) var rules: [CompiledRule] = []
    private(set) var columns: [CompiledColumn] = []
    private(set) var linkColumns: [CompiledColumn] = []
    private(set) var linkNames: [String] = []
    private(set) var relationships: [CompiledRelationship] = []
    private(set) var conversions: [CompiledConversion] = []
    var conditions: [CompiledCondition] = []
    var bounds: [CompiledBounds] = []
    var boundValues: [CompiledBound] = []
    private(set) var elements: [CompiledElements] = []
    private(set) var elementMembers: [CompiledElementMember] = []
    private(set) var singles: [CompiledSingle] = []
    private(set) var literals: [Literal] = []
    var patterns: [Pattern] = []
    /// Whether the rules at hand are those of an attribute whose texts have marks of their own for numbers.
    private var hasMarks = false
    private(set) var maps: [TextMap] = []
    let catalog = Catalog()
    private let model: Model
    /// Whether the records of the entity hold texts only.
    var readsTexts = false

    init(_ model: Model) throws(Failure) {
        self.model = model
        for entity in model.entities { try add(entity) }
    }

    private mutating func add(_ entity: Entity) throws(Failure) {
        readsTexts = entity.isOfTables
        let takes = try compile(entity.conditions, "where", of: entity)
        let deletes = try compile(entity.deletions, "deleteWhere", of: entity)
        let firstColumn = columns.count
        for (index, attribute) in entity.attributes.enumerated() {
            let isIdentifier = entity.identifier.contains(index)
            do throws(InvalidConversion) {
                columns.append(try compile(attribute, isIdentifier: isIdentifier))
            } catch {
                throw ModelCompiler.failure(entity, attribute.name, error)
            }
        }
        let firstRelationship = relationships.count
        for (index, relationship) in entity.relationships.enumerated() {
            do throws(InvalidConversion) {
                let column = entity.layout.relationshipStart[index]
                relationships.append(try compile(relationship, column: column))
            } catch {
                throw ModelCompiler.failure(entity, relationship.name, error)
            }
        }
        entities.append(
            CompiledEntity(
                conditions: takes, deletions: deletes, identifier: entity.identifier,
                columns: firstColumn..<columns.count, relationships: firstRelationship..<relationships.count,
                members: entity.attributes.indices.map { ModelCompiler.toldName($0, entity) }
                    + entity.relationships.map(\.name),
                paths: entity.attributes.map { ModelCompiler.onlyPath($0.value, entity) }))
    }

    /// What faults call an attribute. One that a relationship which identifies has made stands nowhere in the
    /// definition: it has the name of that.
    private static func toldName(_ attribute: Int, _ entity: Entity) -> String {
        let (name, value) = (entity.attributes[attribute].name, entity.attributes[attribute].value)
        guard entity.identifier.contains(attribute) else { return name }
        let made = entity.relationships.first { relationship in
            name.utf8.starts(with: "\(relationship.name)_".utf8) && relationship.key.contains(value)
        }
        return made?.name ?? name
    }

    /// Where a value is looked for, if at one place.
    private static func onlyPath(_ value: ValueRule, _ entity: Entity) -> String? {
        guard case .slot(let slot) = value.origin, entity.slots.indices.contains(slot) else { return nil }
        return entity.slots[slot].path.description
    }

    static func failure(_ entity: Entity, _ member: String, _ error: InvalidConversion) -> Failure {
        Failure(.definition, "\(entity.name).\(member): \(error.message)")
    }

    private mutating func compile(
        _ attribute: Attribute, isIdentifier: Bool
    ) throws(InvalidConversion) -> CompiledColumn {
        var conversion = try catalog.compile(attribute.conversion)
        let need: CompiledColumn.Need = isIdentifier ? .identifier : attribute.required ? .required : .optional
        let bounds = try compile(attribute.bounds, conversion)
        if attribute.conversion.isMany {
            conversions.append(conversion)
            conversion = CompiledConversion(kind: .list, format: Int32(conversions.count - 1))
        }
        if let slot = attribute.value.plainSlot {
            return CompiledColumn(slot: Int32(slot), rule: -1, conversion: conversion, need: need, bounds: bounds)
        }
        hasMarks = attribute.conversion.marks != nil
        defer { hasMarks = false }
        let rule = try add([attribute.value])
        return CompiledColumn(slot: -1, rule: Int32(rule), conversion: conversion, need: need, bounds: bounds)
    }

    private mutating func compile(
        _ relationship: Relationship, column: Int
    ) throws(InvalidConversion) -> CompiledRelationship {
        let key = try add(relationship.key)
        let elements = try relationship.elements.map { elements throws(InvalidConversion) in try compile(elements) }
        let selector = try relationship.selector.map { rule throws(InvalidConversion) in try add([rule]) }
        var values: [CompiledColumn] = []
        for attribute in relationship.values + relationship.stub {
            values.append(try compile(attribute, isIdentifier: false))
        }
        linkColumns += values
        linkNames += relationship.values.map(\.name) + relationship.stub.map { "stub.\($0.name)" }
        let first = conversions.count
        let searches = relationship.searches(in: model)
        for search in searches {
            guard search.conversions.count == relationship.keyWidth else {
                throw InvalidConversion(message: "a value is needed for each identifying attribute of the target")
            }
            for conversion in search.conversions { conversions.append(try catalog.compile(conversion)) }
        }
        return CompiledRelationship(
            column: column, key: key, keyCount: relationship.keyWidth, ruleCount: relationship.key.count,
            targetCount: searches.count,
            conversions: first, selector: selector ?? -1,
            names: add(relationship.targets.map { .text(model.entities[$0.entity].name) }), isMany: relationship.isMany,
            elements: elements ?? -1, values: linkColumns.count - values.count, valueCount: values.count,
            reference: catalog.add(targets: relationship.targets.map { model.entities[$0.entity].name }),
            whenAbsent: relationship.onAbsent.keepsReferences ? .absent : .null,
            slot: ModelCompiler.onlySlot(relationship) ?? -1)
    }

    /// The slot that is all there is to a relationship.
    private static func onlySlot(_ relationship: Relationship) -> Int? {
        guard relationship.key.count == 1, relationship.searchCount == 1, relationship.stub.isEmpty else { return nil }
        return relationship.selector == nil && !relationship.isMany ? relationship.key[0].plainSlot : nil
    }

    /// Adds literals side by side, and returns the index of the first.
    mutating func add(_ values: [Literal]) -> Int {
        literals += values
        return literals.count - values.count
    }

    /// Adds rules side by side, behind those that they need, and returns the index of the first.
    private mutating func add(_ values: [ValueRule]) throws(InvalidConversion) -> Int {
        var added: [CompiledRule] = []
        for value in values { added.append(try compile(value)) }
        rules += added
        return rules.count - added.count
    }

    private func origin(of form: OneOrMany) -> CompiledRule.Origin {
        switch form {
        case .list: .oneOrMany
        case .members: .oneOrMembers
        case .within: .oneOrWithin
        }
    }

    private mutating func compile(_ rule: ValueRule) throws(InvalidConversion) -> CompiledRule {
        var compiled: CompiledRule
        switch rule.origin {
        case .slot(let slot): compiled = CompiledRule(origin: .slot, source: Int32(slot))
        case .first(let values):
            compiled = CompiledRule(origin: .first, source: Int32(try add(values)), sourceCount: Int32(values.count))
        case .joined(let values, let separator):
            compiled = CompiledRule(origin: .joined, source: Int32(try add(values)), sourceCount: Int32(values.count))
            compiled.separator = Int32(add([.text(separator)]))
        case .oneOrMany(let one, let many, let form):
            compiled = CompiledRule(origin: origin(of: form), source: Int32(one), sourceCount: Int32(many))
        case .constant(let literal): compiled = CompiledRule(origin: .constant, source: Int32(add([literal])))
        case .line: compiled = CompiledRule(origin: .line, source: -1)
        case .fileName: compiled = CompiledRule(origin: .fileName, source: -1)
        case .elements(let elements, let value, let many):
            let source = try add([value])
            compiled = CompiledRule(origin: many ? .elements : .element, source: Int32(source), sourceCount: 1)
            compiled.elements = Int32(try self.compile(elements))
        }
        compiled.keepsNumbers = hasMarks
        compiled.readsTexts = readsTexts
        compiled.trims = rule.trim
        compiled.nullIf = Int32(add(rule.nullIf))
        compiled.nullIfCount = Int32(rule.nullIf.count)
        if let pattern = rule.match {
            patterns.append(try Pattern(pattern))
            compiled.match = Int32(patterns.count - 1)
        }
        if let map = rule.map { compiled.map = add(map) }
        if let otherwise = rule.otherwise { compiled.otherwise = Int32(add([otherwise])) }
        if let separator = rule.split { compiled.split = Int32(add([.text(separator)])) }
        if let pattern = rule.matches {
            patterns.append(try Pattern(pattern))
            compiled.matches = Int32(patterns.count - 1)
        }
        if let fallback = rule.fallback { compiled.fallback = Int32(add([fallback])) }
        return compiled
    }

    private mutating func compile(_ elements: Elements) throws(InvalidConversion) -> Int {
        let conditions = try compile(elements.conditions)
        self.elements.append(
            CompiledElements(
                members: elementMembers.count, memberCount: elements.members.count, conditions: conditions.lowerBound,
                conditionCount: conditions.count, singles: singles.count, singleCount: elements.singles.count))
        singles += elements.singles.map { CompiledSingle(slot: $0.slot, takesArrays: $0.takesArrays) }
        elementMembers += elements.members.map { member in
            CompiledElementMember(
                slot: member.slot, places: member.places, rest: 4 * member.rest, above: 4 * member.above,
                makesElements: member.makesElements, countsFollowing: member.countsFollowing)
        }
        return self.elements.count - 1
    }

    private mutating func add(_ map: [ExactText: Literal]) -> Int32 {
        var entries: [(key: String, literal: Int32)] = []
        for (key, value) in map { entries.append((key.string, Int32(add([value])))) }
        maps.append(TextMap(entries))
        return Int32(maps.count - 1)
    }
}
