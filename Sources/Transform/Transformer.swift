import Records

/// Turns what the reader found into typed values, batch by batch: the stage between Extract and Load.
///
/// It is made once for a run, which compiles patterns and reads time zones, and does no input or output after that.
///
/// ```swift
/// let transformer = try Transformer(model: model)
/// while let batch = try next() {
///     transformer.transform(batch)
///     report(batch.faults)
/// }
/// ```
public final class Transformer: @unchecked Sendable {
    // Unchecked: it may move from one thread to another, but compiled patterns have working memory of their own, so that
    // only one batch can be transformed at a time.

    private let plan: Plan

    /// Makes the values of a model ready for use.
    ///
    /// - Throws: a `definition` failure if a pattern, a date format or a time zone is not one, or a relationship does not
    ///   have a value for each identifying attribute of its targets. Its message starts with `Entity.member: `.
    public init(model: Model) throws(Failure) {
        plan = Plan(try Planner(model))
    }

    /// Fills the typed cells of all rows that are `complete`.
    ///
    /// A row that does not meet the conditions of its entity (`where`) becomes `dropped`. A row with a fault becomes
    /// `rejected`, its typed cells are then undefined, and all its faults are appended to those of the batch: by entity,
    /// row and member. Other rows are left alone.
    public func transform(_ batch: RecordBatch) {
        var evaluator = Evaluator(plan, batch)
        for section in batch.sections { evaluator.transform(section) }
        evaluator.finish()
    }
}

extension Evaluator {
    /// Transforms the rows of one entity.
    fileprivate mutating func transform(_ section: EntityRecords) {
        let entity = plan.entities[section.entity]
        let status = section.status
        let typed = section.typed
        raw = section.raw
        for row in 0..<section.count where status[row] == .complete {
            rowStart = row * section.slotCount
            guard meets(entity.conditions) else {
                status[row] = .dropped
                continue
            }
            let before = faults.count
            fillColumns(entity, section, row, typed)
            if faults.count > before { status[row] = .rejected }
        }
    }

    private mutating func fillColumns(
        _ entity: EntityPlan, _ section: EntityRecords, _ row: Int, _ typed: Table<Cell>
    ) {
        let start = row * section.width
        for index in entity.columns {
            do throws(Complaint) {
                typed[start + index - entity.columns.lowerBound] = try value(of: plan.columns[index])
            } catch {
                report(error, section.entity, row, entity.members[index - entity.columns.lowerBound])
            }
        }
        for index in entity.relationships {
            do throws(Complaint) {
                try fill(plan.relationships[index], typed, start)
            } catch {
                let member = entity.columns.count + index - entity.relationships.lowerBound
                report(error, section.entity, row, entity.members[member])
            }
        }
    }

    /// The typed cell of an attribute.
    private mutating func value(of column: ColumnPlan) throws(Complaint) -> Cell {
        let value = column.slot >= 0 ? raw[rowStart + Int(column.slot)] : try evaluate(Int(column.rule))
        if value.kind == .string && column.conversion.kind == .text {
            // Most values are texts, and nothing is done to them.
            return Cell(kind: .text, payload: value.payload, length: value.length)
        }
        guard value.isNull else { return try converter.convert(value, column.conversion) }
        switch column.need {
        case .optional: return value
        case .required: throw .lacking("required", value)
        case .identifier: throw .lacking("identifier", value)
        }
    }

    private mutating func report(_ complaint: Complaint, _ entity: Int, _ row: Int, _ member: String) {
        let reason = complaint.reason(in: converter.arena, formats: plan.catalog.formats)
        faults.append(Fault(entity: entity, row: row, member: member, reason: reason))
    }
}
