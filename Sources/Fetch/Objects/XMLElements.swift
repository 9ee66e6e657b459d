import SluiceRecords

/// Looks into small answers in XML, such as services that speak S3 give: no element that is looked for has one of its
/// own name in it.
enum XMLElements {
    /// What stands in the elements of a name.
    static func elements(_ name: String, of text: Substring) -> [Substring] {
        var found: [Substring] = []
        var rest = text
        while let start = rest.firstRange(of: "<\(name)"), let open = rest[start.upperBound...].firstIndex(of: ">") {
            // The name goes on, or has attributes.
            let isOther = rest[start.upperBound] != ">" && rest[start.upperBound].isWhitespace == false
            rest = rest[rest.index(after: open)...]
            if isOther { continue }
            guard let end = rest.firstRange(of: "</\(name)>") else { break }
            found.append(rest[..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        return found
    }

    static func text(_ name: String, of element: Substring) -> String? {
        elements(name, of: element).first.map(unescaped)
    }

    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    /// A text of XML without its references.
    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let mark = rest.firstIndex(of: "&"), let end = rest[mark...].firstIndex(of: ";") {
            let name = String(rest[rest.index(after: mark)..<end])
            let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
            let scalar = name.hasPrefix("#") ? number.flatMap(Unicode.Scalar.init).map(String.init) : nil
            result += rest[..<mark] + (scalar ?? entities[name] ?? "&\(name);")
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// A key that was encoded as forms are; nil: it is no text.
    static func decoded(_ key: String) -> String? {
        let spaced = key.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return percentDecoded(String(decoding: spaced, as: UTF8.self))
    }
}
