import TestSupport

extension TestDefinition {
    /// Leaves of a random definition what a night may know by the bytes of its items: records of the outermost list, or
    /// within its elements, that take nothing from around these.
    ///
    /// A random definition nearly always has something for which a run reads all, so that fingerprints would hardly
    /// ever be met. What is left meets all the others: references in several ways, links, stubs, absent objects.
    mutating func makeKnowable(_ random: inout SeededRandom) {
        for index in entities.indices {
            let isTable = entities[index].sources.contains { sources[$0].delimiter != nil }
            let isSequence = entities[index].sources.allSatisfy { sources[$0].isLines }
            let isKept = TestPath.knowable.contains { [$0] == entities[index].records }
            if !isKept, !isTable, !isSequence || entities[index].records != [.top()] {
                entities[index].records = [TestPath.knowable[random.below(TestPath.knowable.count)]]
            }
            entities[index].staysWithinItems(&random)
        }
        for entity in entities {
            for relationship in entity.relationships where relationship.isSearched {
                for target in relationship.to where entities[target].absent == .mark {
                    entities[target].absent = .delete
                }
            }
        }
    }
}

extension TestDefinition {
    var hasCompounds: Bool { entities.contains { $0.identifier.count > 1 } }

    /// Lets most references name their targets by members that do.
    mutating func simplifyReferences(_ random: inout SeededRandom) {
        for entity in entities.indices {
            // Few records would be left.
            if random.below(4) > 0 { entities[entity].takes = [] }
            for index in entities[entity].relationships.indices where random.below(4) > 0 {
                let relationship = entities[entity].relationships[index]
                guard relationship.key.count == max(1, relationship.ways.count) else { continue }
                let path: TestPath =
                    relationship.isMany ? .record(.name("refs"), .each, .name("ref")) : .field("ref")
                let rule = TestRule(.path(path))
                entities[entity].relationships[index].key = relationship.key.map { _ in rule }
                findByAttribute(&entities[entity].relationships[index], &random)
                entities[entity].relationships[index].values = []
                if random.below(4) > 0, relationship.missing == .reject {
                    entities[entity].relationships[index].missing = .null
                }
            }
            for index in entities[entity].attributes.indices where random.below(2) == 0 {
                entities[entity].attributes[index].isRequired = false
            }
            simplifyValues(of: entity, &random)
        }
    }

    /// Lets some references find their target by an attribute: what brings another object with its value is a twin.
    private func findByAttribute(_ relationship: inout Relationship, _ random: inout SeededRandom) {
        guard relationship.ways.isEmpty, relationship.to.count == 1, relationship.stub.isEmpty,
            relationship.missing == .null, random.below(2) == 0
        else { return }
        let target = entities[relationship.to[0]]
        let fitting = target.attributes.indices.filter { place in
            let attribute = target.attributes[place]
            return !target.identifier.contains(place) && !attribute.isMany && attribute.relationship == nil
                && !attribute.isFound && [.text, .integer].contains(attribute.type)
        }
        guard !fitting.isEmpty else { return }
        relationship.ways = [fitting[random.below(fitting.count)]]
        relationship.isBy = true
    }

    /// Lets most attributes have values that nearly all records have: an item with a reject is read again each night.
    private mutating func simplifyValues(of index: Int, _ random: inout SeededRandom) {
        let isPart = entities.contains { entity in
            entity.attributes.contains { $0.relationship != nil }
                && entity.relationships.contains { $0.to.contains(index) }
        }
        for place in entities[index].attributes.indices where random.below(6) > 0 {
            let attribute = entities[index].attributes[place]
            let identifies = entities[index].identifier.contains(place)
            guard attribute.relationship == nil, !attribute.isMany, !identifies || !isPart else { continue }
            let own: [TestType] = [.text, .integer, .decimal]
            // Objects may be found by it in another way.
            let isSought =
                identifies
                || entities.contains { entity in
                    entity.relationships.contains { $0.to.contains(index) && $0.ways.contains(place) }
                }
            // Keys of references have values of its type.
            let kept = own.contains(attribute.type) ? [attribute.type] : [.text]
            let types = isSought ? kept : own + [.real, .json]
            entities[index].attributes[place].type = types[random.below(types.count)]
            let name: Text = identifies ? "id" : ["n", "id", "name"][random.below(3)]
            let isText = [.text, .json].contains(entities[index].attributes[place].type)
            entities[index].attributes[place].value = TestRule(.path(.field(name == "name" && !isText ? "n" : name)))
        }
    }
}

extension TestDefinition.Relationship {
    /// Whether it looks for its target by more than one identifier.
    fileprivate var isSearched: Bool { !ways.isEmpty || to.count > 1 }
}

extension TestPath {
    /// Where records are.
    fileprivate static var knowable: [TestPath] {
        [
            .top(.name("items"), .each), .top(.name("items"), .each), .top(.name("items"), .each),
            .top(.name("items"), .each),
            .top(.name("items"), .each, .name("parts"), .each),
            .top(.name("index"), .each), .top(.name("items"), .each, .name("refs"), .each),
        ]
    }

    /// Whether it stays within an item, for records so many levels below it.
    fileprivate func isWithin(_ levels: Int, areMembers: Bool) -> Bool {
        if isTop || ups > levels { return false }
        // Keys and indices are known of members of objects alone.
        return areMembers || !isKey
    }
}

extension TestDefinition.Entity {
    /// Lets all paths of the entity end within the item that a record is in, and says nothing for which a run reads
    /// all.
    fileprivate mutating func staysWithinItems(_ random: inout SeededRandom) {
        deletions = []
        mode = .upsert
        let levels = max(0, (records[0].steps.count - 2))
        let areMembers = records[0].steps.first == .name("index")
        let within = { (path: TestPath) in path.isWithin(levels, areMembers: areMembers) }
        for index in attributes.indices {
            let isPart = attributes[index].relationship != nil
            if index == identifier.first, !isPart, attributes[index].type != .bytes {
                attributes[index].value = TestRule(.path(.field("id")))
            }
            // Parts of references that identify are those of the relationship.
            attributes[index].value = attributes[index].value.mapped { within($0) ? $0 : .field(isPart ? "ref" : "n") }
            if random.below(2) == 0 { attributes[index].isRequired = false }
        }
        if !takes.allSatisfy({ $0.isAllowed(within) }) { takes = [] }
        for index in relationships.indices { relationships[index].staysWithinItems(within, &random) }
    }
}

extension TestDefinition.Relationship {
    fileprivate mutating func staysWithinItems(_ within: (TestPath) -> Bool, _ random: inout SeededRandom) {
        stub = []
        values.removeAll { !within($0.path) && $0.path.isKey }
        let isKept = key.allSatisfy { $0.allPaths.allSatisfy(within) }
        if !isKept {
            values = []
            if isMany, key.count > 1, ways.isEmpty {
                let sides: [TestPath] = [
                    .record(.name("refs"), .each, .name("id")), .record(.name("refs"), .each, .name("n")),
                ]
                key = sides.map { TestRule(.path($0)) }
            }
            key = key.map { rule in rule.mapped { within($0) ? $0 : .field("ref") } }
        }
        selector = selector.map { rule in rule.mapped { within($0) ? $0 : .field("kind") } }
        if isSearched || random.below(2) == 0, missing == .reject { missing = .null }
    }
}

extension TestRule {
    /// All paths in it.
    fileprivate var allPaths: [TestPath] {
        switch origin {
        case .path(let path), .oneOrMany(let path): [path]
        case .first(let rules), .joined(let rules, _): rules.flatMap(\.allPaths)
        case .own, .constant: []
        }
    }

    /// The rule with other paths.
    fileprivate func mapped(_ change: (TestPath) -> TestPath) -> TestRule {
        var rule = self
        switch origin {
        case .path(let path): rule.origin = .path(change(path))
        case .first(let rules): rule.origin = .first(rules.map { $0.mapped(change) })
        case .joined(let rules, let separator): rule.origin = .joined(rules.map { $0.mapped(change) }, with: separator)
        case .oneOrMany, .own, .constant: break
        }
        return rule
    }
}

extension TestCondition {
    fileprivate func isAllowed(_ path: (TestPath) -> Bool) -> Bool {
        switch self {
        case .value(let one, _): path(one)
        case .any(let conditions): conditions.allSatisfy { $0.isAllowed(path) }
        case .not(let condition): condition.isAllowed(path)
        }
    }
}
