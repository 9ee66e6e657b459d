/// Text on a page. Everything that a feed, a definition or a file system has named goes through ``escaped(_:)``.
enum HTMLText {
    /// A text as the content of an element, or the value of an attribute in double quotes: whatever it holds, it stays a
    /// text.
    static func escaped(_ text: String) -> String {
        text.printable.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    /// An element with a class, around what is HTML already.
    static func element(_ name: String, _ style: String = "", _ content: String) -> String {
        "<\(name)\(style.isEmpty ? "" : " class=\"\(style)\"")>\(content)</\(name)>"
    }
}
