extension WebRequest {
    /// What is wrong with the name of a header, a sentence without a subject; nil: nothing.
    package static func wrongHeader(_ name: String) -> String? {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        let isToken = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: marks.contains(byte)
            }
        }
        if name.isEmpty || !isToken { return "is no name of a header" }
        if own.contains(name.lowercased()) { return "is a header that sluice sets itself" }
        return nil
    }

    private static let own: Set<String> = [
        "accept-encoding", "connection", "content-length", "content-type", "expect", "host", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "proxy-authorization", "range", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]
}
