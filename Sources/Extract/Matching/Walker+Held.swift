import Records

// Memory that is not a batch's share: a record is in memory until it ends, with all records in it whose end it awaits.
extension Walker {
    /// About what a mark of a key costs, which may be known by its name.
    private static let markBytes = 128

    /// The bytes that are held for what is open.
    var heldBytes: Int {
        var bytes = bytesHeld(by: ancestors.values, ancestors.values.arena.count) + markCount * Walker.markBytes
        if innerCount > 0, let batch { bytes += bytesHeld(by: batch, arena.count) - bytesBefore }
        return bytes
    }

    private func bytesHeld(by batch: RecordBatch, _ arenaBytes: Int) -> Int {
        arenaBytes + batch.elementCount * MemoryLayout<ListElement>.stride
    }

    /// The outermost record begins, or goes on in another batch, which holds nothing else.
    mutating func noteBytesBefore(isCarried: Bool) {
        bytesBefore = isCarried ? 0 : batch.map { bytesHeld(by: $0, arena.count) } ?? 0
    }

    /// Sees to it, at the end of the token, that not too much is held.
    @inline(__always)
    mutating func checkHeld() {
        if heldBytes > options.maxRecord { wantsHandOut = true }
    }

    /// What is wrong with the outermost record that is open.
    mutating func tooMuch() -> Failure {
        let message = "the record that begins here holds more than \(options.maxRecord) bytes (see \"maxRecord\")"
        var row = 0
        while row < rowCount && rows[row].entity < 0 { row += 1 }
        guard row < rowCount else { return Failure(.data, message, at: place(of: tokenEnd - 1)) }
        let position = sections[rows[row].entity].positions[rows[row].row]
        return Failure(
            .data, message,
            at: Failure.Place(file: fileName, line: position.line, column: position.column, offset: position.offset))
    }
}
