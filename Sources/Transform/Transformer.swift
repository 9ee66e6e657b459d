import SluiceRecords

/// Turns what the reader found into typed values, batch by batch: the stage between Extract and Load.
///
/// It is made once for a run, which compiles patterns and reads time zones, and does no input or output after that.
///
/// One thread at a time has it, the one that transforms a batch: compiled patterns have working memory of their own.
/// Of a run, `BatchQueue` has one batch at a time transformed.
///
/// ```swift
/// let transformer = try Transformer(model: model)
/// while let batch = try next() {
///     transformer.transform(batch)
///     report(batch.faults)
/// }
/// ```
package final class Transformer: @unchecked Sendable {
    private let compiled: CompiledModel
    /// By entity: how many records of the source that is being read do not count.
    private var leftOut: [UInt64]
    /// What entities share their elements.
    let shared: [SharedElements]

    /// Makes the values of a model ready for use.
    ///
    /// - Throws: a `definition` failure if a pattern, a date format or a time zone is not one, or a relationship does
    ///   not have a value for each identifying attribute of its targets. Its message starts with `Entity.member: `.
    package init(model: Model) throws(Failure) {
        compiled = CompiledModel(try ModelCompiler(model))
        leftOut = model.entities.map { _ in 0 }
        shared = SharedElements.all(model)
    }

    /// Fills the typed cells of all rows that are `complete`.
    ///
    /// A row that does not meet the conditions of its entity (`where`) becomes `dropped`, also if it was rejected; the
    /// others are numbered as if it had not been read. One that says that its object is gone (`deleteWhere`) becomes
    /// `gone`, with only its identifier. A row with a fault becomes `rejected`, and all its faults are appended to
    /// those of the batch: by entity, row and member; its typed cells are then undefined but for those of the
    /// identifier, which are absent where it has none. Other rows are left alone.
    ///
    /// The rows of an entity must come in the order of their numbers, source by source.
    package func transform(_ batch: RecordBatch) {
        var evaluator = Evaluator(compiled, batch)
        for section in batch.sections {
            if section.hasNotes {
                let shared = shared.filter { $0.entities[0] == section.entity }
                evaluator.leaveOut(section, &leftOut[section.entity], shared)
            }
            evaluator.transform(section, section.raw, section.slotCount)
        }
        evaluator.finish()
    }

    /// Fills the typed cells of rows whose raw cells are elsewhere: by entity, row after row.
    ///
    /// The slots are not those of the model that the batch was made for, and there are no conditions.
    package func transform(_ batch: RecordBatch, raw: [(cells: Table<Cell>, slotCount: Int)]) {
        var evaluator = Evaluator(compiled, batch)
        for section in batch.sections where section.count > 0 {
            evaluator.transform(section, raw[section.entity].cells, raw[section.entity].slotCount)
        }
        evaluator.finish()
    }
}

extension Evaluator {
    /// Drops the rows of one entity that do not meet its conditions, and numbers the others.
    ///
    /// - Parameters:
    ///   - leftOut: how many records of the source have been dropped so far.
    ///   - shared: with which other entities this one shares its elements, by source. The batch names the rows of
    ///     elements that none of them asks for.
    fileprivate mutating func leaveOut(_ section: EntityRecords, _ leftOut: inout UInt64, _ shared: [SharedElements]) {
        let conditions = compiled.entities[section.entity].conditions
        let (status, positions) = (section.status, section.positions)
        raw = section.raw
        // What is in bytes that are no record, or in cells that are not those of their columns, nobody knows: such rows
        // are rejects, whatever the conditions are.
        let unknown = Set(
            batch.faults.filter { ($0.isOfBytes || $0.isMisplaced) && $0.entity == section.entity }.map(\.row))
        for row in 0..<section.count where status[row] == .complete || status[row] == .rejected {
            // Each source begins with 0.
            if positions[row].record == 0 { leftOut = 0 }
            rowStart = row * section.slotCount
            if unknown.contains(row) || meets(conditions) {
                unsafe positions.base[row].record &-= leftOut
            } else {
                if status[row] == .rejected { dropsRejects = true }
                status[row] = .dropped
                leftOut += 1
                if !shared.isEmpty, isUnclaimed(row, of: section, shared) {
                    batch.unclaimed.append(RowReference(entity: section.entity, row: row))
                }
            }
        }
    }

    /// Whether the current row is an element of a kind that no entity asks for.
    private mutating func isUnclaimed(_ row: Int, of section: EntityRecords, _ shared: [SharedElements]) -> Bool {
        let source = Int(section.positions[row].source)
        guard let group = shared.first(where: { $0.sourceIndex == source }) else { return false }
        return zip(group.entities, group.kind.conditions).allSatisfy { entity, condition in
            !fits(raw[rowStart + group.kind.slot], compiled.entities[entity].conditions.lowerBound + condition)
        }
    }

    /// Transforms the rows of one entity, which have as many raw cells each.
    fileprivate mutating func transform(_ section: EntityRecords, _ cells: Table<Cell>, _ slotCount: Int) {
        let entity = compiled.entities[section.entity]
        let status = section.status
        let typed = section.typed
        raw = cells
        positions = section.positions
        for row in 0..<section.count {
            rowStart = row * slotCount
            self.row = row
            if status[row] != .complete {
                if status[row] == .rejected {
                    for cell in 0..<section.width { typed[row * section.width + cell] = .absent }
                    keepIdentifier(entity, section, row, typed)
                }
                continue
            }
            let before = faults.count
            if !entity.deletions.isEmpty, meets(entity.deletions) {
                status[row] = .gone
                fillIdentifier(entity, section, row, typed)
            } else {
                fillColumns(entity, section, row, typed)
            }
            if faults.count > before {
                status[row] = .rejected
                keepIdentifier(entity, section, row, typed)
            }
        }
    }

    /// Fills the identifier's cells alone: a record that says that its object is gone may lack all else.
    private mutating func fillIdentifier(
        _ entity: CompiledEntity, _ section: EntityRecords, _ row: Int, _ typed: Table<Cell>
    ) {
        let start = row * section.width
        for cell in 0..<section.width { typed[start + cell] = .absent }
        for column in entity.identifier {
            do throws(Complaint) {
                typed[start + column] = try value(of: compiled.columns[entity.columns.lowerBound + column])
            } catch {
                report(error, section.entity, row, entity.members[column], entity.paths[column])
            }
        }
    }

    /// Leaves a rejected row its identifier, where it has one: its object is not absent from the feed.
    private mutating func keepIdentifier(
        _ entity: CompiledEntity, _ section: EntityRecords, _ row: Int, _ typed: Table<Cell>
    ) {
        for column in entity.identifier {
            let value = try? value(of: compiled.columns[entity.columns.lowerBound + column])
            typed[row * section.width + column] = value ?? .absent
        }
    }

    private mutating func fillColumns(
        _ entity: CompiledEntity, _ section: EntityRecords, _ row: Int, _ typed: Table<Cell>
    ) {
        let start = row * section.width
        for index in entity.columns {
            do throws(Complaint) {
                typed[start + index - entity.columns.lowerBound] = try value(of: compiled.columns[index])
            } catch {
                let column = index - entity.columns.lowerBound
                typed[start + column] = .refused
                report(error, section.entity, row, entity.members[column], entity.paths[column])
            }
        }
        for index in entity.relationships {
            do throws(Complaint) {
                try fill(compiled.relationships[index], typed, start)
            } catch {
                typed[start + compiled.relationships[index].column] = .refused
                let member = entity.members[entity.columns.count + index - entity.relationships.lowerBound]
                let value = faultyLinkValue < 0 ? "" : "." + compiled.linkNames[faultyLinkValue]
                faultyLinkValue = -1
                report(error, section.entity, row, member + value)
            }
        }
    }

    /// The typed cell of an attribute.
    mutating func value(of column: CompiledColumn) throws(Complaint) -> Cell {
        let value = column.slot >= 0 ? raw[rowStart + Int(column.slot)] : try evaluate(Int(column.rule))
        if value.kind == .string && column.conversion.kind == .text && column.bounds < 0 {
            // Most values are texts, and nothing is done to them.
            return Cell(kind: .text, payload: value.payload, length: value.length)
        }
        guard value.isNull else {
            if column.conversion.kind == .list { return try list(value, column) }
            let typed = try converter.convert(value, column.conversion)
            if column.bounds >= 0, !typed.isNull { try check(typed, value, Int(column.bounds)) }
            return typed
        }
        switch column.need {
        case .optional: return value
        case .required: throw .lacking("required", value)
        case .identifier: throw .lacking("identifier", value)
        }
    }

    /// - Parameter path: where the member is looked for, if at one place.
    private mutating func report(
        _ complaint: Complaint, _ entity: Int, _ row: Int, _ member: String, _ path: String? = nil
    ) {
        var reason = complaint.reason(in: converter.arena, compiled.catalog)
        if case .lacking(_, let cell) = complaint, let path {
            if cell.kind == .absent { reason += ": there is no \(path)" }
            if cell.kind != .absent, !path.isIdentical(to: member) { reason += ", from \(JSONText.quoted(path))" }
        } else {
            reason += ValueHint.text(for: complaint, in: converter.arena, compiled.catalog)
        }
        faults.append(Fault(entity: entity, row: row, member: member, reason: reason))
    }
}
