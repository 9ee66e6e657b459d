import SluiceRecords

// A line of a sequence that is no value: what has been read of it is a record that is rejected, with the bytes of the
// line.
extension Walker {
    /// Whether such a line is a reject: where each value is a record, one line is one record.
    var rejectsLines: Bool {
        guard feed.options.rejectsLines, feed.options.format == .lines, mayRejectBytes else { return false }
        let whole = [Path(root: .feed, steps: [])]
        return feed.model.entities.allSatisfy { !$0.sources.contains(feed.source) || $0.records == whole }
    }

    /// Where the value at the top begins that has not ended; nil: there is none.
    var openValueStart: UInt64? {
        // Those around records have no entity.
        guard let index = (0..<open.rowCount).first(where: { open.rows[$0].entity >= 0 }) else { return nil }
        let row = open.rows[index]
        return output.sections[row.entity].positions[row.row].offset
    }

    /// Rejects the record of a line, however far it has come, and is between two values then.
    ///
    /// - Parameters:
    ///   - start: of the line, or of the value that has begun in it.
    ///   - end: of the line.
    /// - Returns: false: the parse has to end, see `ending`.
    mutating func rejectLine(from start: UInt64, to end: UInt64, _ reason: String) -> Bool {
        // As with rows of tables, it is said here where the tokens are.
        unsafe feed.handle = nil
        (nextBroken, skip, open.captureCount) = (.max, 0, 0)
        if depth == 0 {
            feed.token = (start, start + 1)
            guard begin(isArray: false) != 0 else { return false }
        }
        for record in 0..<open.recordCount where open.records[record].isRecord {
            reject(record: record, "@", reason, isOfBytes: true)
        }
        feed.token = (start, end)
        while depth > 0 {
            guard self.end() != 0 else { return false }
        }
        return true
    }
}
