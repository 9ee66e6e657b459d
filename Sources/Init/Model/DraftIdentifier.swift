/// What names an object, and how well it does.
struct DraftIdentifier {
    var columns: [DraftColumn]
    /// Whether what names the owner is a part of it.
    var hasOwner = false
    /// The places in lists that are a part of it: after so many steps of the way to the record.
    var places: [Int] = []
    /// Whether the line in which a record stands is a part of it.
    var hasLine = false
    /// Whether the name of the file is, beside the line.
    var hasFile = false
    /// Whether some records lack it, and are left out.
    var isPartial = false
    /// Whether some objects have that of another one.
    var isNotQuiteUnique = false
    /// Whether records tell of the same objects again and again.
    var repeats = false

    /// Whether it holds only while the order of the feed stays.
    var hasIndex: Bool { !places.isEmpty || hasLine }
    /// The only value that it is; nil: there are more, or places and lines.
    var only: DraftColumn? { columns.count == 1 && !hasOwner && !hasIndex ? columns[0] : nil }
}
