import SluiceRecords

/// An open container: an object or an array whose end is still to come.
///
/// The frame at the bottom is the feed itself: an array, so to speak, of its values.
@safe
struct Frame: BitwiseCopyable {
    var isArray = true
    /// Whether the mark of the last key is still to be closed, see `Mark`.
    var hasOpenMark = false
    /// Whether it has marks of keys that no path names.
    var hasUnnamedMarks = false
    /// Whether the last key holds half a surrogate pair.
    var hasBrokenKey = false
    /// Whether paths only pass through it, see `StateInfo.isPassing`.
    var isPassed = false
    /// Whether the container itself is what a path leads to.
    var isUsed = false
    /// Whether it is an array where paths look for records in a member by its name.
    var hidesMembers = false
    /// The places in paths that the container has reached: a range of the walker's cursors.
    var cursorStart: Int32 = 0
    var cursorCount: Int32 = 0
    /// The entries in the key table of the last key, and of the one that is likely to follow.
    var lastKey: Int32 = -1
    var expectedKey: Int32 = 0
    /// The field of its record that it is; negative: not asked for yet.
    var field: Int32 = -1
    var passed = Passed()
    /// Of an array: the index of the last element.
    var index = -1
    /// The symbols below 64 that the object's keys so far have had.
    var seen: UInt64 = 0
    /// Of an object: the last key. In the window, or in `ownKey`.
    var key: UnsafePointer<UInt8>?
    var keyLength = 0
    var markStart = 0
    var place = Place()
    var ownKey = OwnKey()

    /// Of the walker's `passedFields`: the one for the last key, or -1; and where those of the container begin.
    struct Passed: BitwiseCopyable {
        var field: Int32 = -1
        var start: Int32 = 0
        /// The walker's `useCount` when the container began.
        var usesBefore: UInt64 = 0
    }

    /// The container's path in the arena of the batch of that number.
    struct Place: BitwiseCopyable {
        var path = Cell.absent
        var batch = -1
    }

    /// Memory for a key that is not in the window. It outlives the container, and serves the next at this depth.
    @safe
    struct OwnKey: BitwiseCopyable {
        var bytes: UnsafeMutablePointer<UInt8>?
        var capacity = 0
    }
}

/// A place in paths: a state of the automaton, and the record, or the node around records, from which they start.
struct Cursor: BitwiseCopyable {
    var state: Int32
    /// Negative: the top of the feed.
    var record: Int32
}
