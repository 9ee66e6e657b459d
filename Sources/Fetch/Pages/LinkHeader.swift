/// The header `Link` (RFC 8288).
enum LinkHeader {
    /// The target of the first link with a relation; nil if there is none.
    static func target(of relation: String, in fields: [String]) -> String? {
        for field in fields {
            for link in links(field) where link.relations.contains(relation.lowercased()) { return link.target }
        }
        return nil
    }

    private static func links(_ field: String) -> [(target: String, relations: [String])] {
        var rest = Array(field.utf8)[...]
        var links: [(String, [String])] = []
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { break }
            let target = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            var relations: [String]?
            while skip(";", &rest) {
                guard let (name, value) = parameter(&rest) else { break }
                // Of several relations of one link, the first counts (section 3.3).
                if name == "rel", relations == nil {
                    relations = value.lowercased().split(separator: " ").map(String.init)
                }
            }
            links.append((target, relations ?? []))
        }
        return links
    }

    /// `name`, `name=token` or `name="text"`.
    private static func parameter(_ rest: inout ArraySlice<UInt8>) -> (String, String)? {
        skipSpace(&rest)
        let ends = Set("=;, \t".utf8)
        let name = rest.prefix { !ends.contains($0) }
        guard !name.isEmpty else { return nil }
        rest = rest[name.endIndex...]
        var value: [UInt8] = []
        if skip("=", &rest) {
            skipSpace(&rest)
            if rest.first == UInt8(ascii: "\"") {
                rest = rest.dropFirst()
                while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                    value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
                }
            } else {
                let token = rest.prefix { !Set(";, \t".utf8).contains($0) }
                value = Array(token)
                rest = rest[token.endIndex...]
            }
        }
        return (String(decoding: name, as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self))
    }

    private static func skipSpace(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    }

    private static func skip(_ mark: Character, _ rest: inout ArraySlice<UInt8>) -> Bool {
        skipSpace(&rest)
        guard let first = rest.first, first == mark.asciiValue else { return false }
        rest = rest.dropFirst()
        return true
    }
}
