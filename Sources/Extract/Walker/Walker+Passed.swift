// With a descendant step, a path passes through every node below. That is no use: a field counts as used where the path
// finds something in it, which is only known at its end.
extension Walker {
    /// The number of fields that are distinguished at once.
    private static let passedLimit = 1 << 16

    /// Whether paths only pass through the value that comes next.
    var isPassing: Bool {
        for index in pendingStart..<pendingStart + pendingCount
        where !paths.tables.infos[Int(containers.cursors[index].state)].isPassing {
            return false
        }
        return pendingCount > 0
    }

    /// The value of the key that yajl has met is unused, unless something in it is used.
    mutating func notePassed() {
        guard drift.passedCount < Walker.passedLimit else {
            unsafe top.pointee.passed.field = -1
            return
        }
        drift.passedFields.ensure(drift.passedCount + 1)
        drift.passedFields[drift.passedCount] = fieldOfKey()
        unsafe top.pointee.passed.field = Int32(drift.passedCount)
        drift.passedCount += 1
    }

    /// Paths only pass through the container that has begun.
    mutating func pass() {
        unsafe top.pointee.isPassed = true
        unsafe top.pointee.passed.usesBefore = drift.useCount
        unsafe top.pointee.passed.start = Int32(drift.passedCount)
    }

    /// The top frame ends.
    mutating func leavePassed() {
        guard unsafe top.pointee.isPassed else { return flushPassed() }
        let field = containers.frames[depth - 1].passed.field
        // An element of an array is no field of its own.
        guard field >= 0 else { return }
        if unsafe drift.useCount > top.pointee.passed.usesBefore {
            drift.passedFields[Int(field)] = -1
        } else {
            // It is unused as a whole.
            drift.passedCount = Int(unsafe top.pointee.passed.start)
        }
    }

    /// Notes the unused fields of the top frame, which is used itself.
    mutating func flushPassed() {
        let start = Int(unsafe top.pointee.passed.start)
        for index in start..<max(start, drift.passedCount) where drift.passedFields[index] >= 0 {
            noteUnused(drift.passedFields[index])
        }
        drift.passedCount = start
    }
}
