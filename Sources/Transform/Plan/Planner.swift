import SluiceRecords

/// Makes a model ready for use: compiles its patterns, reads its time zones, and lays its rules out flat.
struct Planner {
    private(set) var entities: [EntityPlan] = []
    private(set) var rules: [RulePlan] = []
    private(set) var columns: [ColumnPlan] = []
    private(set) var linkColumns: [ColumnPlan] = []
    private(set) var linkNames: [String] = []
    private(set) var relationships: [RelationshipPlan] = []
    private(set) var conversions: [ConversionPlan] = []
    var conditions: [ConditionPlan] = []
    var bounds: [BoundsPlan] = []
    var boundValues: [BoundPlan] = []
    private(set) var elements: [ElementsPlan] = []
    private(set) var elementMembers: [ElementMemberPlan] = []
    private(set) var singles: [Int] = []
    private(set) var literals: [Literal] = []
    var patterns: [Pattern] = []
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
        let takes = try plan(entity.conditions, "where", of: entity)
        let deletes = try plan(entity.deletions, "deleteWhere", of: entity)
        let firstColumn = columns.count
        for (index, attribute) in entity.attributes.enumerated() {
            let isIdentifier = entity.identifier.contains(index)
            do throws(InvalidConversion) {
                columns.append(try plan(attribute, isIdentifier: isIdentifier))
            } catch {
                throw Planner.failure(entity, attribute.name, error)
            }
        }
        let firstRelationship = relationships.count
        for (index, relationship) in entity.relationships.enumerated() {
            do throws(InvalidConversion) {
                let column = entity.layout.relationshipStart[index]
                relationships.append(try plan(relationship, column: column))
            } catch {
                throw Planner.failure(entity, relationship.name, error)
            }
        }
        entities.append(
            EntityPlan(
                conditions: takes, deletions: deletes, identifier: entity.identifier,
                columns: firstColumn..<columns.count, relationships: firstRelationship..<relationships.count,
                members: entity.attributes.map(\.name) + entity.relationships.map(\.name)))
    }

    static func failure(_ entity: Entity, _ member: String, _ error: InvalidConversion) -> Failure {
        Failure(.definition, "\(entity.name).\(member): \(error.message)")
    }

    private mutating func plan(
        _ attribute: Attribute, isIdentifier: Bool
    ) throws(InvalidConversion) -> ColumnPlan {
        var conversion = try catalog.plan(attribute.conversion)
        let need: ColumnPlan.Need = isIdentifier ? .identifier : attribute.required ? .required : .optional
        let bounds = try plan(attribute.bounds, conversion)
        if attribute.conversion.isMany {
            conversions.append(conversion)
            conversion = ConversionPlan(kind: .list, format: Int32(conversions.count - 1))
        }
        if let slot = attribute.value.plainSlot {
            return ColumnPlan(slot: Int32(slot), rule: -1, conversion: conversion, need: need, bounds: bounds)
        }
        let rule = try add([attribute.value])
        return ColumnPlan(slot: -1, rule: Int32(rule), conversion: conversion, need: need, bounds: bounds)
    }

    private mutating func plan(
        _ relationship: Relationship, column: Int
    ) throws(InvalidConversion) -> RelationshipPlan {
        let key = try add(relationship.key)
        let elements = try relationship.elements.map { elements throws(InvalidConversion) in try plan(elements) }
        let selector = try relationship.selector.map { rule throws(InvalidConversion) in try add([rule]) }
        var values: [ColumnPlan] = []
        for attribute in relationship.values + relationship.stub {
            values.append(try plan(attribute, isIdentifier: false))
        }
        linkColumns += values
        linkNames += relationship.values.map(\.name) + relationship.stub.map { "stub.\($0.name)" }
        let first = conversions.count
        let searches = relationship.searches(in: model)
        for search in searches {
            guard search.conversions.count == relationship.keyWidth else {
                throw InvalidConversion(message: "a value is needed for each identifying attribute of the target")
            }
            for conversion in search.conversions { conversions.append(try catalog.plan(conversion)) }
        }
        return RelationshipPlan(
            column: column, key: key, keyCount: relationship.keyWidth, ruleCount: relationship.key.count,
            targetCount: searches.count,
            conversions: first, selector: selector ?? -1,
            names: add(relationship.targets.map { .text(model.entities[$0.entity].name) }), isMany: relationship.isMany,
            elements: elements ?? -1, values: linkColumns.count - values.count, valueCount: values.count,
            reference: catalog.add(targets: relationship.targets.map { model.entities[$0.entity].name }),
            whenAbsent: relationship.onAbsent == .clear ? .null : .absent,
            slot: Planner.onlySlot(relationship) ?? -1)
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
        var plans: [RulePlan] = []
        for value in values { plans.append(try plan(value)) }
        rules += plans
        return rules.count - plans.count
    }

    private mutating func plan(_ rule: ValueRule) throws(InvalidConversion) -> RulePlan {
        var plan: RulePlan
        switch rule.origin {
        case .slot(let slot): plan = RulePlan(origin: .slot, source: Int32(slot))
        case .first(let values):
            plan = RulePlan(origin: .first, source: Int32(try add(values)), sourceCount: Int32(values.count))
        case .joined(let values, let separator):
            plan = RulePlan(origin: .joined, source: Int32(try add(values)), sourceCount: Int32(values.count))
            plan.separator = Int32(add([.text(separator)]))
        case .oneOrMany(let one, let many):
            plan = RulePlan(origin: .oneOrMany, source: Int32(one), sourceCount: Int32(many))
        case .constant(let literal): plan = RulePlan(origin: .constant, source: Int32(add([literal])))
        case .line: plan = RulePlan(origin: .line, source: -1)
        case .fileName: plan = RulePlan(origin: .fileName, source: -1)
        case .elements(let elements, let value, let many):
            let source = try add([value])
            plan = RulePlan(origin: many ? .elements : .element, source: Int32(source), sourceCount: 1)
            plan.elements = Int32(try self.plan(elements))
        }
        plan.trims = rule.trim
        plan.nullIf = Int32(add(rule.nullIf))
        plan.nullIfCount = Int32(rule.nullIf.count)
        if let pattern = rule.match {
            patterns.append(try Pattern(pattern))
            plan.match = Int32(patterns.count - 1)
        }
        if let map = rule.map { plan.map = add(map) }
        if let otherwise = rule.otherwise { plan.otherwise = Int32(add([otherwise])) }
        if let separator = rule.split { plan.split = Int32(add([.text(separator)])) }
        if let pattern = rule.matches {
            patterns.append(try Pattern(pattern))
            plan.matches = Int32(patterns.count - 1)
        }
        if let fallback = rule.fallback { plan.fallback = Int32(add([fallback])) }
        return plan
    }

    private mutating func plan(_ elements: Elements) throws(InvalidConversion) -> Int {
        let conditions = try plan(elements.conditions)
        self.elements.append(
            ElementsPlan(
                members: elementMembers.count, memberCount: elements.members.count, conditions: conditions.lowerBound,
                conditionCount: conditions.count, singles: singles.count, singleCount: elements.singles.count))
        singles += elements.singles
        elementMembers += elements.members.map { member in
            ElementMemberPlan(
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
