import SluiceRecords

/// The records of one entity as columns: what each is, and how a row of a batch fills them.
///
/// First where the record stands, then the attributes, then the keys of references, then what of all that is absent.
package struct RecordColumns {
    /// In the order of ``ParquetFile/buffers``.
    package let columns: [ParquetColumn]
    package let cells: [CellColumn]
    /// By relationship: which of ``cells`` are its own.
    package let relationships: [Range<Int>]
    /// The first cells of the attributes and relationships: absent ones are marked.
    let firsts: [Int]
    let hasGone: Bool

    /// A column with the cell that it shows.
    package struct CellColumn {
        /// What of the cell.
        package enum Part {
            case value
            /// The name of the target that a selector chose, by its number.
            case name([String])
            /// What no identifier can be, as the feed has it: one part of a key, in any way to find the target.
            case impossible(cells: [Int])
        }

        package var column: ParquetColumn
        package var cell: Int
        package var part = Part.value
    }

    /// Where a record stands: the first columns.
    package enum Place: Int, CaseIterable {
        case source, file, part, offset, record, line, column, path

        fileprivate var natural: ParquetColumn {
            switch self {
            case .source: .init("_source", .text)
            case .file: .init("_file", .text)
            case .part: .init("_part", .text)
            case .offset: .init("_offset", .integer)
            case .record: .init("_record", .integer)
            case .line: .init("_line", .integer)
            case .column: .init("_column", .integer)
            case .path: .init("_path", .text)
            }
        }
    }

    /// Marks in one column.
    package static let marks = 63

    /// - Parameter names: of the entities of the model.
    package init(_ entity: Entity, model: Model) {
        hasGone = !entity.deletions.isEmpty
        var names = ColumnNames(entity.attributes.map(\.name) + entity.relationships.map(\.name))
        func withOwnName(_ column: ParquetColumn) -> ParquetColumn {
            var column = column
            column.name = names.unique(column.name)
            return column
        }
        let places = Place.allCases.map { withOwnName($0.natural) }
        var cells = entity.attributes.enumerated().map { index, attribute in
            CellColumn(column: ParquetColumn(attribute.name, .init(attribute.conversion)), cell: index)
        }
        let layout = entity.layout
        var relationships: [Range<Int>] = []
        for (index, relationship) in entity.relationships.enumerated() {
            let first = cells.count
            for var cell in RecordColumns.keys(of: relationship, at: layout.relationshipStart[index], model) {
                // The only column of a key has the name of its relationship.
                if !cell.column.name.isIdentical(to: relationship.name) { cell.column = withOwnName(cell.column) }
                cells.append(cell)
            }
            relationships.append(first..<cells.count)
        }
        (self.cells, self.relationships) = (cells, relationships)
        firsts = Array(entity.attributes.indices) + layout.relationshipStart
        let gone = hasGone ? [withOwnName(ParquetColumn("_gone", .boolean))] : []
        let masks = stride(from: 0, to: max(firsts.count, 1), by: RecordColumns.marks).map { start in
            withOwnName(ParquetColumn(start == 0 ? "_absent" : "_absent.\(start / RecordColumns.marks)", .integer))
        }
        columns = places + cells.map(\.column) + gone + masks
    }

    /// Where a record stands.
    var places: [ParquetColumn] { Array(columns.prefix(Place.allCases.count)) }

    /// The name of a column of ``places``.
    package func name(_ place: Place) -> String { columns[place.rawValue].name }

    /// The name of the column with the mark of an attribute or, behind these, a relationship.
    package func mark(_ member: Int) -> String {
        columns[places.count + cells.count + (hasGone ? 1 : 0) + member / RecordColumns.marks].name
    }

    /// What the columns of a reference would be called if nothing else were called so: the name of the target's entity,
    /// the parts of its identifier, and what was given instead of these.
    package static func keys(of relationship: Relationship, at start: Int, _ model: Model) -> [CellColumn] {
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
                let impossible = "\(name).impossible" + (count > 1 ? ".\(part + 1)" : "")
                return CellColumn(
                    column: ParquetColumn(impossible, .text, isList: isMany), cell: cells[0],
                    part: .impossible(cells: cells))
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
    package init(_ conversion: Conversion) {
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
