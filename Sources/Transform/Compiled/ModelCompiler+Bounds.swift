import SluiceRecords

extension ModelCompiler {
    /// Converts bounds, once; negative: there are none.
    mutating func compile(
        _ bounds: Attribute.Bounds, _ conversion: CompiledConversion
    ) throws(InvalidConversion) -> Int32 {
        if bounds.isEmpty { return -1 }
        let choices = bounds.oneOf ?? []
        let texts = [
            "at least \(bounds.min?.json ?? "")", "at most \(bounds.max?.json ?? "")",
            "one of \(choices.map(\.json).joined(separator: ", "))",
        ]
        var compiled = CompiledBounds(isDecimal: conversion.kind == .decimal, texts: catalog.add(bounds: texts))
        if let min = bounds.min { compiled.min = try add(bound: min, conversion) }
        if let max = bounds.max { compiled.max = try add(bound: max, conversion) }
        for value in choices {
            let index = try add(bound: value, conversion)
            if compiled.oneOf < 0 { compiled.oneOf = index }
            compiled.oneOfCount += 1
        }
        self.bounds.append(compiled)
        return Int32(self.bounds.count - 1)
    }

    private mutating func add(
        bound literal: Literal, _ conversion: CompiledConversion
    ) throws(InvalidConversion) -> Int32 {
        var converter = Converter(arena: Arena(capacity: 64), catalog: catalog)
        defer { converter.arena.deallocate() }
        let raw = converter.arena.append(literal)
        do throws(Complaint) {
            let cell = try converter.convert(raw, conversion)
            let text = cell.kind == .text ? add([.text(converter.arena.text(of: cell))]) : -1
            boundValues.append(CompiledBound(cell: cell, literal: Int32(text)))
        } catch {
            throw InvalidConversion(message: error.reason(in: converter.arena, catalog))
        }
        return Int32(boundValues.count - 1)
    }
}

extension Evaluator {
    /// Throws where a value is not one that its attribute may have.
    ///
    /// - Parameter raw: the value as it was found, for the message.
    func check(_ value: Cell, _ raw: Cell, _ index: Int) throws(Complaint) {
        let bounds = compiled.bounds[index]
        if bounds.min >= 0, order(value, bounds.min, bounds) < 0 { throw .outside(bounds.texts, raw) }
        if bounds.max >= 0, order(value, bounds.max, bounds) > 0 { throw .outside(bounds.texts + 1, raw) }
        guard bounds.oneOf >= 0 else { return }
        for other in bounds.oneOf..<bounds.oneOf + bounds.oneOfCount where order(value, other, bounds) == 0 { return }
        throw .outside(bounds.texts + 2, raw)
    }

    /// How a typed value compares with a bound: below 0, 0, or above.
    private func order(_ value: Cell, _ index: Int32, _ bounds: CompiledBounds) -> Int {
        let bound = compiled.boundValues[Int(index)]
        switch value.kind {
        case .integer: return value.integer < bound.cell.integer ? -1 : value.integer == bound.cell.integer ? 0 : 1
        case .real: return value.real < bound.cell.real ? -1 : value.real == bound.cell.real ? 0 : 1
        default:
            let (text, other) = (converter.view(value), literalView(Int(bound.literal)))
            return bounds.isDecimal ? NumberText.order(text, other) ?? 0 : text.order(other)
        }
    }
}
