import SluiceRecords

// Conditions lie flat as well: those that another one is made of, side by side before it.
extension ModelCompiler {
    mutating func compile(_ list: [RecordCondition], _ key: String, of entity: Entity) throws(Failure) -> Range<Int> {
        do throws(InvalidConversion) {
            return try compile(list)
        } catch {
            throw ModelCompiler.failure(entity, key, error)
        }
    }

    mutating func compile(_ list: [RecordCondition]) throws(InvalidConversion) -> Range<Int> {
        let first = try add(list) { (compiler, condition) throws(InvalidConversion) in try compiler.compile(condition) }
        return first..<conditions.count
    }

    /// Adds conditions side by side, behind those that they need, and returns the index of the first.
    private mutating func add<Element>(
        _ elements: [Element], _ compile: (inout ModelCompiler, Element) throws(InvalidConversion) -> CompiledCondition
    ) throws(InvalidConversion) -> Int {
        var added: [CompiledCondition] = []
        for element in elements {
            added.append(try compile(&self, element))
            added[added.count - 1].readsTexts = readsTexts
        }
        conditions += added
        return conditions.count - added.count
    }

    // Put into itself, it would take the compiler a fifth of its time for the module.
    @inline(never)
    private mutating func compile(_ condition: RecordCondition) throws(InvalidConversion) -> CompiledCondition {
        switch condition {
        case .value(let slot, let test): return try compile(test, of: slot)
        case .all(let parts): return try group(.all, parts)
        case .any(let parts): return try group(.any, parts)
        case .not(let part): return try group(.not, [part])
        }
    }

    private mutating func group(
        _ kind: CompiledCondition.Kind, _ parts: [RecordCondition]
    ) throws(InvalidConversion) -> CompiledCondition {
        let first = try add(parts) { (compiler, part) throws(InvalidConversion) in try compiler.compile(part) }
        return CompiledCondition(kind: kind, slot: -1, first: first, count: parts.count)
    }

    private mutating func compile(_ test: ValueTest, of slot: Int) throws(InvalidConversion) -> CompiledCondition {
        switch test {
        case .isOne(of: let values):
            return CompiledCondition(kind: .equals, slot: slot, first: add(values), count: values.count)
        case .compares(let comparison, let literal):
            let literals = [literal] + (instant(literal).map { [$0] } ?? [])
            return CompiledCondition(
                kind: ModelCompiler.kind(of: comparison), slot: slot, first: add(literals), count: literals.count)
        case .matches(let pattern):
            patterns.append(try Pattern(pattern))
            return CompiledCondition(kind: .matches, slot: slot, first: patterns.count - 1)
        case .hasType(let types):
            return CompiledCondition(kind: .type, slot: slot, first: types.reduce(0) { $0 | $1.bit })
        case .isPresent: return CompiledCondition(kind: .present, slot: slot)
        case .all(let parts): return try group(.all, parts, of: slot)
        case .any(let parts): return try group(.any, parts, of: slot)
        case .not(let part): return try group(.not, [part], of: slot)
        }
    }

    /// Tests of one value, which the group finds.
    private mutating func group(
        _ kind: CompiledCondition.Kind, _ parts: [ValueTest], of slot: Int
    ) throws(InvalidConversion) -> CompiledCondition {
        let first = try add(parts) { (compiler, part) throws(InvalidConversion) in try compiler.compile(part, of: -1) }
        return CompiledCondition(kind: kind, slot: slot, first: first, count: parts.count)
    }

    private static func kind(of comparison: Comparison) -> CompiledCondition.Kind {
        switch comparison {
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        }
    }

    /// A time of RFC 3339 in UTC, with all digits of its fraction, so that texts sort as times do.
    private func instant(_ literal: Literal) -> Literal? {
        guard case .text = literal else { return nil }
        var converter = Converter(arena: Arena(capacity: 64), catalog: catalog)
        defer {
            converter.arena.deallocate()
            converter.members.deallocate()
        }
        guard let time = try? converter.convert(converter.arena.append(literal), .instant) else { return nil }
        return .text(converter.arena.text(of: time))
    }
}

extension CompiledConversion {
    /// A time of RFC 3339 with an offset from UTC.
    static let instant = CompiledConversion(kind: .datetime, digits: Int32(StoredForm.mostFraction))
}

extension JSONType {
    var bit: Int {
        switch self {
        case .null: 1
        case .boolean: 2
        case .number: 4
        case .string: 8
        case .array: 16
        case .object: 32
        }
    }
}
