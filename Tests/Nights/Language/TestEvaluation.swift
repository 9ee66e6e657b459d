import SluiceRecords
import TestSupport

/// A value on its way from the feed to a column.
indirect enum TestRaw {
    case absent, null
    case boolean(Bool)
    case number(String)
    case string(Text)
    case object, array
    /// Where the JSON text is wanted.
    case json(String)
    case list([TestRaw])

    /// Whether it holds nothing but null.
    var isNull: Bool {
        switch self {
        case .absent, .null: true
        case .list(let elements): elements.allSatisfy(\.isNull)
        default: false
        }
    }

    var isAbsent: Bool {
        if case .absent = self { return true }
        return false
    }
}

/// A record is a reject.
struct TestFault: Error {}

/// Evaluates the values of one record, as the documentation has it.
struct TestEvaluation {
    let record: FeedNode
    let records: [TestPath]
    /// The JSON text is wanted.
    var isJSON = false
    /// All records of the entity are rows.
    var isOfTable = false
    /// Paths may match several values.
    var isMany = false
    /// The element for which the values of a to-many relationship are evaluated.
    var element: TestElement?

    func value(_ rule: TestRule) throws(TestFault) -> TestRaw {
        var value = try origin(rule)
        if !value.isNull {
            value = try each(value) { (element) throws(TestFault) in try apply(rule, element) }
        }
        if let separator = rule.split, !value.isNull { value = .list(try split(value, separator)) }
        if let pattern = rule.matches, !value.isNull { value = .list(try matches(value, pattern)) }
        if let fallback = rule.fallback, value.isNull { value = raw(fallback) }
        return value
    }

    private func origin(_ rule: TestRule) throws(TestFault) -> TestRaw {
        switch rule.origin {
        case .own(let name): return find(.field(name))
        case .path(let path):
            try checkList(path)
            return find(path)
        case .constant(let literal): return raw(literal)
        case .oneOrMany(let path):
            let one = find(path)
            guard case .array = one else { return one }
            return .list(TestPath.follow((path.steps + [.each])[...], from: record).map(\.raw))
        case .first(let rules):
            if rules.count == 1 { return try value(rules[0]) }
            var areAbsent = true
            for rule in rules {
                let found = try value(rule)
                if !found.isNull { return found }
                if !found.isAbsent { areAbsent = false }
            }
            return areAbsent ? .absent : .null
        case .joined(let rules, let separator):
            var parts: [TestRaw] = []
            for rule in rules { parts.append(try value(rule)) }
            return try sideBySide(parts) { (parts) throws(TestFault) in
                if parts.contains(where: \.isNull) { return .null }
                var texts: [String] = []
                for part in parts { texts.append(try text(part).description) }
                return .string(Text(texts.joined(separator: separator ?? "/")))
            }
        }
    }

    /// What several values make together: of lists, what each of their places makes.
    func sideBySide(
        _ parts: [TestRaw], _ make: ([TestRaw]) throws(TestFault) -> TestRaw
    ) throws(TestFault) -> TestRaw {
        if parts.contains(where: \.isNull) { return parts.allSatisfy(\.isAbsent) ? .absent : .null }
        guard let count = try TestEvaluation.commonLength(parts) else { return try make(parts) }
        var results: [TestRaw] = []
        for place in 0..<count { results.append(try make(TestEvaluation.elements(parts, at: place))) }
        return .list(results)
    }

    static func commonLength(_ parts: [TestRaw]) throws(TestFault) -> Int? {
        var lengths: Set<Int> = []
        for case .list(let elements) in parts { lengths.insert(elements.count) }
        if lengths.count > 1 { throw TestFault() }
        return lengths.first
    }

    static func elements(_ parts: [TestRaw], at place: Int) -> [TestRaw] {
        parts.map { part in
            if case .list(let elements) = part { return elements[place] }
            return part
        }
    }

    private func each(_ value: TestRaw, _ body: (TestRaw) throws(TestFault) -> TestRaw) throws(TestFault) -> TestRaw {
        guard case .list(let elements) = value else { return try body(value) }
        var results: [TestRaw] = []
        for element in elements { results.append(element.isNull ? .null : try body(element)) }
        return .list(results)
    }

    private func apply(_ rule: TestRule, _ raw: TestRaw) throws(TestFault) -> TestRaw {
        var value = raw
        if rule.trims {
            switch value {
            case .object, .array: throw TestFault()
            case .string(let text): value = .string(TestEvaluation.trimmed(text))
            default: break
            }
        }
        if rule.nullIf.contains(where: { TestEvaluation.areEqual(value, $0) }) { return .null }
        if let pattern = rule.match {
            guard let found = pattern.match(try text(value)) else { return .null }
            value = .string(found)
        }
        if !rule.map.isEmpty {
            let text = try text(value)
            guard
                let literal = rule.map.first(where: { $0.key == text && text != "*" })
                    ?? rule.map.first(where: { $0.key == "*" })
            else { throw TestFault() }
            value = self.raw(literal.value)
        }
        return value
    }

    func text(_ value: TestRaw) throws(TestFault) -> Text { try TestEvaluation.text(value) }

    static func text(_ value: TestRaw) throws(TestFault) -> Text {
        switch value {
        case .string(let text): return text
        case .number(let number): return Text(number)
        case .boolean(let value): return value ? "true" : "false"
        default: throw TestFault()
        }
    }

    private func matches(_ value: TestRaw, _ pattern: TestPattern) throws(TestFault) -> [TestRaw] {
        var results: [TestRaw] = []
        if case .list(let elements) = value {
            for element in elements where !element.isNull { results += try matches(element, pattern) }
            return results
        }
        return pattern.everyMatch(try text(value)).map { .string($0) }
    }

    private func split(_ value: TestRaw, _ separator: String) throws(TestFault) -> [TestRaw] {
        switch value {
        case .list(let elements):
            var results: [TestRaw] = []
            for element in elements where !element.isNull { results += try split(element, separator) }
            return results
        case .string(let text):
            let parts = text.description.split(separator: separator, omittingEmptySubsequences: false)
            return parts.map { TestEvaluation.trimmed(Text(String($0))) }.filter { !$0.utf8.isEmpty }.map {
                .string($0)
            }
        case .object, .array: throw TestFault()
        default: return [value]
        }
    }

    static func trimmed(_ text: Text) -> Text {
        let scalars = text.description.unicodeScalars
        let start = scalars.drop { $0.properties.isWhitespace }
        return Text(String(String.UnicodeScalarView(start.reversed().drop { $0.properties.isWhitespace }.reversed())))
    }

    private func raw(_ literal: TestLiteral) -> TestRaw {
        switch literal {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .number(let number): .number(number)
        case .text(let text): .string(text)
        case .json(let json): .json(json)
        }
    }

    /// JSON equality.
    static func areEqual(_ value: TestRaw, _ literal: TestLiteral) -> Bool {
        switch (value, literal) {
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        case (.number(let one), .number(let other)): TestType.decimal(one) == TestType.decimal(other)
        case (.string(let one), .text(let other)): one == other
        default: false
        }
    }
}

extension TestEvaluation {
    /// Of a cell of a table: numbers and booleans are compared with what is written in it.
    static func says(_ value: TestRaw, _ test: TestTest) -> Bool {
        guard case .string = value else { return fits(value, test) }
        switch test {
        case .isOne(of: let values):
            return values.contains { literal in
                switch literal {
                case .number:
                    number(value).map { areEqual($0, literal) } ?? false
                case .boolean(let wanted): (try? TestType.boolean.convert(value)) == .integer(wanted ? 1 : 0)
                default: areEqual(value, literal)
                }
            }
        case .isLess(.number): return number(value).map { fits($0, test) } ?? false
        case .isAtLeast(.number): return number(value).map { fits($0, test) } ?? false
        case .not(let test): return !says(value, test)
        case .all(let tests): return tests.allSatisfy { says(value, $0) }
        default: return fits(value, test)
        }
    }

    private static func number(_ value: TestRaw) -> TestRaw? {
        guard case .text(let text)? = try? TestType.decimal.convert(value) else { return nil }
        return .number(text.description)
    }

    static func fits(_ value: TestRaw, _ test: TestTest) -> Bool {
        switch test {
        case .isOne(of: let values): return values.contains { TestEvaluation.areEqual(value, $0) }
        case .isLess(let literal): return isLess(value, literal)
        case .isAtLeast(let literal):
            return isComparable(value, literal) && !isLess(value, literal)
        case .isPresent(let isPresent): return value.isAbsent != isPresent
        case .hasType(let type): return TestEvaluation.type(of: value) == type
        case .matches(let pattern): return (try? text(value)).flatMap { pattern.match($0) } != nil
        case .not(let test): return !fits(value, test)
        case .all(let tests): return tests.allSatisfy { fits(value, $0) }
        }
    }

    private static func isComparable(_ value: TestRaw, _ literal: TestLiteral) -> Bool {
        switch (value, literal) {
        case (.number, .number), (.string, .text): true
        default: false
        }
    }

    private static func isLess(_ value: TestRaw, _ literal: TestLiteral) -> Bool {
        switch (value, literal) {
        // The numbers of the feeds are doubles, but for the one that is beyond them.
        case (.number(let one), .number(let other)): Double(one) ?? .infinity < Double(other) ?? .infinity
        case (.string(let one), .text(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
        default: false
        }
    }

    private static func type(of value: TestRaw) -> String? {
        switch value {
        case .absent, .list: nil
        case .null: "null"
        case .boolean: "boolean"
        case .number: "number"
        case .string: "string"
        case .object: "object"
        case .array: "array"
        case .json: nil
        }
    }

    /// Refuses what stands where a path that may match several values looks for a list.
    func checkList(_ path: TestPath) throws(TestFault) {
        guard element == nil, isMany, !path.isTop, let (start, steps) = path.start(at: record, records) else { return }
        if TestPath.missesList(steps, from: start, start === record ? .last : .first) { throw TestFault() }
    }

    func find(_ path: TestPath) -> TestRaw {
        if let element, path.isList { return element.find(path).map { path.isKey ? key($0) : raw($0) } ?? .absent }
        guard let (start, steps) = path.start(at: record, records) else { return .absent }
        let repeated: FeedNode.Repeated = start === record && !path.isTop ? .last : .first
        let nodes = TestPath.follow(steps, from: start, repeated).map { path.isKey ? key($0) : raw($0) }
        guard isMany, !path.isTop, !path.isDefinite else { return nodes.first ?? .absent }
        return TestPath.follow(path.definiteSteps, from: start, repeated).isEmpty ? .absent : .list(nodes)
    }

    /// What steps lead to from a node.
    func find(_ path: TestPath, from node: FeedNode) -> TestRaw {
        TestPath.follow(path.steps[...], from: node).first.map { path.isKey ? key($0) : raw($0) } ?? .absent
    }

    private func key(_ node: FeedNode) -> TestRaw {
        switch node.key {
        case .name(let name): .string(name)
        case .index(let index): .number(String(index))
        case nil: .absent
        }
    }

    private func raw(_ node: FeedNode) -> TestRaw {
        if isJSON, case .null = node.kind { return .null }
        return isJSON ? .json(node.json) : node.raw
    }
}

extension FeedNode {
    /// Whether it is a value that has no elements, and says something.
    /// Whether it may stand for records that nobody sees, where some are looked for.
    var mayBeRecords: Bool {
        if case .boolean(false) = kind { false } else { isFilledScalar }
    }

    var isFilledScalar: Bool {
        switch kind {
        case .null, .array, .object: false
        case .boolean, .number: true
        case .string(let text): !text.utf8.isEmpty
        }
    }

    var raw: TestRaw {
        switch kind {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        case .array: .array
        case .object: .object
        }
    }
}
