import SluiceExtract
import SluiceRecords
import SluiceSchema

/// The records of rejects that are as they were, though nothing in them shows what was wrong: the feed had another
/// record of the identifier before, or the row of a table had other cells than those that the record has kept.
///
/// A replay would load each of them. All other faults are in the records, and are found again.
package struct UnmendedRecords: Sendable, Hashable {
    /// What is wrong with a record.
    private struct Reason: Hashable {
        var member: String
        var text: String
    }

    /// A record of the file of rejects.
    private struct Place: Hashable {
        var entity: Int
        /// Where it begins in the file, in bytes.
        var offset: UInt64
    }

    private var reasons: [Place: Reason] = [:]

    /// The slots, behind those of an entity, that have what its finding says.
    private enum FindingSlot: Int, CaseIterable {
        case faults, identifier, record, entity
    }

    package init() {}

    // MARK: Finding them

    /// A model whose records can be looked through: that of a replay with what each line says of its record.
    ///
    /// - Parameter path: the path to a member of a record's line.
    static func model(_ replayed: Model, path: (String) -> Path) -> Model {
        var model = replayed
        for entity in model.entities.indices {
            for member in FindingSlot.allCases {
                var slot = Slot(path: path("\(member)"), json: true)
                slot.label = ""
                model.entities[entity].slots.append(slot)
            }
        }
        return model
    }

    /// Adds those of a batch of that model, with typed values.
    mutating func add(_ batch: RecordBatch, _ model: Model) {
        for section in batch.sections {
            let entity = model.entities[section.entity]
            for row in 0..<section.count where UnmendedRecords.wouldPass(section, row) {
                let said = FindingSlot.allCases.map { said in
                    let cell = section.raw[(row + 1) * section.slotCount - FindingSlot.allCases.count + said.rawValue]
                    return cell.kind == .json ? StoredJSON(batch.arena.text(of: cell)) : nil
                }
                // Each entity has a row for each line, of which those are left out that are of other entities.
                guard let faults = said[FindingSlot.faults.rawValue]?.elements,
                    said[FindingSlot.entity.rawValue]?.string?.isIdentical(to: entity.name) == true
                else { continue }
                // A row that is left out has no typed cells.
                let key = entity.identifier.map { section.typed[row * section.width + $0] }
                let identifier =
                    section.status[row] == .dropped ? nil : StoredJSON(batch.arena.json(ofKey: key))
                for fault in faults {
                    guard let reason = fault["reason"]?.string,
                        let shown = UnmendedRecords.reason(
                            reason, isSame: identifier.isIdentical(to: said[FindingSlot.identifier.rawValue]),
                            said[FindingSlot.record.rawValue])
                    else { continue }
                    reasons[Place(entity: section.entity, offset: section.positions[row].offset)] = Reason(
                        member: fault["attribute"]?.string ?? "", text: shown)
                }
            }
        }
    }

    /// What is still wrong, where the record does not show it; nil: nothing, or the record shows it.
    ///
    /// - Parameters:
    ///   - reason: that of the finding.
    ///   - isSame: whether the record has the identifier that it had.
    private static func reason(_ reason: String, isSame: Bool, _ record: StoredJSON?) -> String? {
        if reason.hasPrefix(FindingLayout.isRepeated) {
            return isSame
                ? FindingLayout.isRepeated + ": where this one is to count, remove the \"faults\" of its line" : nil
        }
        let way = ": where the record is right now, remove the \"faults\" of its line"
        let own = reason.hasSuffix(way) ? String(reason.dropLast(way.count)) : reason
        if RowFaultText.isBehindQuote(own) || own.isIdentical(to: RowFaultText.header) { return own + way }
        guard let (cells, columns) = RowFaultText.counts(in: own), let members = record?.members else { return nil }
        // Cells beyond the last column have no name.
        let isAsItWas = cells > columns ? record?[""] != nil : members.count <= cells
        return isAsItWas ? own + way : nil
    }

    // MARK: Rejecting them

    /// Rejects them in a batch of the replay.
    func reject(in batch: RecordBatch) {
        if reasons.isEmpty { return }
        for section in batch.sections {
            for row in 0..<section.count where UnmendedRecords.wouldPass(section, row) {
                let place = Place(entity: section.entity, offset: section.positions[row].offset)
                guard let reason = reasons[place] else { continue }
                if section.status[row] == .dropped {
                    for cell in 0..<section.width { section.typed[row * section.width + cell] = .absent }
                }
                section.status[row] = .rejected
                batch.faults.append(
                    Fault(entity: section.entity, row: row, member: reason.member, reason: reason.text))
            }
        }
    }

    /// Whether the record of an entity that begins there is one.
    func contains(_ entity: Int, _ offset: UInt64) -> Bool { reasons[Place(entity: entity, offset: offset)] != nil }

    /// Whether a row describes its object, says that the object is gone, or is left out by `where`, which may have seen
    /// cells of other columns.
    private static func wouldPass(_ section: EntityRecords, _ row: Int) -> Bool {
        [.complete, .gone, .dropped].contains(section.status[row])
    }
}

extension StoredJSON? {
    /// Whether two values are the same to the byte, however they are spaced.
    fileprivate func isIdentical(to other: StoredJSON?) -> Bool {
        guard let text = self?.canonicalText, let other = other?.canonicalText else { return false }
        return text.isIdentical(to: other)
    }
}
