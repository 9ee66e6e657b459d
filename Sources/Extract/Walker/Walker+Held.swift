import SluiceRecords

// Memory that is not a batch's share: a record is in memory until it ends, with all records in it whose end it awaits.
extension Walker {
    /// About what a mark of a key costs, which may be known by its name.
    private static let markBytes = 128

    /// The bytes that are held for what is open.
    var heldBytes: Int {
        var bytes =
            bytesHeld(by: around.ancestors.values, around.ancestors.values.arena.count) + marks.count * Walker.markBytes
        if open.innerCount > 0, let batch = output.batch {
            bytes += bytesHeld(by: batch, output.arena.count) - output.bytesBefore
        }
        return bytes
    }

    private func bytesHeld(by batch: RecordBatch, _ arenaBytes: Int) -> Int {
        arenaBytes + batch.elementCount * MemoryLayout<ListElement>.stride
    }

    /// The outermost record begins, or goes on in another batch, which holds nothing else.
    mutating func noteBytesBefore(isCarried: Bool) {
        output.bytesBefore = isCarried ? 0 : output.batch.map { bytesHeld(by: $0, output.arena.count) } ?? 0
    }

    /// Sees to it, at the end of the token, that not too much is held.
    @inline(__always)
    mutating func checkHeld() {
        if heldBytes > feed.options.maxRecord { output.wantsHandOut = true }
    }

    /// What is wrong with the outermost record that is open.
    mutating func tooMuch() -> Failure {
        let message = "the record that begins here holds more than \(feed.options.maxRecord) bytes (see \"maxRecord\")"
        var row = 0
        while row < open.rowCount && open.rows[row].entity < 0 { row += 1 }
        guard row < open.rowCount else { return Failure(.data, message, at: place(of: tokenEnd - 1)) }
        let position = output.sections[open.rows[row].entity].positions[open.rows[row].row]
        return Failure(
            .data, message,
            at: Failure.Place(
                file: feed.fileName, line: position.line, column: position.column, offset: position.offset))
    }
}
