import SluiceRecords
import TestSupport

/// Makes random definitions for the feeds of `FeedGenerator`.
struct DefinitionGenerator {
    var random: SeededRandom
    private var definition = TestDefinition(sources: [], entities: [])
    /// For what came to the language later, so that the definitions of known seeds change little.
    private var later: SeededRandom
    /// For what came last.
    private var last: SeededRandom
    /// For what came after that.
    private var newest: SeededRandom
    /// For stubs that references describe, all members, and stubs whose records are rejects.
    private var open: SeededRandom
    /// For identifiers of bytes.
    private var bytes: SeededRandom
    /// For names that stores, parts and plans have, too.
    private var ours: OwnNames

    init(random: SeededRandom) {
        self.random = random
        var copy = random
        later = SeededRandom(4 + copy.below(1 << 30))
        last = SeededRandom(5 + copy.below(1 << 30))
        newest = SeededRandom(6 + copy.below(1 << 30))
        open = SeededRandom(7 + copy.below(1 << 30))
        ours = OwnNames(SeededRandom(8 + copy.below(1 << 30)))
        bytes = SeededRandom(9 + copy.below(1 << 30))
    }

    /// A definition that says something of everything, now and then.
    mutating func make() -> TestDefinition {
        let names = random.below(2) == 0 ? ["main"] : ["b", "a"]
        definition.sources = names.map { name in
            TestDefinition.Source(name: name, isLines: random.below(3) == 0, files: random.below(4) == 0 ? 2 : 1)
        }
        for index in definition.sources.indices where newest.below(6) == 0 {
            definition.sources[index].isLines = true
            definition.sources[index].delimiter = [",", ";", "\t"][newest.below(3)]
        }
        definition.repeatsGroups = newest.below(3) == 0
        let entities = ["Place", "é", "e\u{301}", "a \"b\"", "select", "🚉 x", "b", "'", "'\u{301}"].shuffled(
            using: &random)
        for name in entities.prefix(1 + random.below(4)) { definition.entities.append(entity(name)) }
        for index in definition.entities.indices { rename(index) }
        for index in definition.entities.indices where index > 0 && later.below(5) == 0 { identify(index) }
        for index in definition.entities.indices { addRelationships(index) }
        let made = definition.entities.flatMap(\.relationships).filter { $0.missing == .stub }.flatMap(\.to)
        for index in Set(made).sorted() where newest.below(2) == 0 {
            definition.entities[index].orphans = .delete
            if open.below(2) == 0 { addStrict(index) }
        }
        for index in definition.entities.indices { describeStubs(index) }
        for index in definition.sources.indices where open.below(8) == 0 { serve(index) }
        for index in definition.entities.indices where open.below(5) == 0 { takeAll(index) }
        return definition
    }

    /// Lets an entity and its attributes have names of ours.
    private mutating func rename(_ index: Int) {
        definition.entities[index].name = ours.entity() ?? definition.entities[index].name
        for place in definition.entities[index].attributes.indices {
            guard let name = ours.attribute() else { continue }
            definition.entities[index].attributes[place].name = name
            definition.entities[index].attributes[place].value =
                definition.entities[index].attributes[place].value
                .withPath
        }
    }

    /// An attribute for which many records are rejects.
    private mutating func addStrict(_ index: Int) {
        var attribute = TestDefinition.Attribute(name: "strict", type: .boolean, value: TestRule(.path(.field("flag"))))
        attribute.isRequired = true
        definition.entities[index].attributes.append(attribute)
    }

    /// Lets all members of the records be attributes.
    private mutating func takeAll(_ index: Int) {
        // Of tables, types are guessed.
        let entity = definition.entities[index]
        let areFiles = entity.sources.allSatisfy {
            definition.sources[$0].delimiter == nil && definition.sources[$0].service == nil
        }
        guard areFiles else { return }
        // What is a record by itself is no member of another.
        let holdsRecords = entity.records.contains { path in
            path.steps.contains { step in
                switch step {
                case .anywhere, .everywhere: true
                default: false
                }
            } || path.steps.suffix(2) == [.each, .each]
        }
        if holdsRecords { return }
        let names: [Text] = ["n", "kind", "ref", "x y", "date"]
        definition.entities[index].open = .init(
            except: Array(names.shuffled(using: &open).prefix(open.below(3))), adds: open.below(2) == 0)
    }

    /// Lets a service have what a source gives: by pages, or an answer for each record of an entity before it.
    private mutating func serve(_ index: Int) {
        guard definition.sources[index].delimiter == nil else { return }
        var service = TestDefinition.Service(server: FaultyServer.shared.service("{}"))
        let parents = definition.entities.indices.flatMap { entity -> [(entity: Int, attribute: Int)] in
            guard let last = definition.entities[entity].sources.max(), last < index else { return [] }
            return definition.entities[entity].attributes.indices.filter { attribute in
                let one = definition.entities[entity].attributes[attribute]
                return [.text, .integer].contains(one.type) && !one.isMany && one.relationship == nil
            }.map { (entity, $0) }
        }
        if !parents.isEmpty, open.below(3) > 0 { service.parent = parents[open.below(parents.count)] }
        definition.sources[index].service = service
        (definition.sources[index].files, definition.sources[index].isLines) = (1, false)
    }

    /// Lets references say what stubs are like.
    private mutating func describeStubs(_ index: Int) {
        for number in definition.entities[index].relationships.indices {
            let relationship = definition.entities[index].relationships[number]
            guard relationship.missing == .stub, relationship.to.count == 1, open.below(2) == 0 else { continue }
            let target = definition.entities[relationship.to[0]]
            let ways = definition.entities.flatMap(\.relationships).filter { $0.to == relationship.to }.flatMap(\.ways)
            let fitting = target.attributes.indices.filter { attribute in
                let one = target.attributes[attribute]
                return !target.identifier.contains(attribute) && !ways.contains(attribute) && !one.isMany
                    && one.type != .json && one.relationship == nil
            }
            let paths = stubPaths(relationship).shuffled(using: &open)
            definition.entities[index].relationships[number].stub = zip(fitting.shuffled(using: &open), paths)
                .prefix(1 + open.below(2)).map { attribute, path in
                    .init(name: target.attributes[attribute].name, type: target.attributes[attribute].type, path: path)
                }
        }
    }

    /// From the record, or from the element that a link comes from.
    private func stubPaths(_ relationship: TestDefinition.Relationship) -> [TestPath] {
        let near: [TestPath] = [.field("kind"), .field("n"), .field("name"), .field("id"), .field("flag")]
        guard relationship.isMany else { return near }
        return relationship.takesValues ? near : []
    }

    /// Other values of what may change between two runs on one store.
    mutating func vary(_ definition: inout TestDefinition) {
        for index in definition.entities.indices {
            definition.entities[index].mode = [.upsert, .upsert, .upsert, .insert, .update][random.below(5)]
            definition.entities[index].duplicates = [.last, .last, .first, .reject][random.below(4)]
        }
    }

    /// Gives an entity another attribute or relationship, behind all that it has.
    mutating func extend(_ definition: inout TestDefinition, _ index: Int, name: String) {
        self.definition = definition
        if chance(2) {
            definition.entities[index].attributes.append(attribute(name, definition.entities[index]))
        } else {
            let relationship = relationship(name, definition.entities[index])
            // A definition cannot name what only feeds have.
            let target = definition.entities[relationship.to[0]]
            if relationship.ways.contains(where: { target.attributes[$0].isFound }) { return }
            if target.open != nil, !relationship.stub.isEmpty { return }
            definition.entities[index].relationships.append(relationship)
        }
    }

    private mutating func chance(_ one: Int) -> Bool { random.below(one) == 0 }

    private mutating func one<Element>(of elements: [Element]) -> Element { elements[random.below(elements.count)] }

    // MARK: Entities

    private mutating func entity(_ name: String) -> TestDefinition.Entity {
        var entity = TestDefinition.Entity(name: name)
        if chance(4) { entity.table = name + "-table" }
        entity.sources = definition.sources.count == 1 ? [0] : one(of: [[0], [1], [0, 1], [1, 0]])
        entity.records = records()
        if entity.sources.contains(where: { definition.sources[$0].delimiter != nil }) { entity.records = [.top()] }
        entity.attributes = identifier(entity)
        entity.identifier = Array(entity.attributes.indices)
        for name in ["n", "name", "x y", "é", "e\u{301}", "\"q\"", "group", "🚲", "date", "flag", "raw", "'\u{301}"]
            .shuffled(
                using: &random
            )
            .prefix(random.below(5))
        {
            entity.attributes.append(attribute(name, entity))
        }
        if chance(4) {
            entity.attributes.reverse()
            entity.identifier = entity.identifier.map { entity.attributes.count - 1 - $0 }
        }
        if chance(4) { entity.takes = conditions(entity) }
        if chance(4) { entity.deletions = conditions(entity) }
        entity.absent = one(of: [.keep, .keep, .delete, .mark])
        return entity
    }

    /// Where there are groups; or references, or scalars.
    private mutating func records() -> [TestPath] {
        let paths: [TestPath] = [
            .top(.name("items"), .each), .top(.name("items"), .each),
            .top(.name("items"), .each, .name("parts"), .each),
            .top(.anywhere("parts"), .each), .top(.name("index"), .each),
            .top(.name("items"), .each, .name("index"), .each),
            .top(.name("index"), .each, .name("index"), .each), .top(.name("tags"), .each),
            .top(.name("items"), .each, .name("tags"), .each), .top(.anywhere("refs"), .each), .top(.name("main")),
            .top(.anywhere("main")), .top(.anywhere("items"), .each), .top(.name("items"), .index(0)), .top(),
            .top(.anywhere("id")), .top(.each, .each), .top(.name("items"), .each, .name("refs"), .each),
            .top(.name("index"), .each, .name("parts"), .each), .top(.name("items"), .each, .everywhere),
        ]
        let first = one(of: chance(3) ? paths : Array(paths.prefix(6)))
        guard chance(4) else { return [first] }
        let second = one(of: paths)
        return second == first ? [first] : [first, second]
    }

    private mutating func identifier(_ entity: TestDefinition.Entity) -> [TestDefinition.Attribute] {
        let isScalar =
            [.name("tags"), .anywhere("id")].contains(entity.records[0].steps.dropLast().last)
            || entity.records[0].steps.last == .anywhere("id")
        var type: TestType = one(of: [.text, .text, .integer, .integer, .integer, .decimal, .price, .cents, .real])
        var path = isScalar ? TestPath() : TestPath.field("id")
        if entity.records[0].steps.suffix(2).first == .name("index"), chance(2) { path = TestPath(isKey: true) }
        let name = chance(3) ? "key" : "id"
        var rule = TestRule(path == .field(Text(name)) && !chance(3) ? .own(Text(name)) : .path(path))
        if chance(8) { rule = self.rule(entity, type, isMany: false, depth: 0) }
        // Some names are Base64.
        if !isScalar, bytes.below(12) == 0 { (type, rule) = (.bytes, TestRule(.path(.field("name")))) }
        var attributes = [TestDefinition.Attribute(name: name, type: type, value: rule)]
        guard chance(3) else { return attributes }
        let second: (TestType, TestPath) = one(of: [
            (.integer, .field("n")), (.text, .field("kind")), (.text, .record(.name("id"), ups: 2)),
            (.text, .record(ups: 1, isKey: true)), (.boolean, .field("flag")), (.integer, enclosing(entity)),
        ])
        let other = TestDefinition.Attribute(name: "second", type: second.0, value: TestRule(.path(second.1)))
        attributes.append(other)
        if fits(second.1, entity) { return attributes }
        attributes.removeLast()
        return attributes
    }

    private mutating func attribute(_ name: String, _ entity: TestDefinition.Entity) -> TestDefinition.Attribute {
        let types: [String: [TestType]] = [
            "n": [.integer, .real, .decimal, .price, .cents, .unix, .tenths, .unixMilliseconds, .boolean],
            "name": [.text, .bytes, .text],
            "date": [.date, .writtenDate, .datetime, .localTime], "flag": [.boolean], "raw": [.json],
        ]
        var type = one(of: types[name] ?? [.text, .integer, .json])
        if chance(12) { type = one(of: TestType.allCases) }
        var attribute = TestDefinition.Attribute(name: name, type: type, value: TestRule(.own(Text(name))))
        if !["n", "name", "date", "flag", "x y", "é", "e\u{301}"].contains(name) || chance(3) {
            attribute.value = rule(entity, type, isMany: false, depth: 0)
        }
        attribute.isIndexed = chance(6)
        // With a default nothing is lacking, and what is required is not absent.
        if last.below(8) == 0 { makeList(&attribute) }
        guard attribute.value.fallback == nil else { return attribute }
        attribute.isRequired = chance(10)
        attribute.onAbsent = !attribute.isRequired && chance(3) ? .null : .keep
        return attribute
    }

    /// Lets an attribute hold several values.
    private mutating func makeList(_ attribute: inout TestDefinition.Attribute) {
        let paths: [TestPath] = [
            .field("tags"), .record(.name("tags"), .each), .field("ref"), .record(.name("refs"), .each, .name("id")),
            .record(.name("main"), .name("id")), .record(.name("items"), .each, .name("tags"), .each),
            .record(.name("index"), .each, isKey: true), .record(.anywhere("n")),
        ]
        let types: [TestType] = [.text, .integer, .boolean]
        attribute.isMany = true
        attribute.type = types[last.below(types.count)]
        attribute.value = TestRule(.path(paths[last.below(paths.count)]))
    }

    private mutating func conditions(_ entity: TestDefinition.Entity) -> [TestCondition] {
        let all: [TestCondition] = [
            TestCondition(path: .field("kind"), values: [.text("a"), .text("b"), .null]),
            TestCondition(path: .field("flag"), values: [.boolean(true)]),
            TestCondition(path: .field("n"), values: [.number("1"), .number("0.0")]),
            TestCondition(path: .record(.name("main"), .name("kind")), values: [.text("x"), .text("")]),
            TestCondition(path: TestPath(isKey: true), values: [.number("0"), .text("0"), .number("1")]),
            TestCondition(path: .record(.name("kind"), ups: 2), values: [.text("a"), .text("b"), .text("x")]),
            TestCondition(path: .top(.name("n")), values: [.number("1e0"), .number("2"), .number("-3"), .text("1")]),
        ].filter { condition in
            guard case .value(let path, _) = condition else { return true }
            return fits(path, entity)
        }
        let old = Array(all.shuffled(using: &random).prefix(chance(4) ? 2 : 1))
        // Of two, both could become of one key.
        return old.count > 1 || later.below(5) < 2 ? old : old.map { richer($0) }
    }

    /// A condition with more to it.
    private mutating func richer(_ condition: TestCondition) -> TestCondition {
        let others: [TestCondition] = [
            .value(.field("n"), .all([.isAtLeast(.number("0")), .isLess(than: .number("1.5e0"))])),
            .value(.field("id"), .isPresent(true)), .value(.field("ref"), .not(.isPresent(true))),
            .value(.field("kind"), .isLess(than: .text("b"))), .value(.field("id"), .hasType("number")),
            .value(.record(.name("tags"), .each), .isAtLeast(.text("2"))),
            .value(.field("id"), .not(.hasType("array"))),
            .value(.record(.name("refs"), .each, .name("kind")), .isOne(of: [.text("a"), .null])),
            .value(.field("id"), .matches(.digits)), .value(.field("flag"), .not(.isOne(of: [.boolean(true)]))),
            .value(.record(.anywhere("n")), .hasType("string")), .value(.record(.name("main")), .hasType("object")),
        ]
        let other = others[later.below(others.count)]
        switch later.below(4) {
        case 0: return .not(condition)
        case 1: return .any([condition, other])
        case 2: return .any([.not(other), condition])
        default: return other
        }
    }

    // MARK: Relationships

    /// Lets a relationship to an entity before be part of the identifier.
    private mutating func identify(_ index: Int) {
        let first = later.below(index)
        let (entity, target) = (definition.entities[index], definition.entities[first])
        let parts = target.identifier.map { target.attributes[$0] }
        // References to it have two parts at the most.
        guard parts.count + entity.identifier.count == 2 else { return }
        var relationship = TestDefinition.Relationship(name: "owner", to: [first], key: [])
        relationship.key =
            parts.count == 1
            ? [key("owner", entity, parts[0].type, false)] : compound(entity, false, of: parts.map(\.type))
        if later.below(3) == 0 { relationship.missing = .stub }
        let start = entity.attributes.count
        for (part, rule) in zip(parts, relationship.key) {
            var attribute = TestDefinition.Attribute(name: "owner_\(part.name)", type: part.type, value: rule)
            attribute.relationship = "owner"
            definition.entities[index].attributes.append(attribute)
        }
        let added = Array(start..<start + parts.count)
        definition.entities[index].identifier =
            later.below(2) == 0 ? added + entity.identifier : entity.identifier + added
        definition.entities[index].relationships.append(relationship)
    }

    private mutating func addRelationships(_ index: Int) {
        let names = ["ref", "main", "x", "near", "links"].shuffled(using: &random).prefix(random.below(4))
        for name in names {
            var relationship = relationship(name, definition.entities[index])
            if let name = ours.relationship() {
                relationship.name = name
                relationship.key = relationship.key.map(\.withPath)
            }
            definition.entities[index].relationships.append(relationship)
        }
        let entity = definition.entities[index]
        let bounds = entity.relationships.indices.filter {
            !entity.relationships[$0].isMany && entity.relationships[$0].to.count == 1
        }
        if entity.absent != .keep, let bound = bounds.first, chance(2) { definition.entities[index].within = bound }
    }

    private mutating func relationship(
        _ name: String, _ entity: TestDefinition.Entity
    ) -> TestDefinition.Relationship {
        let first = random.below(definition.entities.count)
        let width = definition.entities[first].identifier.count
        let others = definition.entities.indices.filter {
            $0 != first && definition.entities[$0].identifier.count == width
        }
        var relationship = TestDefinition.Relationship(name: name, to: [first], key: [])
        if chance(3) { relationship.to += others.shuffled(using: &random).prefix(2) }
        relationship.isMany = chance(3)
        let type = relationship.to.count > 1 ? .text : keyType(first)
        if width == 1 {
            relationship.key = [key(name, entity, type, relationship.isMany)]
        } else {
            let target = definition.entities[first]
            let types = target.identifier.map { target.attributes[$0].type }
            relationship.key = compound(entity, relationship.isMany, of: types)
            let areBytes = relationship.to.map { index in
                let target = definition.entities[index]
                return target.attributes[target.identifier[1]].type == .bytes
            }
            // Nothing is of both types.
            if Set(areBytes).count > 1 { relationship.key[1].fallback = nil }
        }
        if relationship.to.count > 1, chance(2) {
            relationship.selector = selector(entity, relationship)
        }
        let canStub = relationship.to.count == 1 || relationship.selector != nil
        if canStub, chance(3) { relationship.missing = .stub }
        if entity.deletions.isEmpty, chance(6) { relationship.missing = .reject }
        if chance(3) { relationship.onDelete = .cascade }
        if width == 1, relationship.selector == nil, relationship.missing != .reject, later.below(3) == 0 {
            addWays(&relationship, name, entity)
        }
        let hasDefault = relationship.key.count == 1 && relationship.key[0].fallback != nil
        if !hasDefault, later.below(4) == 0 { relationship.onAbsent = .clear }
        if relationship.isMany { addLinkValues(&relationship) }
        return relationship
    }

    /// Lets the links be a list, or have values of their own.
    private mutating func addLinkValues(_ relationship: inout TestDefinition.Relationship) {
        relationship.isSet = last.below(3) > 0
        guard last.below(2) == 0, relationship.takesValues else { return }
        var valued = relationship
        valued.values = [.init(name: "v", type: .text, path: TestPath())]
        let steps = TestList(valued)?.steps ?? []
        let isDeep = steps.contains { step in
            switch step {
            case .anywhere, .everywhere: true
            default: false
            }
        }
        let all: [TestDefinition.LinkValue] = [
            .init(name: "é", type: .text, path: .field("kind")), .init(name: "n", type: .integer, path: .field("n")),
            .init(name: "key", type: .text, path: TestPath(isKey: true)),
            .init(name: "a \"b\"", type: .text, path: .record(.name("kind"), ups: 2)),
            .init(name: "select", type: .text, path: .record(.name("main"), .name("n"))),
        ]
        let fitting = all.filter { value in
            steps.isEmpty ? !value.path.isKey && value.path.ups == 0 : value.path.ups <= (isDeep ? 0 : steps.count)
        }
        relationship.values = Array(fitting.shuffled(using: &last).prefix(1 + last.below(3)))
    }

    /// Lets the target be found by another attribute than its identifier, or by both.
    private mutating func addWays(
        _ relationship: inout TestDefinition.Relationship, _ name: String, _ entity: TestDefinition.Entity
    ) {
        let target = definition.entities[relationship.to[0]]
        let others = target.attributes.indices.filter { index in
            !target.identifier.contains(index) && !target.attributes[index].isMany
                && target.attributes[index].type != .json
        }
        guard !others.isEmpty else { return }
        let by = others[later.below(others.count)]
        let value = key(name, entity, target.attributes[by].type, relationship.isMany)
        let wasOne = relationship.to.count == 1
        relationship.to = [relationship.to[0]]
        guard wasOne, later.below(3) > 0 else {
            (relationship.ways, relationship.isBy, relationship.key) = ([by], later.below(2) == 0, [value])
            if !relationship.isBy { relationship.key[0] = relationship.key[0].withPath }
            if relationship.missing == .stub { relationship.missing = .null }
            return
        }
        relationship.ways = [target.identifier[0], by]
        relationship.key = [relationship.key[0].withPath, value.withPath]
        if later.below(2) == 0 {
            relationship.ways.reverse()
            relationship.key.reverse()
        }
    }

    private func keyType(_ entity: Int) -> TestType {
        definition.entities[entity].attributes[definition.entities[entity].identifier[0]].type
    }

    private mutating func key(
        _ name: String, _ entity: TestDefinition.Entity, _ type: TestType, _ isMany: Bool
    ) -> TestRule {
        if chance(4) { return rule(entity, type, isMany: isMany, depth: 0) }
        if type == .bytes, bytes.below(4) > 0 {
            let one: TestPath = bytes.below(2) == 0 ? .field("name") : .record(.name("main"), .name("name"))
            return TestRule(.path(isMany ? .record(.name("refs"), .each, .name("name")) : one))
        }
        if name == "ref", !isMany || chance(6) { return TestRule(.own("ref")) }
        if isMany, chance(4) {
            var rule = TestRule(.path(.field("codes")))
            rule.split = one(of: [",", ";", ", "])
            return rule
        }
        return TestRule(.path(path(entity, isMany: isMany)))
    }

    /// Lists that are side by side, or single values.
    private mutating func compound(
        _ entity: TestDefinition.Entity, _ isMany: Bool, of types: [TestType]
    ) -> [TestRule] {
        let sides: [[TestPath]] =
            isMany
            ? [
                [.record(.name("refs"), .each, .name("id")), .record(.name("refs"), .each, .name("n"))],
                [.record(.name("tags"), .each), .record(.name("tags"), .each, isKey: true)],
                [.record(.name("tags"), .each), .field("n")],
                [.record(.name("index"), .each, isKey: true), .record(.name("index"), .each, .name("kind"))],
            ]
            : [
                [.field("ref"), .field("n")],
                [.record(.name("main"), .name("id")), .record(.name("main"), .name("kind"))],
                [.field("ref"), .field("kind")], [.record(.name("id"), ups: 2), .field("n")],
            ]
        let more: [[TestPath]] = [
            [
                .record(.name("refs"), .chosen(.has("kind")), .name("id")),
                .record(.name("refs"), .chosen(.has("kind")), .name("n")),
            ],
            [.record(.name("items"), .each, .name("tags"), .each), .record(.name("items"), .each, .name("id"))],
            [.record(.anywhere("refs"), .each, .name("id")), .record(.anywhere("refs"), .each, .name("kind"))],
            [
                .record(.name("items"), .each, .name("refs"), .fromEnd(1), .name("id")),
                .record(.name("items"), .each, .name("n")),
            ],
        ]
        if isMany, later.below(3) == 0 {
            return Array(more[later.below(more.count)].map { TestRule(.path($0)) }.prefix(types.count))
        }
        let fitting = sides.filter { $0.allSatisfy { fits($0, entity) } }
        var rules = one(of: fitting).map { TestRule(.path($0)) }
        if chance(4) { rules[1].fallback = types[1] == .bytes ? .text("YWI=") : .number("1") }
        return Array(rules.prefix(types.count))
    }

    private mutating func selector(
        _ entity: TestDefinition.Entity, _ relationship: TestDefinition.Relationship
    ) -> TestRule {
        let isSide = relationship.isMany && chance(2)
        var rule = TestRule(.path(isSide ? .record(.name("refs"), .each, .name("kind")) : .field("kind")))
        rule.trims = chance(2)
        let names = relationship.to.map { TestLiteral.text(Text(definition.entities[$0].name)) }
        let keys: [Text] = ["a", "b", "B"] + (chance(3) ? [] : ["*"])
        rule.map = keys.map { (key: $0, value: one(of: names)) }
        if chance(2) { rule.fallback = names[0] }
        return rule
    }

    // MARK: Values

    private mutating func rule(
        _ entity: TestDefinition.Entity, _ type: TestType, isMany: Bool, depth: Int
    ) -> TestRule {
        var rule = TestRule(.path(path(entity, isMany: isMany)))
        if depth < 2, chance(4) {
            let count = 1 + random.below(3)
            rule.origin = .first((0..<count).map { _ in self.rule(entity, type, isMany: isMany, depth: depth + 1) })
        }
        if type != .json, later.below(11) == 0 {
            let lists: [Text] = ["tags", "ref", "id", "refs"]
            rule.origin =
                isMany ? .oneOrMany(.field(lists[later.below(lists.count)])) : .constant(type.literal(&later))
            if case .constant(.null) = rule.origin { rule.origin = .constant(.text("1")) }
        }
        if type != .json {
            if depth < 2, chance(10) {
                let count = 1 + random.below(3)
                rule.origin = .joined(
                    (0..<count).map { _ in self.rule(entity, type, isMany: isMany, depth: depth + 2) },
                    with: one(of: [nil, "-", "", "1"]))
            }
            rule.trims = chance(6)
            if chance(8) {
                rule.nullIf = [.text(""), .text("x1"), .number("2.0"), .text("3")].shuffled(using: &random)
                // By what is drawn already, so that the definitions of known seeds stay what they are.
                if rule.nullIf[0] == .text("3") { rule.nullIf.append(.boolean(false)) }
            }
            if chance(12) { rule.match = one(of: TestPattern.allCases) }
            if chance(10) {
                let keys: [Text] = ["1", "2", "a", "true", "é", "e\u{301}"] + (chance(4) ? [] : ["*"])
                rule.map = keys.map { (key: $0, value: chance(6) ? .null : type.literal(&random)) }
            }
            if isMany, depth < 2, chance(8) { rule.split = one(of: [",", ";", " "]) }
            if isMany, depth < 2, open.below(8) == 0 { rule.matches = TestPattern.allCases[open.below(3)] }
        }
        if chance(6) { rule.fallback = chance(8) ? .null : type.literal(&random) }
        return rule
    }

    /// A path that may be there.
    private mutating func path(_ entity: TestDefinition.Entity, isMany: Bool) -> TestPath {
        let single: [TestPath] = [
            .field("ref"), .field("ref"), .field("id"), .field("n"), .field("name"), .field("x y"), .field("é"),
            .field("e\u{301}"), .record(.name("main"), .name("id")), .record(.name("main"), .name("n")),
            .record(.name("tags"), .index(0)), .record(.name("refs"), .index(1), .name("id")), TestPath(isKey: true),
            TestPath(), .record(ups: 1, isKey: true), .record(.name("id"), ups: 2), .record(ups: 2, isKey: true),
            .record(.name("n"), ups: 3), .record(.index(0), .name("id"), ups: 1), .top(.name("n")), .top(.name("id")),
            enclosing(entity), enclosing(entity), .record(.name("main"), isKey: true), .field("main"),
        ]
        let many: [TestPath] = [
            .record(.name("tags"), .each), .record(.name("refs"), .each, .name("id")),
            .record(.name("refs"), .each, .name("ref")), .record(.name("items"), .each, .name("id")),
            .record(.name("parts"), .each, .name("ref")), .record(.anywhere("ref")),
            .record(.anywhere("refs"), .each, .name("id")),
            .record(.name("index"), .each, isKey: true), .record(.name("index"), .each, .name("id")),
            .record(.name("main"), .each), .record(.name("tags"), .each, ups: 2),
            .record(.name("refs"), .each, isKey: true),
            .record(.everywhere), .record(.each, .each, .name("id")), .record(.name("main"), .anywhere("id")),
        ]
        let fitting = (isMany && random.below(5) > 0 ? many : single).filter { fits($0, entity) }
        let path = one(of: fitting)
        return later.below(8) == 0 ? choosing(isMany) : path
    }

    /// A path that chooses among the elements of a list.
    private mutating func choosing(_ isMany: Bool) -> TestPath {
        let lists: [Text] = ["refs", "items", "parts", "index", "main"]
        let list = lists[later.below(lists.count)]
        let choices: [TestChoice] = [
            .equals("kind", .text("a")), .equals("n", .number("1.0")), .isLess("n", .number("2")), .has("ref"),
            .lacks("kind"), .equals("kind", .null), .either(.isLess("kind", .text("b")), .has("tags")),
        ]
        let choice = choices[later.below(choices.count)]
        let names: [Text] = ["id", "n", "ref", "kind"]
        let name = names[later.below(names.count)]
        switch later.below(isMany ? 7 : 5) {
        case 0: return .record(.name("tags"), .fromEnd(1 + later.below(2)))
        case 1: return .record(.name(list), .fromEnd(1), .name(name))
        case 2: return .record(.name("items"), .chosen(choice), .name("refs"), .fromEnd(1), .name(name))
        case 5: return .record(.name("items"), .chosen(choice), .name("tags"), .each)
        case 6: return .record(.anywhere("refs"), .chosen(choice), .name(name))
        default: return .record(.name(list), .chosen(choice), .name(name))
        }
    }

    /// A path to something around the records.
    private mutating func enclosing(_ entity: TestDefinition.Entity) -> TestPath {
        let records = one(of: entity.records)
        var path = TestPath(isTop: true, steps: Array(records.steps.prefix(random.below(records.steps.count + 1))))
        if !path.steps.isEmpty, chance(4) {
            path.isKey = true
            return path
        }
        let ends: [[TestPath.Step]] = [
            [.name("id")], [.name("ref")], [.name("n")], [.name("main"), .name("id")], [.name("tags"), .index(0)],
        ]
        path.steps += one(of: ends)
        return path
    }

    /// Whether the path stays within the feed.
    private func fits(_ path: TestPath, _ entity: TestDefinition.Entity) -> Bool {
        let isDeep = entity.records.contains { records in
            records.steps.contains { step in
                switch step {
                case .anywhere, .everywhere: true
                default: false
                }
            }
        }
        let depth = entity.records.map(\.steps.count).max() ?? 0
        if isDeep || path.isTop || path.ups < depth { return true }
        return path.ups == depth && !(path.isKey && path.steps.isEmpty)
    }
}
