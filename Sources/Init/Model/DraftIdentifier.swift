/// What names an object, and how well it does.
struct DraftIdentifier {
    var columns: [DraftColumn]
    /// Whether what names the owner is a part of it.
    var hasOwner = false
    /// The places in lists that are a part of it: after so many steps of the way to the record.
    var places: [Int] = []
    /// The line in which a record stands, or its file, as a part of it; nil: neither is one.
    var line: Line?
    /// Whether some records lack it, and are left out.
    var isPartial = false
    /// Whether some objects have that of another one.
    var isNotQuiteUnique = false
    /// Whether records tell of the same objects again and again.
    var repeats = false

    /// How a line is known.
    enum Line {
        /// By its number, as there is one file.
        case ofFeed
        /// By its number and the name of its file.
        case ofFile
        /// By the name of its file alone: other files have a record with the same values.
        case file
    }

    /// Whether it holds only while the order of the feed stays.
    var hasIndex: Bool { !places.isEmpty || line.map { $0 != .file } ?? false }
    /// The only value that it is; nil: there are more, or places and lines.
    var only: DraftColumn? { columns.count == 1 && !hasOwner && places.isEmpty && line == nil ? columns[0] : nil }
}
