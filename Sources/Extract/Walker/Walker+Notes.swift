import SluiceRecords

// Whether a record of an entity with conditions counts is known only after Transform. So what is unexpected in it is
// noted in its row, whose way it goes: from batch to batch, and to disk and back.
extension Walker {
    /// The entry of a field in the notes.
    static func noteNumber(_ field: Int32, isRepeated: Bool) -> Int { 2 * Int(field) + (isRepeated ? 1 : 0) }

    static func isRepeated(noteNumber: Int) -> Bool { noteNumber & 1 == 1 }

    /// Says for fingerprints what the entry of a field is about, when the field is met first.
    func nameEntry(_ field: Int32, isRepeated: Bool) {
        guard let noting = items.noting else { return }
        let paths = driftPaths(of: field).filter { !feed.model.entities[$0.entity].conditions.isEmpty }
        noting.name(Walker.noteNumber(field, isRepeated: isRepeated), source: feed.source, paths)
    }

    /// Notes a field of an open record.
    @inline(never)
    mutating func note(_ field: Int32, isRepeated: Bool, in record: OpenRecord) {
        let row = open.rows[record.notingRow]
        let notes = unsafe output.tables[row.entity].pointee.notes
        let number = Walker.noteNumber(field, isRepeated: isRepeated)
        unsafe output.batch?.append(.integer(Int64(number)), to: &notes.base[row.row])
        checkHeld()
    }

    /// Gives the notes of a record that ends to all its rows that have some.
    mutating func shareNotes(of record: OpenRecord) {
        let noting = open.rows[record.notingRow]
        let notes = unsafe output.tables[noting.entity].pointee.notes[noting.row]
        for index in record.notingRow..<open.rowCount where open.rows[index].entity >= 0 {
            let row = open.rows[index]
            if unsafe output.tables[row.entity].pointee.hasNotes {
                unsafe output.tables[row.entity].pointee.notes[row.row] = notes
            }
        }
        // They are memory too, beside the arena.
        guard let batch = output.batch, open.innerCount == 0 else { return }
        if batch.elementCount * MemoryLayout<ListElement>.stride >= feed.options.batchBytes {
            output.wantsHandOut = true
        }
    }
}
