/// A value whose JSON text is wanted, and whose end is still to come.
struct Capture: BitwiseCopyable {
    /// The offset of its first byte, and its place.
    var start: UInt64
    var line: UInt64
    var column: UInt64
    var depth: Int
    /// Which of the open rows wants it.
    var row: Int
    var slot: Int
    /// The element of a list that takes it; negative: the slot itself does.
    var element: Int
}

/// The elements of lists that came from the value of one key, so that they can be taken back if the key is repeated.
struct Mark: BitwiseCopyable {
    var symbol: Int32
    var start: Int
    var end: Int
}
