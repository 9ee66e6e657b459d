import SluiceRecords
import SluiceTransform
import Testing

/// A raw value, as the reader would hand it over.
indirect enum Raw: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case absent, null, yes, no, object, array, broken
    case number(String)
    case string(String)
    case json(String)
    case list([Raw])
    /// What `~` finds.
    case key(String)
    case index(Int64)

    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(String(value)) }

    func cell(in batch: RecordBatch) -> Cell {
        switch self {
        case .absent: return .absent
        case .null: return .null
        case .yes: return Cell(kind: .yes)
        case .no: return Cell(kind: .no)
        case .object: return Cell(kind: .object)
        case .array: return Cell(kind: .array)
        case .broken: return Cell(kind: .brokenString)
        case .number(let text): return batch.arena.appendText(text, kind: .number)
        case .string(let text): return batch.arena.appendText(text, kind: .string)
        case .json(let text): return batch.arena.appendText(text, kind: .json)
        case .key(let text): return batch.arena.appendText(text, kind: .text)
        case .index(let index): return .integer(index)
        case .list(let elements):
            var list = Cell(kind: .list)
            for element in elements {
                let cell = element.cell(in: batch)
                batch.append(cell, to: &list)
            }
            return list
        }
    }
}

/// What became of a value.
indirect enum Typed: Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case absent, null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    case list([Typed])
    case impossible(String)
    /// The record is a reject, for this reason.
    case fault(String)
    case dropped
    case unexpected(CellKind)

    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }

    init(_ cell: Cell, in batch: RecordBatch) {
        switch cell.kind {
        case .absent: self = .absent
        case .null: self = .null
        case .integer: self = .integer(cell.integer)
        case .real: self = .real(cell.real)
        case .text: self = .text(Typed.text(cell, batch))
        case .impossible: self = .impossible(Typed.text(cell, batch))
        case .blob: self = unsafe .blob(Array(batch.arena.bytes(of: cell)))
        case .list:
            var elements: [Typed] = []
            var index = cell.head
            for _ in 0..<cell.count {
                elements.append(Typed(batch.elements[index].cell, in: batch))
                index = Int(batch.elements[index].next)
            }
            self = .list(elements)
        default: self = .unexpected(cell.kind)
        }
    }

    /// Every text of the arena is valid and followed by NUL.
    private static func text(_ cell: Cell, _ batch: RecordBatch) -> String {
        if unsafe batch.arena.base[cell.offset + cell.count] != 0 { Issue.record("no NUL follows a text") }
        if let text = unsafe String(validating: batch.arena.bytes(of: cell), as: UTF8.self) { return text }
        Issue.record("a text is not UTF-8")
        return ""
    }
}

/// A batch of one entity, built by hand.
struct Bench {
    let transformer: Transformer
    let batch: RecordBatch

    init(_ model: Model) throws(Failure) {
        transformer = try Transformer(model: model)
        batch = RecordBatch(model: model)
    }

    /// An entity of so many slots, named `E`, whose identifier is its first attribute unless told otherwise.
    static func entity(
        slots: Int, attributes: [Attribute] = [], relationships: [Relationship] = [], identifier: [Int] = []
    ) -> Entity {
        let path = Path(root: .record, steps: [.name("x")])
        return Entity(
            name: "E", records: [Path(root: .feed, steps: [])],
            slots: Array(repeating: Slot(path: path), count: slots), identifier: identifier, attributes: attributes,
            relationships: relationships)
    }

    @discardableResult
    func append(_ values: [Raw], entity: Int = 0, status: RowStatus = .complete) -> Int {
        let section = batch.sections[entity]
        let row = section.appendRow(status: status)
        for (slot, value) in values.enumerated() {
            let cell = value.cell(in: batch)
            section.raw[row * section.slotCount + slot] = cell
        }
        return row
    }

    func transform() { transformer.transform(batch) }

    /// The typed cells of a row; of a rejected one its faults.
    func row(_ row: Int, entity: Int = 0) -> [Typed] {
        let section = batch.sections[entity]
        switch section.status[row] {
        case .rejected:
            let faults = batch.faults.filter { $0.entity == entity && $0.row == row }
            return faults.map { .fault(plain($0.reason)) }
        case .dropped: return [.dropped]
        default: return (0..<section.width).map { Typed(section.typed[row * section.width + $0], in: batch) }
        }
    }
}

/// What a conversion makes of values.
func convert(_ values: [Raw], _ conversion: Conversion) throws -> [Typed] {
    let attribute = Attribute(name: "a", value: ValueRule(.slot(0)), conversion: conversion)
    let bench = try Bench(Model(entities: [Bench.entity(slots: 1, attributes: [attribute])]))
    for value in values { bench.append([value]) }
    bench.transform()
    // A search through all faults for each row would take its time.
    let reasons = Dictionary(bench.batch.faults.map { ($0.row, plain($0.reason)) }) { first, _ in first }
    return values.indices.map { row in reasons[row].map { .fault($0) } ?? bench.row(row)[0] }
}

/// A reason without what the definition could say, which has tests of its own (`ValueHintTests`).
private func plain(_ reason: String) -> String {
    let keys = ["format", "type", "nullIf", "map", "decimalMark", "thousands", "many", "timeZone", "repeatedHour"]
    let ends = keys.compactMap { reason.firstRange(of: #": "\#($0)""#)?.lowerBound }
    return String(reason[..<(ends.min() ?? reason.endIndex)])
}

func convert(_ value: Raw, _ type: AttributeType, format: String? = nil, timeZone: String? = nil) throws -> Typed {
    try convert([value], Conversion(type, format: format, timeZone: timeZone))[0]
}

/// What a value rule, then a conversion, make of the slots of a record.
func evaluate(_ rule: ValueRule, _ slots: Raw..., as type: AttributeType = .text) throws -> Typed {
    let attribute = Attribute(name: "a", value: rule, conversion: Conversion(type))
    let bench = try Bench(Model(entities: [Bench.entity(slots: slots.count, attributes: [attribute])]))
    bench.append(slots)
    bench.transform()
    return bench.row(0)[0]
}

/// A rule that takes a slot, changed.
func slot(_ slot: Int, _ change: (inout ValueRule) -> Void = { _ in }) -> ValueRule {
    var rule = ValueRule(.slot(slot))
    change(&rule)
    return rule
}

func first(_ rules: ValueRule..., change: (inout ValueRule) -> Void = { _ in }) -> ValueRule {
    var rule = ValueRule(.first(rules))
    change(&rule)
    return rule
}

func join(
    _ rules: ValueRule..., with separator: String = "/", change: (inout ValueRule) -> Void = { _ in }
) -> ValueRule {
    var rule = ValueRule(.joined(rules, separator: separator))
    change(&rule)
    return rule
}
