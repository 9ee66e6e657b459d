/// Texts between brackets.
enum EnclosedText {
    /// Whether a text that begins with a bracket is an object or a list of JSON, as it seems: white space may follow.
    static func isJSON(_ text: TextView) -> Bool {
        var end = text.count
        while end > 0, text[end - 1] <= 0x20 { end -= 1 }
        guard end > 1 else { return false }
        var next = 1
        while next < end, text[next] <= 0x20 { next += 1 }
        let inner = text[next]
        if text[0] == UInt8(ascii: "{") {
            return text[end - 1] == UInt8(ascii: "}") && (inner == UInt8(ascii: "\"") || inner == UInt8(ascii: "}"))
        }
        let begins = [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(inner)
        return text[end - 1] == UInt8(ascii: "]") && begins
    }
}
