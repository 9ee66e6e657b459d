import SluiceRecords

/// The records of one entity as columns: what each is, and how a row of a batch fills them.
///
/// First where the record stands, then the attributes, then the keys of references, then what of all that is absent.
package struct RecordColumns {
    /// In the order of ``ParquetFile/buffers``.
    package let columns: [ParquetColumn]
    let cells: [CellColumn]
    /// The first cells of the attributes and relationships: absent ones are marked.
    let firsts: [Int]
    let hasGone: Bool

    /// A column with the cell that it shows.
    struct CellColumn {
        /// What of the cell.
        enum Part {
            case value
            /// The name of the target that a selector chose, by its number.
            case name([String])
            /// What no identifier can be, as the feed has it: one part of a key, in any way to find the target.
            case impossible(cells: [Int])
        }

        var column: ParquetColumn
        var cell: Int
        var part = Part.value
    }

    /// Where a record stands.
    package static let places: [ParquetColumn] = [
        .init("_source", .text), .init("_file", .text), .init("_part", .text), .init("_offset", .integer),
        .init("_record", .integer), .init("_line", .integer), .init("_column", .integer), .init("_path", .text),
    ]

    /// Marks in one column.
    static let marks = 63

    /// - Parameter names: of the entities of the model.
    package init(_ entity: Entity, model: Model) {
        hasGone = !entity.deletions.isEmpty
        var cells = entity.attributes.enumerated().map { index, attribute in
            CellColumn(column: ParquetColumn(attribute.name, .init(attribute.conversion)), cell: index)
        }
        let layout = entity.layout
        for (index, relationship) in entity.relationships.enumerated() {
            cells += RecordColumns.keys(of: relationship, at: layout.relationshipStart[index], model)
        }
        self.cells = cells
        firsts = Array(entity.attributes.indices) + layout.relationshipStart
        let masks = stride(from: 0, to: max(firsts.count, 1), by: RecordColumns.marks).map { start in
            ParquetColumn(start == 0 ? "_absent" : "_absent.\(start / RecordColumns.marks)", .integer)
        }
        columns =
            RecordColumns.places + cells.map(\.column) + (hasGone ? [ParquetColumn("_gone", .boolean)] : []) + masks
    }

    /// The column with what was given instead of a part of an identifier.
    package static func impossibleName(_ relationship: String, _ part: Int, of count: Int) -> String {
        "\(relationship).impossible" + (count > 1 ? ".\(part + 1)" : "")
    }

    private static func keys(of relationship: Relationship, at start: Int, _ model: Model) -> [CellColumn] {
        let (name, isMany, count) = (relationship.name, relationship.isMany, relationship.keyWidth)
        let targets = relationship.targets.map { model.entities[$0.entity].name }
        var columns: [CellColumn] = []
        var next = start
        if relationship.selector != nil {
            columns.append(
                CellColumn(
                    column: ParquetColumn("\(name).entity", .text, isList: isMany), cell: next, part: .name(targets)))
            next += 1
        }
        let keys = next..<next + relationship.searchCount * count
        for (index, way) in relationship.searches(in: model).enumerated() {
            for part in 0..<count {
                let path =
                    [name] + (relationship.isPolymorphic ? [targets[way.target]] : [])
                    + (relationship.ways.count > 1 ? ["way \(index + 1)"] : []) + (count > 1 ? ["\(part + 1)"] : [])
                columns.append(
                    CellColumn(
                        column: ParquetColumn(
                            path.joined(separator: "."), .init(way.conversions[part]), isList: isMany),
                        cell: next))
                next += 1
            }
        }
        return columns
            + (0..<count).map { part in
                let cells = Array(stride(from: keys.lowerBound + part, to: keys.upperBound, by: count))
                return CellColumn(
                    column: ParquetColumn(impossibleName(name, part, of: count), .text, isList: isMany),
                    cell: cells[0], part: .impossible(cells: cells))
            }
            + relationship.values.enumerated().map { index, value in
                CellColumn(
                    column: ParquetColumn("\(name).with.\(value.name)", .init(value.conversion), isList: isMany),
                    cell: keys.upperBound + index)
            }
            + relationship.stub.enumerated().map { index, value in
                CellColumn(
                    column: ParquetColumn("\(name).stub.\(value.name)", .init(value.conversion), isList: isMany),
                    cell: keys.upperBound + relationship.values.count + index)
            }
    }
}

extension ParquetColumn.Kind {
    /// What an attribute of such values is: what must stay exact, and has no exact type everywhere, is text.
    init(_ conversion: Conversion) {
        if conversion.isMany {
            self = .text
            return
        }
        self =
            switch conversion.type {
            case .text, .datetime, .json: .text
            case .decimal: conversion.isInteger ? .integer : .text
            case .integer, .duration: .integer
            case .real: .real
            case .boolean: .boolean
            case .date: .date
            case .bytes: .bytes
            }
    }
}

/// Days since 1970 in the Gregorian calendar.
enum CalendarDays {
    /// Of a date as Transform writes it, `2026-11-22`.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    static func days(_ text: [UInt8]) -> Int32 {
        let numbers = text.split(separator: UInt8(ascii: "-")).map { digits in
            digits.reduce(0) { $0 * 10 + Int32($1 &- UInt8(ascii: "0")) }
        }
        guard numbers.count == 3 else { return 0 }
        let year = numbers[1] <= 2 ? numbers[0] - 1 : numbers[0]
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (numbers[1] + (numbers[1] > 2 ? -3 : 9)) + 2) / 5 + numbers[2] - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
