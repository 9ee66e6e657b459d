import SluiceExtract
import SluiceKnown
import SluiceRecords

/// The drift of an item, where some of it is noted in the item's rows: only rows that count are included.
final class RowDrift {
    private let noting: ItemNoting
    /// The drift that counts in any case; then for each row its source, its entity, and its entries behind their count.
    private var key: [Int] = []
    /// Of the item before: most are alike.
    private var last: (key: [Int], number: Int?) = ([], nil)
    private var numbers: [[Int]: Int?] = [:]
    /// Elements that no entity takes, by their kind: in `key`, this stands for a source, the kind for an entity.
    private var elements: [(entity: Int, field: String)] = []
    private static let untaken = -1

    /// Keys that are kept.
    private static let mostKeys = 1 << 14

    init(_ noting: ItemNoting) { self.noting = noting }

    /// Begins with an item; `drift` is noted in any case.
    func begin(_ drift: Int) {
        key.removeAll(keepingCapacity: true)
        key.append(drift)
    }

    /// Adds what a row that counts has noted.
    func add(_ row: Int, of section: EntityRecords, _ batch: RecordBatch) {
        let notes = section.notes[row]
        guard notes.kind == .list, notes.count > 0 else { return }
        key.append(Int(section.positions[row].source))
        key.append(section.entity)
        key.append(Int(notes.count))
        var index = notes.head
        for _ in 0..<notes.count {
            let element = batch.elements[index]
            key.append(Int(element.cell.integer))
            index = Int(element.next)
        }
    }

    /// Adds an element that no entity takes.
    func add(_ element: UntakenElement) {
        while elements.count <= element.kind { elements.append((element.row.entity, element.field)) }
        elements[element.kind] = (element.row.entity, element.field)
        key += [RowDrift.untaken, element.kind, 1]
    }

    /// The number of all that is noted of the item; nil: it cannot be noted.
    var number: Int? {
        if key.count == 1 { return key[0] }
        if key == last.key { return last.number }
        let number: Int?
        if let known = numbers[key] { number = known } else { number = newNumber() }
        last = (key, number)
        return number
    }

    private func newNumber() -> Int? {
        let number = notes.flatMap(noting.number)
        if numbers.count < RowDrift.mostKeys { numbers[key] = number }
        return number
    }

    private var notes: [DriftNote]? {
        let drifts = noting.drifts
        guard key[0] < drifts.count else { return nil }
        var (notes, at) = (drifts[key[0]], 1)
        while at < key.count {
            let (source, entity, count) = (key[at], key[at + 1], key[at + 2])
            at += 3
            if source == RowDrift.untaken {
                let element = elements[entity]
                add(DriftNote(entity: element.entity, kind: .untaken, records: count, path: element.field), to: &notes)
                continue
            }
            // A record may have a field twice.
            for entry in Set(key[at..<at + count]) {
                guard let note = noting.note(entry, of: entity, source: source) else { return nil }
                add(note, to: &notes)
            }
            at += count
        }
        return notes.sorted { one, two in
            (one.entity, one.path, one.kind.rawValue) < (two.entity, two.path, two.kind.rawValue)
        }
    }

    private func add(_ note: DriftNote, to notes: inout [DriftNote]) {
        if let known = notes.firstIndex(where: { $0.isSameField(as: note) }) {
            notes[known].records += note.records
        } else {
            notes.append(note)
        }
    }
}
