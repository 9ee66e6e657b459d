import SluiceRecords

// Strings with an escaped surrogate that has no partner: no Unicode text. The records that hold one are rejected.
extension Walker {
    /// Whether the string that yajl has met contains such an escape.
    @inline(never)
    mutating func isBroken(_ text: UnsafePointer<UInt8>) -> Bool {
        guard nextBroken < tokenEnd, !(unsafe isInWindow(text)) else { return false }
        // It has escapes, so yajl gave a copy.
        let start = unsafe tokenStart(.string, text, 0)
        forgetBroken(before: start)
        let isBroken = nextBroken < tokenEnd
        forgetBroken(before: tokenEnd)
        return isBroken
    }

    private mutating func forgetBroken(before offset: UInt64) {
        feed.prescan.forgetBroken(before: offset)
        nextBroken = feed.prescan.nextBroken
    }

    /// The key is such a string.
    @inline(never)
    mutating func brokenKey() {
        unsafe top.pointee.hasBrokenKey = true
        rejectOpenRecords(atKey: true)
    }

    /// The value is such a string.
    mutating func brokenString() -> CInt {
        rejectOpenRecords(atKey: false)
        if pendingCount == 0 { return 1 }
        return unsafe scalar(.brokenString, nil, 0)
    }

    /// Rejects all records that contain the string.
    @inline(never)
    mutating func rejectOpenRecords(atKey: Bool) {
        for record in 0..<open.recordCount where open.records[record].isRecord {
            let first = open.records[record].depth
            // A key is named by the object that has it.
            let last = atKey ? depth - 1 : depth
            let steps = first <= last ? (first...last).map { step(of: $0) }.joined() : ""
            reject(record: record, relative(steps))
        }
    }

    /// Steps as a path that starts at the record.
    private func relative(_ steps: String) -> String {
        switch steps.first {
        case nil: "@"
        case ".": String(steps.dropFirst())
        case "[": steps.hasPrefix("['") ? steps : "@" + steps
        default: steps
        }
    }

    mutating func reject(
        record: Int, _ member: String,
        _ reason: String = "the string holds an escaped surrogate without its partner",
        isOfBytes: Bool = false, knownColumns: [String]? = nil
    ) {
        unsafe (open.records.base + record).pointee.isRejected = true
        let start = open.records[record].rowStart
        let end = record + 1 < open.recordCount ? open.records[record + 1].rowStart : open.rowCount
        for row in start..<end where open.rows[row].entity >= 0 {
            var fault = Fault(
                entity: open.rows[row].entity, row: open.rows[row].row, member: member, reason: reason)
            fault.isOfBytes = isOfBytes
            fault.isMisplaced =
                knownColumns.map { feed.model.entities[fault.entity].conditionsLook(beyond: $0) } ?? false
            output.batch?.faults.append(fault)
        }
    }
}
