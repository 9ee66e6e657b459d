import SluiceRecords

/// An answer that lists objects: a page of the keys of a bucket (ListObjectsV2), with keys that are percent-encoded.
struct ListAnswer {
    var objects: [(key: String, etag: String, size: UInt64)] = []
    /// What leads to the next page.
    var next: String?

    /// Nil where the answer is no such list.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let list = ListAnswer.elements("ListBucketResult", of: text[...]).first else { return nil }
        for element in ListAnswer.elements("Contents", of: list) {
            guard let key = ListAnswer.text("Key", of: element).flatMap(ListAnswer.decoded),
                let size = ListAnswer.text("Size", of: element).flatMap({ UInt64($0) })
            else { return nil }
            objects.append((key, ListAnswer.text("ETag", of: element) ?? "", size))
        }
        if ListAnswer.text("IsTruncated", of: list) == "true" {
            guard let token = ListAnswer.text("NextContinuationToken", of: list) else { return nil }
            next = token
        }
    }

    /// What stands in the elements of a name. None of those that are looked for has one of its own name in it.
    private static func elements(_ name: String, of text: Substring) -> [Substring] {
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

    private static func text(_ name: String, of element: Substring) -> String? {
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
    private static func decoded(_ key: String) -> String? {
        let spaced = key.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return percentDecoded(String(decoding: spaced, as: UTF8.self))
    }
}
