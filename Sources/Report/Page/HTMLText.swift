/// Text on a page. Everything that a feed, a definition or a file system has named goes through ``escaped(_:)``.
enum HTMLText {
    /// A text as the content of an element, or the value of an attribute in double quotes: whatever it holds, it stays
    /// a text.
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

    /// A page that needs nothing else: no network, and no script to read it. Nothing but its own script can ever run.
    static func page(title: String, style: String, _ parts: [String], script: PageScript.Type? = nil) -> String {
        let scripts = script.map { "script-src '\($0.digest)'" } ?? "script-src 'none'"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
            \(scripts)">
            <title>\(escaped(title))</title>
            <style>
            \(style)
            </style>
            </head>
            <body>
            <main>
            \(parts.filter { !$0.isEmpty }.joined(separator: "\n"))
            </main>\(script.map { "\n<script>\($0.text)</script>" } ?? "")
            </body>
            </html>

            """
    }
}
