import SluiceRecords
import TestSupport

extension TestDefinition {
    /// The definition as JSON, with the keys of each object in any order.
    ///
    /// The feeds are called by source and file: `a0.json`, `a1.json`.
    ///
    /// - Parameter order: gives entities, attributes and relationships other places; 0: those that they have here.
    func json(_ random: inout SeededRandom, order: Int = 0) -> String {
        var members: [String] = []
        let described = sources.map { source -> (String, String) in
            var keys = ["\"file\": \"\(source.name)\(source.files == 1 ? "0" : "*").json\""]
            if let service = source.service {
                keys = self.keys(of: service)
            } else if let delimiter = source.delimiter {
                keys = [
                    "\"file\": \"\(source.name)\(source.files == 1 ? "0" : "*").json\"",
                    "\"format\": \"\(delimiter == "\t" ? "tsv" : "csv")\"",
                ]
                if delimiter == ";" { keys.append("\"delimiter\": \";\"") }
            } else if source.isLines || random.below(2) == 0 {
                keys.append("\"format\": \"\(source.isLines ? "lines" : "json")\"")
            }
            return (source.name, TestDefinition.object(keys, &random))
        }
        if described.count == 1, described[0].0 == "main" {
            members.append("\"source\": \(described[0].1)")
        } else {
            // Their order says which of several copies is the first.
            members.append("\"sources\": { \(described.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")) }")
        }
        members.append("\"store\": { \"sqlite\": \"store.sqlite\" }")
        members.append("\"limits\": { \"rejects\": null, \"deletes\": null, \"records\": null, \"missing\": null }")
        var bases: [String] = []
        let entities = entities.map { entity in "\(quoted(entity.name)): \(json(entity, &bases, order, &random))" }
        if !bases.isEmpty { members.append("\"bases\": { \(bases.joined(separator: ", ")) }") }
        // Their order is that of the report.
        let describing = self.entities.count { $0.relationships.contains { !$0.stub.isEmpty } }
        let placed = TestDefinition.placed(entities, describing > 1 ? 0 : order)
        members.append("\"entities\": {\n\(placed.joined(separator: ",\n")) }")
        return TestDefinition.object(members, &random)
    }

    private func keys(of service: Service) -> [String] {
        guard let parent = service.parent else {
            return [
                "\"url\": \"\(service.server.url)\"",
                "\"body\": { \"query\": \"é \\\"x\\\"\", \"variables\": { \"after\": null, \"of\": [1, null] } }",
                "\"pages\": { \"cursor\": \"$.next\", \"parameter\": \"$.variables.after\" }",
            ]
        }
        let entity = entities[parent.entity]
        return [
            "\"url\": \(quoted("\(service.server.url)/{\(entity.attributes[parent.attribute].name)}?x=1"))",
            "\"for\": \(quoted(entity.name))",
        ]
    }

    private static func object(_ members: [String], _ random: inout SeededRandom) -> String {
        "{ \(members.shuffled(using: &random).joined(separator: ", ")) }"
    }

    private static func placed(_ members: [String], _ order: Int) -> [String] {
        var random = SeededRandom(order)
        return order == 0 ? members : members.shuffled(using: &random)
    }

    /// A list, or the only element without one.
    private func list(_ elements: [String], _ random: inout SeededRandom) -> String {
        elements.count == 1 && random.below(2) == 0 ? elements[0] : "[\(elements.joined(separator: ", "))]"
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// - Parameter bases: gets what the entity has of a base.
    private func json(
        _ entity: Entity, _ bases: inout [String], _ order: Int, _ random: inout SeededRandom
    ) -> String {
        var attributes = entity.attributes.filter { $0.relationship == nil && !$0.isFound }.map {
            "\(quoted($0.name)): \(json($0, of: entity, &random))"
        }
        if entity.open != nil { attributes.append("\"*\": \"*\"") }
        let relationships = entity.relationships.map { "\(quoted($0.name)): \(json($0, of: entity, &random))" }
        var keys = keys(of: entity, &random)
        // The first reference that describes a stub counts, and of one record the order is that of the definition.
        let describing = entity.relationships.count { !$0.stub.isEmpty }
        // Another stream, so that the definitions of known seeds stay what they are.
        var later = SeededRandom(keys.joined().utf8.count)
        var lists = [
            (name: "attributes", members: TestDefinition.placed(attributes, order)),
            (name: "relationships", members: TestDefinition.placed(relationships, describing > 1 ? 0 : order)),
        ]
        if later.below(4) == 0 {
            let name = "base \(bases.count)"
            var taken = keys.filter { _ in later.below(2) == 0 }.filter { key in
                !["\"table\"", "\"was\""].contains { key.hasPrefix($0) }
            }
            keys.removeAll { taken.contains($0) }
            keys.append("\"like\": \"\(name)\"")
            // Their order is that of the report.
            for index in lists.indices {
                let count = later.below(lists[index].members.count + 1)
                taken += TestDefinition.member(lists[index].name, Array(lists[index].members.prefix(count)))
                lists[index].members.removeFirst(count)
            }
            bases.append("\"\(name)\": \(TestDefinition.object(taken, &later))")
        }
        let object = TestDefinition.object(keys + lists.flatMap { TestDefinition.member($0.name, $0.members) }, &random)
        // In front, so that nothing else becomes another for it.
        return "{ " + (clears(entity) ? "\"onAbsent\": \"clear\", " : "") + searches(of: entity) + object.dropFirst()
    }

    private func searches(of entity: Entity) -> String {
        var keys = ""
        if !entity.searched.isEmpty {
            let fields = entity.searched.map { quoted(entity.attributes[$0].name) }.joined(separator: ", ")
            let tokenizer = entity.tokenizer.map { ", \"tokenize\": \"\($0)\", \"prefix\": []" } ?? ""
            keys += "\"search\": { \"fields\": [\(fields)]\(tokenizer) }, "
        }
        if let place = entity.place {
            let names = [place.latitude, place.longitude].map { quoted(entity.attributes[$0].name) }
            keys += "\"near\": [\(names.joined(separator: ", "))], "
        }
        return keys
    }

    private static func member(_ name: String, _ members: [String]) -> [String] {
        members.isEmpty ? [] : ["\"\(name)\": { \(members.joined(separator: ", ")) }"]
    }

    private func keys(of entity: Entity, _ random: inout SeededRandom) -> [String] {
        var keys = [
            "\"records\": \(list(entity.records.map { quoted($0.text(&random)) }, &random))",
            "\"identifier\": \(list(identifier(of: entity), &random))",
        ]
        if sources.count > 1 {
            keys.append("\"source\": \(list(entity.sources.map { quoted(sources[$0].name) }, &random))")
        }
        if let table = entity.table { keys.append("\"table\": \(quoted(table))") }
        if !entity.takes.isEmpty { keys.append("\"where\": \(json(entity.takes, &random))") }
        if !entity.deletions.isEmpty { keys.append("\"deleteWhere\": \(json(entity.deletions, &random))") }
        if entity.mode != .upsert { keys.append("\"mode\": \"\(entity.mode)\"") }
        if entity.duplicates != .last { keys.append("\"duplicates\": \"\(entity.duplicates)\"") }
        if entity.absent != .keep { keys.append("\"absent\": \"\(entity.absent)\"") }
        if let open = entity.open {
            if !open.except.isEmpty {
                keys.append("\"except\": [\(open.except.map { quoted($0.description) }.joined(separator: ", "))]")
            }
            if open.adds { keys.append("\"drift\": \"add\"") }
        }
        if entity.orphans == .delete { keys.append("\"orphans\": \"delete\"") }
        keys += was(entity.was, &random)
        if let within = entity.within { keys.append("\"within\": \(quoted(entity.relationships[within].name))") }
        return keys
    }

    private func was(_ names: [String], _ random: inout SeededRandom) -> [String] {
        names.isEmpty ? [] : ["\"was\": \(list(names.map(quoted), &random))"]
    }

    /// The names of its parts: of a relationship once, whose parts follow one another.
    private func identifier(of entity: Entity) -> [String] {
        var names: [String] = []
        for attribute in entity.identifier.map({ entity.attributes[$0] }) {
            let name = quoted(attribute.relationship ?? attribute.name)
            if attribute.relationship == nil || names.last != name { names.append(name) }
        }
        return names
    }

    private func json(_ conditions: [TestCondition], _ random: inout SeededRandom) -> String {
        let members = conditions.map { condition in
            switch condition {
            case .value(let path, let test): "\(quoted(path.text(&random))): \(json(test, &random))"
            case .any(let parts): "\"any\": [\(parts.map { json([$0], &random) }.joined(separator: ", "))]"
            case .not(let part): "\"not\": \(json([part], &random))"
            }
        }
        return TestDefinition.object(members, &random)
    }

    private func json(_ test: TestTest, _ random: inout SeededRandom) -> String {
        if case .isOne(of: let values) = test { return list(values.map(json), &random) }
        return TestDefinition.object(members(test, &random), &random)
    }

    private func members(_ test: TestTest, _ random: inout SeededRandom) -> [String] {
        switch test {
        case .isOne: []
        case .isLess(let literal): ["\"<\": \(json(literal))"]
        case .isAtLeast(let literal): ["\">=\": \(json(literal))"]
        case .isPresent(let isPresent): ["\"present\": \(isPresent)"]
        case .hasType(let type): ["\"type\": \(list(["\"\(type)\""], &random))"]
        case .matches(let pattern): ["\"match\": \(quoted(pattern.rawValue))"]
        case .not(let test): ["\"not\": \(json(test, &random))"]
        case .all(let tests): tests.flatMap { members($0, &random) }
        }
    }

    /// Whether it is the entity that says what absent values do, and an attribute only where it does otherwise.
    private func clears(_ entity: Entity) -> Bool {
        entity.open == nil && entity.attributes.contains { $0.onAbsent == .null }
    }

    /// What an attribute or a relationship says of absent values.
    ///
    /// - Parameter isNever: whether its value is never absent.
    private func onAbsent(_ word: String, _ isNever: Bool, of entity: Entity) -> [String] {
        if clears(entity) { return word == "keep" && !isNever ? ["\"onAbsent\": \"keep\""] : [] }
        return word == "keep" ? [] : ["\"onAbsent\": \"\(word)\""]
    }

    private func json(_ attribute: Attribute, of entity: Entity, _ random: inout SeededRandom) -> String {
        var keys =
            attribute.type.keys.map { "\"\($0.key)\": \(Int($0.value) == nil ? quoted($0.value) : $0.value)" }
            + keys(of: attribute.value, &random)
        if attribute.isMany { keys.append("\"many\": true") }
        if attribute.isRequired { keys.append("\"required\": true") }
        if attribute.isIndexed { keys.append("\"index\": true") }
        keys += was(attribute.was, &random)
        let isIdentifying = entity.identifier.contains { entity.attributes[$0].name == attribute.name }
        let isNever = isIdentifying || attribute.isRequired || attribute.value.fallback != nil
        keys += onAbsent("\(attribute.onAbsent)", isNever, of: entity)
        if keys.count == 1, random.below(3) > 0 { return "\"\(attribute.type.keys[0].value)\"" }
        return TestDefinition.object(keys, &random)
    }

    private func json(_ relationship: Relationship, of entity: Entity, _ random: inout SeededRandom) -> String {
        var keys: [String] = []
        if relationship.ways.isEmpty || relationship.isBy {
            keys.append("\"to\": \(list(relationship.to.map { quoted(entities[$0].name) }, &random))")
        }
        let target = entities[relationship.to[0]]
        let names = relationship.ways.map { quoted(target.attributes[$0].name) }
        if relationship.isBy { keys.append("\"by\": \(list(names, &random))") }
        if !relationship.isBy, !names.isEmpty {
            let ways = zip(names, relationship.key).map { name, rule in
                TestDefinition.object(
                    ["\(quoted(target.name)): \(list([name], &random))"] + self.keys(of: rule, &random), &random)
            }
            keys.append("\"to\": \(list(ways, &random))")
        } else if relationship.key.count == 1 {
            let written = self.keys(of: relationship.key[0], &random)
            // A separator is called as what links have of their own.
            if !relationship.values.isEmpty, case .joined(_, .some) = relationship.key[0].origin {
                keys.append("\"from\": [\(TestDefinition.object(written, &random))]")
            } else {
                keys += written
            }
        } else {
            keys.append("\"identifier\": [\(relationship.key.map { json($0, &random) }.joined(separator: ", "))]")
        }
        if relationship.isMany { keys.append("\"many\": true") }
        if !relationship.isSet { keys.append("\"set\": false") }
        if !relationship.values.isEmpty {
            let values = relationship.values.map { value -> String in
                let path = quoted(value.path.text(&random))
                if value.type == .text, random.below(2) == 0 { return "\(quoted(value.name)): \(path)" }
                return "\(quoted(value.name)): { \"type\": \"\(value.type.keys[0].value)\", \"from\": \(path) }"
            }
            keys.append("\"with\": \(TestDefinition.object(values, &random))")
        }
        if !relationship.stub.isEmpty {
            let values = relationship.stub.map { value -> String in
                let path = quoted(value.path.text(&random))
                return "\(quoted(value.name)): \(random.below(2) == 0 ? path : "{ \"from\": \(path) }")"
            }
            keys.append("\"stub\": \(TestDefinition.object(values, &random))")
        }
        if let selector = relationship.selector { keys.append("\"entity\": \(json(selector, &random))") }
        if relationship.missing != .null { keys.append("\"missing\": \"\(relationship.missing)\"") }
        let isIdentifying = entity.identifier.contains { entity.attributes[$0].relationship == relationship.name }
        let hasDefault = relationship.key.contains { $0.fallback != nil }
        keys += onAbsent("\(relationship.onAbsent)", isIdentifying || hasDefault, of: entity)
        keys += was(relationship.was, &random)
        if relationship.onDelete != .nullify { keys.append("\"onDelete\": \"\(relationship.onDelete)\"") }
        return TestDefinition.object(keys, &random)
    }

    /// A value where nothing else is said.
    private func json(_ rule: TestRule, _ random: inout SeededRandom) -> String {
        if let path = rule.plainPath, random.below(4) > 0 { return quoted(path.text(&random)) }
        return TestDefinition.object(keys(of: rule, &random), &random)
    }

    private func keys(of rule: TestRule, _ random: inout SeededRandom) -> [String] {
        var keys: [String] = []
        switch rule.origin {
        case .own: break
        case .path(let path): keys.append("\"from\": \(quoted(path.text(&random)))")
        case .oneOrMany(let path): keys += ["\"from\": \(quoted(path.text(&random)))", "\"oneOrMany\": true"]
        case .constant(let literal): keys.append("\"value\": \(json(literal))")
        case .first(let rules): keys.append("\"from\": [\(rules.map { json($0, &random) }.joined(separator: ", "))]")
        case .joined(let rules, let separator):
            keys.append("\"join\": [\(rules.map { json($0, &random) }.joined(separator: ", "))]")
            if let separator { keys.append("\"with\": \(quoted(separator))") }
        }
        if rule.trims { keys.append("\"trim\": true") }
        if !rule.nullIf.isEmpty { keys.append("\"nullIf\": \(list(rule.nullIf.map(json), &random))") }
        if let match = rule.match { keys.append("\"match\": \(quoted(match.rawValue))") }
        if !rule.map.isEmpty {
            let members = rule.map.map { "\(quoted($0.key.description)): \(json($0.value))" }
            keys.append("\"map\": \(TestDefinition.object(members, &random))")
        }
        if let split = rule.split { keys.append("\"split\": \(quoted(split))") }
        if let matches = rule.matches { keys.append("\"matches\": \(quoted(matches.rawValue))") }
        if let fallback = rule.fallback { keys.append("\"default\": \(json(fallback))") }
        return keys
    }

    private func json(_ literal: TestLiteral) -> String {
        switch literal {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let number): number
        case .text(let text): quoted(text.description)
        case .json(let json): json
        }
    }
}
