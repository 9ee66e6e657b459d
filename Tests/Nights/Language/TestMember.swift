import TestSupport

extension TestDefinition {
    /// Gives entities that take all members of their records those that there are in new feeds.
    mutating func findMembers(_ files: [(source: Int, values: [FeedNode])]) {
        for index in entities.indices {
            guard let open = entities[index].open, !open.isSettled || open.adds else { continue }
            let extraction = TestExtraction(definition: self, model: model)
            let records = files.filter { entities[index].sources.contains($0.source) }.flatMap { file in
                extraction.nodes(of: index, in: file.values)
            }
            // Parts of relationships among them.
            let names = entities[index].attributes.map(\.name) + entities[index].relationships.map(\.name)
            let taken = Set(names.map { Text($0) } + open.except)
            for (name, type) in TestMember.found(in: records) where !taken.contains(name) {
                var attribute = Attribute(name: name.description, type: type, value: TestRule(.own(name)))
                attribute.isFound = true
                entities[index].attributes.append(attribute)
            }
            entities[index].open?.isSettled = true
        }
    }
}

/// A member of records, with all its values.
private struct TestMember {
    private var values: [FeedNode.Kind] = []

    /// Those that are scalars in all records, with the types that take them.
    static func found(in records: [FeedNode]) -> [(Text, TestType)] {
        var members: [(name: Text, member: TestMember)] = []
        for record in records {
            for child in record.children() {
                guard case .name(let name) = child.key else { continue }
                let index = members.firstIndex { $0.name == name } ?? members.count
                if index == members.count { members.append((name, TestMember())) }
                members[index].member.values.append(child.kind)
            }
        }
        return members.compactMap { name, member in member.type.map { (name, $0) } }
    }

    private var type: TestType? {
        var (hasTexts, hasBooleans) = (false, false)
        var numbers: [String] = []
        for value in values {
            switch value {
            case .array, .object: return nil
            case .string: hasTexts = true
            case .boolean: hasBooleans = true
            case .number(let number): numbers.append(number)
            case .null: break
            }
        }
        if hasTexts || hasBooleans && !numbers.isEmpty { return .text }
        if hasBooleans { return .boolean }
        if numbers.isEmpty { return .text }
        return numbers.contains { $0.contains(/[.eE]/) } ? .real : .integer
    }
}
