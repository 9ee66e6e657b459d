/// The end of a table's row.
package enum RowEnd {
    /// Its bytes: a line feed, with or without a carriage return before it, or the end of the feed, of which that may
    /// be a carriage return alone. nil: the row does not end there.
    @inline(__always)
    package static func length(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Int? {
        if at == end { return 0 }
        if unsafe bytes[at] == 0x0a { return 1 }
        guard unsafe bytes[at] == 0x0d else { return nil }
        if at + 1 == end { return 1 }
        return unsafe bytes[at + 1] == 0x0a ? 2 : nil
    }
}
