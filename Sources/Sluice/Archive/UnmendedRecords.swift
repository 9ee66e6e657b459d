import SluiceRecords
import SluiceSchema

/// The mended records that are still second copies: the run of their findings rejected them since a record before had
/// the same identifier, which they have as they had it.
///
/// The replay does not read the record that came first, and would take each of them for the first one.
struct RepeatedRecords {
    /// Where they begin in the file of rejects, in bytes.
    private(set) var offsets: Set<UInt64> = []

    /// The slots, behind those of an entity, that have what its finding says.
    private static let members = ["faults", "identifier"]

    /// A model whose records can be looked through: that of a replay with what each line says of its record.
    ///
    /// - Parameter path: the path to a member of a record's line.
    static func model(_ replayed: Model, path: (String) -> Path) -> Model {
        var model = replayed
        for entity in model.entities.indices where model.entities[entity].duplicates.areRejected {
            for member in members {
                var slot = Slot(path: path(member), json: true)
                slot.label = ""
                model.entities[entity].slots.append(slot)
            }
        }
        return model
    }

    /// Adds those of a batch of that model, with typed values.
    mutating func add(_ batch: RecordBatch, _ model: Model) {
        for section in batch.sections where model.entities[section.entity].duplicates.areRejected {
            let entity = model.entities[section.entity]
            for row in 0..<section.count where section.status[row] == .complete {
                let said = section.raw[(row + 1) * section.slotCount - 2]
                let before = section.raw[(row + 1) * section.slotCount - 1]
                let key = entity.identifier.map { section.typed[row * section.width + $0] }
                guard said.kind == .json, before.kind == .json, saysSo(batch.arena.text(of: said)),
                    let now = StoredJSON(batch.arena.json(ofKey: key))?.canonicalText,
                    let before = StoredJSON(batch.arena.text(of: before))?.canonicalText, now.isIdentical(to: before)
                else { continue }
                offsets.insert(section.positions[row].offset)
            }
        }
    }

    /// Whether faults of a finding name a record before.
    private func saysSo(_ faults: String) -> Bool {
        guard case .array(let faults)? = StoredJSON(faults) else { return false }
        return faults.contains { $0["reason"]?.string?.hasPrefix(FindingLayout.isRepeated) == true }
    }

    /// Rejects them in a batch of the replay.
    static func reject(_ offsets: Set<UInt64>, in batch: RecordBatch, _ model: Model) {
        guard !offsets.isEmpty else { return }
        for section in batch.sections where model.entities[section.entity].duplicates.areRejected {
            let entity = model.entities[section.entity]
            let member = entity.identifier.first.map { entity.attributes[$0].name } ?? ""
            for row in 0..<section.count
            where section.status[row] == .complete && offsets.contains(section.positions[row].offset) {
                section.status[row] = .rejected
                batch.faults.append(Fault(entity: section.entity, row: row, member: member, reason: reason))
            }
        }
    }

    private static let reason =
        FindingLayout.isRepeated + ": where this one is to count, remove the \"faults\" of its line"
}
