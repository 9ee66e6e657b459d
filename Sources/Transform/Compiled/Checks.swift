import SluiceRecords

/// What the reader of definitions asks, so that a mistake is found where it was written.
extension Transformer {
    /// Why a text is no regular expression (PCRE2): a sentence without a full stop, with the place in the pattern; nil:
    /// it is one.
    package static func check(pattern: String) -> String? {
        message { () throws(InvalidConversion) in _ = try Pattern(pattern) }
    }

    /// Why a text is no time zone of the system's database: a sentence without a full stop; nil: it is one.
    package static func check(timeZone: String) -> String? {
        message { () throws(InvalidConversion) in _ = try Zone(named: timeZone) }
    }

    /// Why a conversion can never work, because of its `format` or its `timeZone`: a sentence without a full stop; nil:
    /// it can.
    package static func check(conversion: Conversion) -> String? {
        message { () throws(InvalidConversion) in _ = try Catalog().compile(conversion) }
    }

    /// Why a literal, such as a `default`, is not taken by a conversion: the reason that a record with this value would
    /// be rejected with; nil: it is taken. Null always is.
    package static func check(literal: Literal, as conversion: Conversion) -> String? {
        let catalog = Catalog()
        var compiled = CompiledConversion(kind: .text)
        let invalid = message { () throws(InvalidConversion) in compiled = try catalog.compile(conversion) }
        if let invalid { return invalid }
        var converter = Converter(arena: Arena(capacity: 1 << 8), catalog: catalog)
        defer {
            converter.arena.deallocate()
            converter.members.deallocate()
        }
        let raw = converter.arena.append(literal)
        if raw.isNull { return nil }
        do throws(Complaint) {
            _ = try converter.convert(raw, compiled)
            return nil
        } catch {
            return error.reason(in: converter.arena, catalog)
        }
    }

    /// Why bounds leave no value: a sentence without a full stop; nil: they leave one.
    package static func check(bounds: Attribute.Bounds, as conversion: Conversion) -> String? {
        guard let min = bounds.min, bounds.max != nil else { return nil }
        var attribute = Attribute(name: "value", value: ValueRule(.slot(0)), conversion: conversion)
        attribute.bounds.max = bounds.max
        let entity = Entity(name: "Entity", records: [], slots: [], identifier: [], attributes: [attribute])
        guard let compiler = try? ModelCompiler(Model(entities: [entity])) else { return nil }
        var evaluator = Evaluator(CompiledModel(compiler), RecordBatch(model: Model(entities: [])))
        defer { evaluator.finish() }
        let raw = evaluator.converter.arena.append(min)
        let column = evaluator.compiled.columns[0].conversion
        guard let value = try? evaluator.converter.convert(raw, column) else { return nil }
        do throws(Complaint) {
            try evaluator.check(value, raw, 0)
            return nil
        } catch {
            return "no value is between \"min\" and \"max\": the former is greater"
        }
    }

    private static func message(_ work: () throws(InvalidConversion) -> Void) -> String? {
        do throws(InvalidConversion) {
            try work()
            return nil
        } catch {
            return error.message
        }
    }
}
