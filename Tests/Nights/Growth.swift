import TestSupport

/// How definitions change from night to night: what a store follows without being told.
struct Growth {
    var random: SeededRandom
    /// Part of new names, which nothing has had.
    let night: Int
    /// What the store holds.
    let model: ModelStore
    private var count = 0

    init(random: SeededRandom, night: Int, model: ModelStore) {
        (self.random, self.night, self.model) = (random, night, model)
    }

    mutating func change(_ definition: inout TestDefinition) {
        // What all members of records are depends on the names of the others.
        let able = definition.entities.indices.filter { definition.entities[$0].open == nil }
        guard !able.isEmpty else { return }
        let index = able[random.below(able.count)]
        switch random.below(12) {
        case 0: rename(index, &definition)
        case 1: renameAttribute(index, &definition)
        case 2: renameRelationship(index, &definition)
        // Of two pipelines, one that has not run yet cannot give a table another name.
        case 3 where !definition.canBeShared: definition.entities[index].table = fresh("table")
        case 4: definition.entities[index].mode = [.upsert, .upsert, .insert, .update][random.below(4)]
        case 5: definition.entities[index].duplicates = [.last, .last, .first, .reject][random.below(4)]
        // Both pipelines would have to do so at once.
        case 6...9: if !definition.canBeShared { retype(index, &definition) }
        default:
            var generator = DefinitionGenerator(random: random)
            generator.extend(&definition, index, name: fresh("more"))
            random = generator.random
        }
    }

    private mutating func fresh(_ name: String) -> String {
        count += 1
        return "\(name)\(night)-\(count)" + ["", " x", "\"", "'", "🚉", "\u{301}", "é"][random.below(7)]
    }

    private mutating func rename(_ index: Int, _ definition: inout TestDefinition) {
        let (old, new) = (definition.entities[index].name, fresh("Entity"))
        definition.entities[index].was.append(old)
        definition.entities[index].name = new
        // Where records say which entity is meant.
        let literal = (old: TestLiteral.text(Text(old)), new: TestLiteral.text(Text(new)))
        for entity in definition.entities.indices {
            for place in definition.entities[entity].relationships.indices
            where definition.entities[entity].relationships[place].to.contains(index) {
                guard var selector = definition.entities[entity].relationships[place].selector else { continue }
                for key in selector.map.indices where selector.map[key].value == literal.old {
                    selector.map[key].value = literal.new
                }
                if selector.fallback == literal.old { selector.fallback = literal.new }
                definition.entities[entity].relationships[place].selector = selector
            }
        }
    }

    private mutating func renameAttribute(_ index: Int, _ definition: inout TestDefinition) {
        let own = definition.entities[index].attributes.indices.filter { place in
            definition.entities[index].attributes[place].relationship == nil
        }
        let place = own[random.below(own.count)]
        var attribute = definition.entities[index].attributes[place]
        // The parts of references that identify are called after it.
        let isPart = definition.entities.contains { entity in
            entity.relationships.contains { $0.name == "owner" && $0.to.contains(index) }
        }
        if isPart, definition.entities[index].identifier.contains(place) { return }
        let (old, new) = (attribute.name, fresh("attribute"))
        attribute.value = attribute.value.withPath
        attribute.was.append(old)
        attribute.name = new
        definition.entities[index].attributes[place] = attribute
        for entity in definition.entities.indices {
            for number in definition.entities[entity].relationships.indices
            where definition.entities[entity].relationships[number].to == [index] {
                for value in definition.entities[entity].relationships[number].stub.indices
                where Text(definition.entities[entity].relationships[number].stub[value].name) == Text(old) {
                    definition.entities[entity].relationships[number].stub[value].name = new
                }
            }
        }
    }

    /// Gives an attribute another type, in which all values of the store have equals.
    private mutating func retype(_ index: Int, _ definition: inout TestDefinition) {
        let entity = definition.entities[index]
        let looked = definition.entities.flatMap(\.relationships).filter { $0.to == [index] }.flatMap(\.ways)
        let fixed = Set(
            entity.identifier + looked + entity.searched
                + [entity.place?.latitude, entity.place?.longitude].compactMap(\.self))
        let able = entity.attributes.indices.filter { place in
            let attribute = entity.attributes[place]
            return !fixed.contains(place) && !attribute.isMany && attribute.relationship == nil && !attribute.isFound
                && attribute.type != .text && attribute.value.hasNoLiterals && place < model.attributeCount(of: index)
        }
        guard !able.isEmpty else { return }
        let place = able[random.below(able.count)]
        let types = TestType.allCases.filter { type in
            type != entity.attributes[place].type && model.converts(index, place, to: type.conversion.stored)
        }
        guard !types.isEmpty else { return }
        let type = types[random.below(types.count)]
        definition.entities[index].attributes[place].type = type
        for other in definition.entities.indices {
            for number in definition.entities[other].relationships.indices
            where definition.entities[other].relationships[number].to == [index] {
                for value in definition.entities[other].relationships[number].stub.indices
                where Text(definition.entities[other].relationships[number].stub[value].name)
                    == Text(entity.attributes[place].name)
                {
                    definition.entities[other].relationships[number].stub[value].type = type
                }
            }
        }
    }

    private mutating func renameRelationship(_ index: Int, _ definition: inout TestDefinition) {
        let able = definition.entities[index].relationships.indices.filter {
            definition.entities[index].relationships[$0].name != "owner"
        }
        guard !able.isEmpty else { return }
        let place = able[random.below(able.count)]
        var relationship = definition.entities[index].relationships[place]
        relationship.was.append(relationship.name)
        relationship.name = fresh("relation")
        relationship.key = relationship.key.map(\.withPath)
        definition.entities[index].relationships[place] = relationship
    }
}

extension TestDefinition {
    /// Whether two pipelines may feed all entities.
    var canBeShared: Bool { entities.allSatisfy { $0.absent == .keep && $0.open == nil } }
}

extension TestRule {
    /// Whether it has no value of its own, which would be of one type.
    fileprivate var hasNoLiterals: Bool {
        switch origin {
        case .own, .path: nullIf.isEmpty && map.isEmpty && fallback == nil
        case .first, .oneOrMany, .constant, .joined: false
        }
    }
}
