import SluiceRecords
import TestSupport

/// What a definition makes of the records of a feed, as the documentation has it: typed records.
struct TestExtraction {
    let definition: TestDefinition
    let model: Model

    /// The records of an entity in the values of a feed, in their order.
    func records(of entity: Int, in values: [FeedNode]) -> [TestRecord] {
        let paths = definition.entities[entity].records
        return values.flatMap { value in
            TestPath.inOrder(paths.flatMap { TestPath.follow($0.steps[...], from: value, .all) })
        }.compactMap { record(entity, $0) }
    }

    /// The entities of a source whose records may be hidden by something else in their place.
    func hidden(in values: [FeedNode], of source: Int) -> [Int] {
        definition.entities.indices.filter { index in
            let entity = definition.entities[index]
            return entity.sources.contains(source)
                && entity.records.contains { path in values.contains { path.hidesRecords(in: $0) } }
        }
    }

    /// The values that become records of an entity.
    func nodes(of entity: Int, in values: [FeedNode]) -> [FeedNode] {
        let (paths, takes) = (definition.entities[entity].records, definition.entities[entity].takes)
        return places(of: entity, in: values).filter { meets(takes, TestEvaluation(record: $0, records: paths)) }
    }

    /// The values that the paths of an entity's records lead to.
    func places(of entity: Int, in values: [FeedNode]) -> [FeedNode] {
        let paths = definition.entities[entity].records
        return values.flatMap { value in paths.flatMap { TestPath.follow($0.steps[...], from: value, .all) } }
    }

    /// Nil: `where` does not take it.
    private func record(_ index: Int, _ node: FeedNode) -> TestRecord? {
        let entity = definition.entities[index]
        var evaluation = TestEvaluation(record: node, records: entity.records)
        evaluation.isOfTable = entity.sources.allSatisfy { definition.sources[$0].delimiter != nil }
        guard meets(entity.takes, evaluation) else { return nil }
        let width = model.entities[index].layout.width
        var record = TestRecord(entity: index, values: Array(repeating: .absent, count: width))
        record.place = node.start
        do throws(TestFault) {
            if !entity.deletions.isEmpty, meets(entity.deletions, evaluation) {
                record.status = .gone
                for part in entity.identifier { record.values[part] = try attribute(entity, part, evaluation) }
                return record
            }
            for part in entity.attributes.indices { record.values[part] = try attribute(entity, part, evaluation) }
            for (part, relationship) in entity.relationships.enumerated() {
                let cells = try cells(relationship, evaluation)
                let start = model.entities[index].layout.relationshipStart[part]
                record.values.replaceSubrange(start..<start + cells.count, with: cells)
            }
            if definition.asksElsewhere(for: index, record.values) { throw TestFault() }
        } catch {
            record = TestRecord(entity: index, values: Array(repeating: .absent, count: width), status: .rejected)
            record.place = node.start
            for part in entity.identifier {
                record.values[part] = (try? attribute(entity, part, evaluation)) ?? .absent
            }
        }
        return record
    }

    private func meets(_ conditions: [TestCondition], _ evaluation: TestEvaluation) -> Bool {
        conditions.allSatisfy { meets($0, evaluation) }
    }

    private func meets(_ condition: TestCondition, _ evaluation: TestEvaluation) -> Bool {
        switch condition {
        case .any(let parts): return parts.contains { meets($0, evaluation) }
        case .not(let part): return !meets(part, evaluation)
        case .value(let path, let test):
            var evaluation = evaluation
            evaluation.isMany = true
            guard case .list(let elements) = evaluation.find(path) else {
                let value = evaluation.find(path)
                return evaluation.isOfTable ? TestEvaluation.says(value, test) : TestEvaluation.fits(value, test)
            }
            return elements.contains { TestEvaluation.fits($0, test) }
        }
    }

    private func attribute(
        _ entity: TestDefinition.Entity, _ index: Int, _ evaluation: TestEvaluation
    ) throws(TestFault) -> TestValue {
        let attribute = entity.attributes[index]
        var evaluation = evaluation
        evaluation.isJSON = attribute.type == .json
        if attribute.isMany { return try list(attribute, evaluation) }
        let value = try evaluation.value(attribute.value)
        guard value.isNull else { return try attribute.type.convert(value) }
        if attribute.isRequired || entity.identifier.contains(index) { throw TestFault() }
        return value.isAbsent ? .absent : .null
    }

    /// An attribute that is a list: the one value at its path, without the last `[*]`, or those of the list there.
    private func list(
        _ attribute: TestDefinition.Attribute, _ evaluation: TestEvaluation
    ) throws(TestFault) -> TestValue {
        guard let path = attribute.value.plainPath else { throw TestFault() }
        var (one, many) = (path, path)
        if let place = path.steps.lastIndex(of: .each) { one.steps.remove(at: place) } else { many.steps.append(.each) }
        // Of the keys in a list, the one value would be the key of the list.
        let isOfKeys = path.isKey && path.steps.last == .each
        var value = one.isDefinite && !isOfKeys ? evaluation.find(one) : .absent
        if case .array = value { value = .absent }
        if value.isAbsent {
            var all = evaluation
            all.isMany = true
            try all.checkList(one.isDefinite ? many : path)
            value = all.find(one.isDefinite ? many : path)
        }
        var elements = [value]
        switch value {
        case .list(let found): elements = found
        case .absent, .null:
            if attribute.isRequired { throw TestFault() }
            return value.isAbsent ? .absent : .null
        default: break
        }
        var texts: [String] = []
        for element in elements {
            texts.append(element.isNull ? "null" : try TestExtraction.json(attribute.type.convert(element), attribute))
        }
        return .text(Text("[" + texts.joined(separator: ",") + "]"))
    }

    /// A value as RFC 8785 has it.
    private static func json(_ value: TestValue, _ attribute: TestDefinition.Attribute) -> String {
        if case .integer(let number) = value {
            return attribute.type == .boolean ? (number == 0 ? "false" : "true") : String(number)
        }
        let escapes: [Unicode.Scalar: String] = [
            "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u{8}": "\\b", "\u{c}": "\\f",
        ]
        let parts = value.description.unicodeScalars.map { scalar -> String in
            if let escape = escapes[scalar] { return escape }
            if scalar.value >= 0x20 { return String(scalar) }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"" + parts.joined() + "\""
    }

    /// The cells of a relationship, as `RowLayout` has them.
    private func cells(
        _ relationship: TestDefinition.Relationship, _ evaluation: TestEvaluation
    ) throws(TestFault) -> [TestValue] {
        let blocks =
            relationship.ways.isEmpty ? relationship.to.count * relationship.key.count : relationship.ways.count
        let own = relationship.values.count + relationship.stub.count
        let width = (relationship.selector == nil ? 0 : 1) + blocks + own
        var evaluation = evaluation
        evaluation.isMany = relationship.isMany
        let list = TestList(relationship)
        if let list {
            if TestPath.missesList(list.steps[...], from: evaluation.record) { throw TestFault() }
            let elements = list.elements(of: evaluation.record)
            if list.hasElements(evaluation.record) {
                return try cells(relationship, elements.map { TestElement(list: list, node: $0) }, width, evaluation)
            }
        }
        var key: [TestRaw] = []
        for rule in relationship.key { key.append(try evaluation.value(rule)) }
        if TestExtraction.isMissing(relationship, key) {
            let isAbsent = key.allSatisfy(\.isAbsent) && relationship.onAbsent == .keep
            return Array(repeating: isAbsent ? .absent : .null, count: width)
        }
        let selector = try relationship.selector.map { rule throws(TestFault) in try evaluation.value(rule) }
        guard relationship.isMany else {
            return try block(relationship, key, selector, evaluation)
                + values(relationship, of: nil, nil, evaluation)
        }
        let parts = key + (selector.map { [$0] } ?? [])
        var links: [[TestValue]] = []
        for place in 0..<(try TestEvaluation.commonLength(parts) ?? 1) {
            let elements = TestEvaluation.elements(parts, at: place)
            if TestExtraction.isMissing(relationship, Array(elements.prefix(key.count))) { continue }
            let selected = selector == nil ? nil : elements.last
            let values = try self.values(relationship, of: nil, list, evaluation)
            links.append(try block(relationship, Array(elements.prefix(key.count)), selected, evaluation) + values)
        }
        return (0..<width).map { cell in .list(links.map { $0[cell] }) }
    }

    /// Whether a reference has no key: of several ways, one is enough.
    private static func isMissing(_ relationship: TestDefinition.Relationship, _ key: [TestRaw]) -> Bool {
        relationship.ways.isEmpty ? key.contains(where: \.isNull) : key.allSatisfy(\.isNull)
    }

    /// The cells of the references that some elements make, each by itself.
    private func cells(
        _ relationship: TestDefinition.Relationship, _ elements: [TestElement], _ width: Int,
        _ evaluation: TestEvaluation
    ) throws(TestFault) -> [TestValue] {
        var blocks: [[TestValue]] = []
        for element in elements {
            var evaluation = evaluation
            evaluation.element = element
            var key: [TestRaw] = []
            for rule in relationship.key { key.append(try evaluation.value(rule)) }
            if TestExtraction.isMissing(relationship, key) { continue }
            let selector = try relationship.selector.map { rule throws(TestFault) in try evaluation.value(rule) }
            let values = try self.values(relationship, of: element, element.list, evaluation)
            blocks.append(try block(relationship, key, selector, evaluation) + values)
        }
        return (0..<width).map { cell in .list(blocks.map { $0[cell] }) }
    }

    /// What a link has of its own; of one that is in no element, what is around the list.
    private func values(
        _ relationship: TestDefinition.Relationship, of element: TestElement?, _ list: TestList?,
        _ evaluation: TestEvaluation
    ) throws(TestFault) -> [TestValue] {
        var values: [TestValue] = []
        for value in relationship.values + relationship.stub {
            var raw = TestRaw.absent
            if let element {
                let around = [element.node] + element.node.ancestors
                if value.path.ups < around.count { raw = evaluation.find(value.path, from: around[value.path.ups]) }
            } else if let list {
                let steps = Array(list.steps.dropLast(value.path.ups)) + value.path.steps
                let path = TestPath(steps: steps, isKey: value.path.isKey)
                if path.isDefinite { raw = evaluation.find(path) }
            } else {
                raw = evaluation.find(value.path)
            }
            values.append(raw.isNull ? .null : try value.type.convert(raw))
        }
        return values
    }

    /// The cells of one reference.
    private func block(
        _ relationship: TestDefinition.Relationship, _ key: [TestRaw], _ selector: TestRaw?,
        _ evaluation: TestEvaluation
    ) throws(TestFault) -> [TestValue] {
        for case .list in key + (selector.map { [$0] } ?? []) { throw TestFault() }
        var cells: [TestValue] = []
        var selected: Int?
        if let selector {
            if selector.isNull { throw TestFault() }
            let name = try evaluation.text(selector)
            selected = relationship.to.firstIndex { Text(definition.entities[$0].name) == name }
            guard let selected else { throw TestFault() }
            cells.append(.integer(Int64(selected)))
        }
        for (way, attribute) in relationship.ways.enumerated() {
            let type = definition.entities[relationship.to[0]].attributes[attribute].type
            // A way without a value leads nowhere.
            cells.append(key[way].isNull ? .impossible("") : try TestExtraction.cell(key[way], type))
        }
        for (target, entity) in relationship.to.enumerated() where relationship.ways.isEmpty {
            for (part, attribute) in definition.entities[entity].identifier.enumerated() {
                guard selected ?? target == target else {
                    cells.append(.null)
                    continue
                }
                let type = definition.entities[entity].attributes[attribute].type
                cells.append(try TestExtraction.cell(key[part], type))
            }
        }
        return cells
    }

    private static func cell(_ raw: TestRaw, _ type: TestType) throws(TestFault) -> TestValue {
        if let value = try? type.convert(raw) { return value }
        return try impossible(raw)
    }

    /// No object can have that identifier; what can be none at all is no reference.
    private static func impossible(_ raw: TestRaw) throws(TestFault) -> TestValue {
        switch raw {
        case .string(let text): .impossible(text)
        case .number(let number): .impossible(Text(number))
        case .boolean(let value): .impossible(value ? "true" : "false")
        default: throw TestFault()
        }
    }
}

extension TestDefinition {
    /// What `ModelStore` needs of it: no paths and no values.
    var model: Model {
        let rule = ValueRule(.slot(0))
        return Model(
            entities: entities.map { entity in
                var result = SluiceRecords.Entity(
                    name: entity.name, table: entity.table, records: [], slots: [], identifier: entity.identifier,
                    attributes: entity.attributes.map { attribute in
                        var result = SluiceRecords.Attribute(
                            name: attribute.name, value: rule, conversion: attribute.type.conversion)
                        result.onAbsent = attribute.onAbsent
                        return result
                    },
                    relationships: entity.relationships.map { relationship in
                        var result = SluiceRecords.Relationship(
                            name: relationship.name,
                            targets: relationship.to.map { .init(entity: $0, conversions: []) },
                            key: relationship.key.map { _ in rule })
                        result.isMany = relationship.isMany
                        result.isSet = relationship.isSet
                        result.values = relationship.values.map { value in
                            .init(name: value.name, value: rule, conversion: value.type.conversion)
                        }
                        result.stub = relationship.stub.map { value in
                            .init(name: value.name, value: rule, conversion: value.type.conversion)
                        }
                        result.selector = relationship.selector == nil ? nil : rule
                        let target = entities[relationship.to[0]]
                        result.ways = relationship.ways.map { attribute in
                            .init(
                                target: 0, attributes: [attribute], isByIdentifier: target.identifier == [attribute],
                                conversions: [])
                        }
                        result.missing = relationship.missing
                        result.onDelete = relationship.onDelete
                        return result
                    })
                result.mode = entity.mode
                result.duplicates = entity.duplicates
                result.absence.choice = entity.absent
                result.absence.within = entity.within
                result.absence.orphans = entity.orphans
                result.deletions = entity.deletions.map { _ in RecordCondition(slot: 0, values: []) }
                return result
            })
    }
}
