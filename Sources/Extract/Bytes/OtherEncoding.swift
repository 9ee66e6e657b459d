/// What a byte that UTF-8 does not have says of the encoding of a feed.
enum OtherEncoding {
    /// A clause that says which `encoding` to try.
    ///
    /// - Parameter isFirst: whether the byte is the first one of the feed, where UTF-16 has its mark.
    static func hint(_ byte: UInt8, isFirst: Bool) -> String {
        if isFirst, byte >= 0xfe { return "a file that begins so is in UTF-16: \"encoding\": \"utf-16\"" }
        return "a file may be in another \"encoding\", such as \"windows-1252\""
    }
}
